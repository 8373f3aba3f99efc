import { availableParallelism } from "node:os";
import { ok, refuse, type Result } from "#lib/platform/result";

/**
 * Who a password is hashed for: somebody with a session, a ticket, a link or a device of theirs, or anybody. Neither
 * takes the other's turns, so that however many strangers come, whoever is known here waits for none of them.
 */
export type Lane = "known" | "anybody";

/** Half the processors each: what else the service does goes on. */
const atOnceMax = Math.max(1, Math.floor(availableParallelism() / 2));

/** Who waits behind so many would have given up: one hash takes some 30 ms. */
const waitingMax = 32;

type Turns = { running: number; readonly waiting: (() => void)[] };

const shared = globalThis as { priorAuthorizationHashing?: Record<Lane, Turns> };

/** One per process, however often Next bundles this module. */
function turnsOf(lane: Lane): Turns {
  shared.priorAuthorizationHashing ??= { known: { running: 0, waiting: [] }, anybody: { running: 0, waiting: [] } };
  return shared.priorAuthorizationHashing[lane];
}

/** Does work that hashes a password when its turn comes. `busy`: too many wait, and nothing was done. */
export async function inTurn<Value>(lane: Lane, work: () => Promise<Value>): Promise<Result<Value, "busy">> {
  const turns = turnsOf(lane);
  if (turns.running < atOnceMax) turns.running += 1;
  else if (turns.waiting.length < waitingMax) await new Promise<void>((begin) => turns.waiting.push(begin));
  else return refuse("busy");
  try {
    return ok(await work());
  } finally {
    // Whoever waits longest goes on in this one's place.
    const next = turns.waiting.shift();
    if (next) next();
    else turns.running -= 1;
  }
}
