import type { IncomingMessage } from "node:http";
import { LRUCache } from "lru-cache";
import { clientNetwork } from "./client-address.ts";
import { createRequestRate, type RateOptions } from "./request-rate.ts";

type Owner = { readonly personId: string; readonly sessionId: string };

/** How often it is looked whether a session still lives whose token comes. */
const lookEveryMs = 60_000;
const lookedAtMax = 10_000;

type Options = RateOptions & {
  /** Of sessions: what one says that was opened before, and what one says at all. */
  readonly tokens: {
    readonly cookieName: string;
    readonly known: (token: string) => Owner | undefined;
    readonly open: (token: string) => Promise<Owner | undefined>;
  };
  /**
   * Finds out whether a session still lives, after which the tokens say nothing of one that is over. No request waits
   * for it.
   */
  readonly look: (sessionId: string) => void;
  /** The time in milliseconds. */
  readonly now?: () => number;
};

/**
 * Whose session a request's cookie names; undefined for none. A session's token is opened once, and how many a network
 * may have opened a second is counted, since whoever makes them up is a stranger. Whether the session lives is looked up
 * once a minute beside the requests, so that whoever stole a token that is over soon uses up nothing of its person's.
 */
export function createPersonOf({ tokens, look, now = Date.now, ...rated }: Options) {
  const rate = createRequestRate(rated);
  const lookedAt = new LRUCache<string, number>({ max: lookedAtMax });
  const lookSometimes = ({ sessionId }: Owner) => {
    if (now() - (lookedAt.get(sessionId) ?? -Infinity) < lookEveryMs) return;
    lookedAt.set(sessionId, now());
    look(sessionId);
  };
  return async (incoming: IncomingMessage): Promise<string | undefined> => {
    const token = tokenIn(incoming.headers.cookie, tokens.cookieName);
    if (token === undefined) return undefined;
    const known = tokens.known(token);
    if (!known && rate.take(`tokens:${clientNetwork(incoming)}`, 1, now()) > 0) return undefined;
    const named = known ?? (await tokens.open(token));
    if (named) lookSometimes(named);
    return named?.personId;
  };
}

function tokenIn(cookies: string | undefined, name: string): string | undefined {
  const begin = `${name}=`;
  return cookies
    ?.split(";")
    .map((part) => part.trim())
    .find((part) => part.startsWith(begin))
    ?.slice(begin.length);
}
