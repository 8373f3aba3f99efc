import type { IncomingMessage } from "node:http";
import { clientNetwork } from "./client-address.ts";
import { createRequestRate, type RateOptions } from "./request-rate.ts";

type Owner = { readonly personId: string };

type Options = RateOptions & {
  /** Of sessions: what one says that was opened before, and what one says at all. */
  readonly tokens: {
    readonly cookieName: string;
    readonly known: (token: string) => Owner | undefined;
    readonly open: (token: string) => Promise<Owner | undefined>;
  };
  /** The time in milliseconds. */
  readonly now?: () => number;
};

/**
 * Whose session a request's cookie names; undefined for none. A session's token is opened once, and how many a network
 * may have opened a second is counted, since whoever makes them up is a stranger. Whether the session lives is decided
 * later.
 */
export function createPersonOf({ tokens, now = Date.now, ...rated }: Options) {
  const rate = createRequestRate(rated);
  return async (incoming: IncomingMessage): Promise<string | undefined> => {
    const token = tokenIn(incoming.headers.cookie, tokens.cookieName);
    if (token === undefined) return undefined;
    const named = tokens.known(token);
    if (named) return named.personId;
    if (rate.take(`tokens:${clientNetwork(incoming)}`, 1, now()) > 0) return undefined;
    return (await tokens.open(token))?.personId;
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
