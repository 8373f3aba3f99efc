import type { CallEnvelope, CallMethod } from "#lib/a2a/call";
import type { CallError } from "#lib/a2a/reply/faults";
import { methodNamed } from "#lib/a2a/methods";

/** Rung 6: one of the methods we serve. */
export function findMethod({ method }: CallEnvelope): CallMethod | CallError {
  const row = methodNamed(method);
  return row ? { row } : { fault: "unknown-method" };
}
