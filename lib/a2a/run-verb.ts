import { forPractices } from "#lib/db/for-practices";
import type { CallAdmission, CallArrival, CallResult, CallCommand } from "./call.ts";
import { refusalToFault, type CallError } from "./reply/faults.ts";

/** Checks 8 to 10: the verb itself checks authority, then the task, then its state. */
export async function runVerb({
  deps,
  actor,
  prefetched,
  command,
}: CallArrival & CallAdmission & CallCommand): Promise<CallResult | CallError> {
  const store = forPractices(deps.store, actor.practices);
  const done = await command.run({ actor, store, records: deps.records, prefetched });
  return done.ok ? { record: done.value } : refusalToFault(done.refusal);
}
