import { setTimeout } from "node:timers/promises";
import { isUnavailable } from "#lib/db/unavailable";

const everyMs = 500;

/**
 * Does what `work` does, again for as long as the database cannot be reached, but not after `until` (by
 * `performance.now()`): what a payer answered is to be recorded once the database is back, while the lease holds.
 */
export async function onceDatabaseIsBack<Value>(work: () => Promise<Value>, until: number): Promise<Value> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error) || performance.now() + everyMs > until) throw error;
      await setTimeout(everyMs);
    }
  }
}
