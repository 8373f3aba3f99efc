import { within } from "#lib/db/within";
import type { Admitted, Arrived, Done, Understood } from "./call.ts";
import { refusalToFault, type Refused } from "./reply/faults.ts";

/** Rungs 8 to 10: the verb itself checks authority, then the task, then its state. */
export async function runVerb({
  deps,
  actor,
  prefetched,
  run,
}: Arrived & Admitted & Understood): Promise<Done | Refused> {
  const done = await run({ actor, store: within(deps.store, actor.practices), prefetched });
  return done.ok ? { record: done.value } : refusalToFault(done.refusal);
}
