import type { Enveloped, Found } from "#lib/a2a/call";
import type { Refused } from "#lib/a2a/reply/faults";
import { methodNamed } from "#lib/a2a/methods";

/** Rung 6: one of the methods we serve. */
export function findMethod({ method }: Enveloped): Found | Refused {
  const row = methodNamed(method);
  return row ? { row } : { fault: "unknown-method" };
}
