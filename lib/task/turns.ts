import { type Store, type Tx, unscoped } from "#lib/db/db";
import { NothingDone } from "#lib/db/retry";
import { DatabaseBusyError } from "#lib/db/unavailable";

/** The attempt came second: the task had changed since it was read, and nothing was stored. */
export const lostRace = Symbol("lost race");

/** Tries to change a task. From the second time on it must call `lockTurn` first. */
export type Attempt<Value> = (isFirst: boolean) => Promise<Value | typeof lostRace>;

/** How long anybody waits for their turn; less than most callers wait for a reply. */
const waitMaxMs = 25_000;

/** For each task, the last one in this process to queue for a turn. */
const lines = new WeakMap<Store, Map<string, Promise<unknown>>>();

/**
 * Lets those who change a task take turns in the order they came: one at a time within a process, and nobody holds a
 * connection while waiting. Another process may still come first; whoever loses such a race takes turns with the other
 * processes too, from the next attempt on. Fails with `NothingDone` if no turn came in time.
 */
export async function takeTurns<Value>(store: Store, taskId: string, attempt: Attempt<Value>): Promise<Value> {
  const whole = unscoped(store);
  let line = lines.get(whole);
  if (!line) lines.set(whole, (line = new Map()));
  const since = performance.now();
  const before = line.get(taskId);
  const turn = before ? before.then(() => untilDone(attempt, since)) : untilDone(attempt, since);
  const over = turn.catch(() => undefined);
  line.set(taskId, over);
  try {
    return await turn;
  } finally {
    if (line.get(taskId) === over) line.delete(taskId);
  }
}

async function untilDone<Value>(attempt: Attempt<Value>, since: number): Promise<Value> {
  for (let isFirst = true; performance.now() - since < waitMaxMs; isFirst = false) {
    const done = await attempt(isFirst);
    if (done !== lostRace) return done;
  }
  throw new NothingDone(new DatabaseBusyError("A task was changed by others for as long as a change of it was tried."));
}

/**
 * Waits for other processes that take turns at the task. A separate lock, because the task's row is locked after
 * channels, practices and people; locking it first could cause a deadlock.
 */
export async function lockTurn(tx: Tx, taskId: string): Promise<void> {
  await tx.$queryRaw`SELECT true AS held FROM pg_advisory_xact_lock(hashtextextended(${`turn:${taskId}`}, 0))`;
}
