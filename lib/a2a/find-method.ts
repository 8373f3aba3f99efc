import type { Enveloped, Found } from "./call.ts";
import type { Refused } from "./faults.ts";
import { methodNamed } from "./methods.ts";

/** Rung 6: one of the methods we serve. */
export function findMethod({ method }: Enveloped): Found | Refused {
  const row = methodNamed(method);
  return row ? { row } : { fault: "unknown-method" };
}
