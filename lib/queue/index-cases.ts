import { inTransaction, type Store, type Tx } from "#lib/db/db";
import { acrossPractices, forPractices } from "#lib/db/for-practices";
import { failingOf } from "#lib/db/retry";
import {
  indexCases,
  lockSearchProgress,
  practicesToIndex,
  readChangedCases,
  saveSearchProgress,
} from "#lib/queue/store/case-tokens";

/** Practices whose audit logs one transaction follows: it costs the same for many as for one. */
const practicesMax = 32;

/** Entries of all their audit logs read in one transaction. */
const entriesMax = 400;

/** Transactions for the same practices in one round, so that a large past does not keep the others waiting. */
const stepsMax = 20;

/**
 * One round of making cases findable: for each practice it reads on in the audit log, from the first entry, and makes
 * the search tokens of the cases named there. So a case of any age is found once its turn has come, and a round that is
 * cut short is gone on with. Any number of workers may run it. A practice that fails keeps no other from its turn.
 */
export async function indexNewCases(store: Store, signal?: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  const practices = await practicesToIndex(acrossPractices(store, "search"));
  for (let from = 0; from < practices.length; from += practicesMax)
    failures.push(...(await failuresOf(store, practices.slice(from, from + practicesMax), signal)));
  if (failures.length > 0) throw failures[0];
}

/** Follows these practices; where what is stored of one fails them all, each by itself. */
async function failuresOf(
  store: Store,
  practices: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly unknown[]> {
  try {
    await indexPractices(store, practices, signal);
    return [];
  } catch (error) {
    if (practices.length === 1 || failingOf(error) !== "failed") return [error];
    const failures: unknown[] = [];
    for (const practice of practices) failures.push(...(await failuresOf(store, [practice], signal)));
    return failures;
  }
}

async function indexPractices(store: Store, practices: readonly string[], signal: AbortSignal | undefined) {
  let unread = practices;
  for (let steps = 0; unread.length > 0 && steps < stepsMax && signal?.aborted !== true; steps += 1)
    unread = await inTransaction(forPractices(store, unread), takingStep(unread));
}

/** One transaction; the practices of which there may be more to read. What was appended meanwhile is left to the next round. */
function takingStep(practices: readonly string[]) {
  return async (tx: Tx): Promise<readonly string[]> => {
    const limit = Math.floor(entriesMax / practices.length);
    const read = await readChangedCases(tx, await lockSearchProgress(tx, practices), limit);
    if (read.length === 0) return [];
    await indexCases(tx, read);
    await saveSearchProgress(tx, read);
    return read.filter(({ entries }) => entries === limit).map(({ practiceId }) => practiceId);
  };
}
