import { inTransaction, type Store, type Tx } from "#lib/db/db";
import { acrossPractices, forPractices } from "#lib/db/for-practices";
import {
  indexCases,
  lockSearchProgress,
  practicesToIndex,
  readChangedCases,
  saveSearchProgress,
} from "#lib/queue/store/case-tokens";

/** Entries of an audit log read in one transaction. */
const entriesMax = 200;

/** Transactions for one practice in one round, so that a large past does not keep the others waiting. */
const stepsMax = 20;

/**
 * One round of making cases findable: for each practice it reads on in the audit log, from the first entry, and makes
 * the search tokens of the cases named there. So a case of any age is found once its turn has come, and a round that is
 * cut short is gone on with. Any number of workers may run it.
 */
export async function indexNewCases(store: Store, signal?: AbortSignal): Promise<void> {
  for (const practiceId of await practicesToIndex(acrossPractices(store, "search")))
    for (let steps = 0; steps < stepsMax && signal?.aborted !== true; steps += 1)
      if (!(await inTransaction(forPractices(store, [practiceId]), (tx) => step(tx, practiceId)))) break;
}

/** One transaction; whether there may be more to read. What was appended meanwhile is left to the next round. */
async function step(tx: Tx, practiceId: string): Promise<boolean> {
  const after = await lockSearchProgress(tx, practiceId);
  if (after === undefined) return false;
  const read = await readChangedCases(tx, practiceId, { after, limit: entriesMax });
  if (!read) return false;
  await indexCases(tx, practiceId, read.taskIds);
  await saveSearchProgress(tx, practiceId, read.seq);
  return read.entries === entriesMax;
}
