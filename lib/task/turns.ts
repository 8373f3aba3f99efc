import { type Store, type Tx, unscoped } from "#lib/db/db";
import { NothingDone } from "#lib/db/retry";
import { DatabaseBusyError } from "#lib/db/unavailable";

/** An attempt that came second: what it had read had changed meanwhile, and nothing of it was kept. */
export const lostRace = Symbol("lost race");

/** Tries to change a task. After the first time it is to call `lockTurn` before anything else. */
export type Attempt<Value> = (isFirst: boolean) => Promise<Value | typeof lostRace>;

/** How long anybody waits for their turn; less than most who call wait for an answer. */
const waitMaxMs = 25_000;

/** The last of those who wait for their turn at a task in this process. */
const lines = new WeakMap<Store, Map<string, Promise<unknown>>>();

/**
 * Lets those who change a task take turns, in the order they came: one of a process at a time, and whoever waits holds
 * no connection. Another process may come first; whoever lost a race takes turns with it too, from the next attempt on.
 * Fails with `NothingDone` where no turn came in time.
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
 * Waits for those of other processes who take turns at the task. A lock of its own and not the task's row, which is
 * locked after channels, practices and people: taken before them, two who each hold one would wait for each other.
 */
export async function lockTurn(tx: Tx, taskId: string): Promise<void> {
  await tx.$queryRaw`SELECT true AS held FROM pg_advisory_xact_lock(hashtextextended(${`turn:${taskId}`}, 0))`;
}
