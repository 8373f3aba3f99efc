import { availableParallelism } from "node:os";
import { ok, refuse, type Result } from "#lib/platform/result";
import { onePerProcess } from "#lib/platform/process/one-per-process";

/**
 * The two queues of password hashing: people known here by a session, a ticket, a link or a device, and everyone else.
 * Neither takes the other's turns, so that a flood of strangers delays no known person.
 */
export type Lane = "known" | "anybody";

/** Half of the processors for each queue, so that the rest of the service keeps running. */
const atOnceMax = Math.max(1, Math.floor(availableParallelism() / 2));

/** The longest queue. A person behind it would have given up: one hash takes some 30 ms. */
const waitingMax = 32;

type Turns = { running: number; readonly waiting: (() => void)[] };

/** One for each process and queue. */
function turnsOf(lane: Lane): Turns {
  return onePerProcess(`hash-turns-${lane}`, () => ({ running: 0, waiting: [] }));
}

/** Runs work that hashes a password when its turn comes. `busy`: too many wait, and nothing was done. */
export async function inTurn<Value>(lane: Lane, work: () => Promise<Value>): Promise<Result<Value, "busy">> {
  const turns = turnsOf(lane);
  if (turns.running < atOnceMax) turns.running += 1;
  else if (turns.waiting.length < waitingMax) await new Promise<void>((begin) => turns.waiting.push(begin));
  else return refuse("busy");
  try {
    return ok(await work());
  } finally {
    // The one that waits longest takes this place.
    const next = turns.waiting.shift();
    if (next) next();
    else turns.running -= 1;
  }
}
