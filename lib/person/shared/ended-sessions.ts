import { LRUCache } from "lru-cache";
import { onePerProcess } from "#lib/platform/process/one-per-process";

const idsMax = 10_000;

type EndedSessions = {
  readonly add: (sessionId: string) => void;
  readonly has: (sessionId: string) => boolean;
};

/**
 * The sessions that were found to be over. None begins again, and a token outlives its session, so that whoever kept one is
 * a stranger from then on.
 */
export function endedSessions(): EndedSessions {
  return onePerProcess("ended-sessions", () => {
    const ids = new LRUCache<string, true>({ max: idsMax });
    return { add: (id) => void ids.set(id, true), has: (id) => ids.has(id) };
  });
}
