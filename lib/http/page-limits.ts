import type { IncomingMessage, ServerResponse } from "node:http";
import { clientNetwork } from "#lib/a2a/client-address";
import { answer } from "./front.ts";
import { plainPage, plainPageHeaders } from "./plain-page.ts";
import { createRequestRate } from "./request-rate.ts";

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void | Promise<void>;

type Owner = { readonly personId: string };

type Options = {
  /** Of sessions: what one says that was opened before, and what one says at all. */
  readonly tokens: {
    readonly cookieName: string;
    readonly known: (token: string) => Owner | undefined;
    readonly open: (token: string) => Promise<Owner | undefined>;
  };
  readonly perSecond: number;
  /** The time in milliseconds. */
  readonly now?: () => number;
  /** Told of a person or a network at its first refusal, and then once a minute with how many there were. */
  readonly onRefused: (refused: { readonly subject: string; readonly count: number }) => void;
};

/** So many seconds' worth of requests may come at once: a page and all it draws, in many tabs. */
const burstS = 15;

/** A file of ours that a browser keeps, beside a page. */
const asset = /^\/_next\/static\//;
const assetCost = 0.05;

/**
 * Lets each person ask for so many pages a second, however many sessions they have, and everybody who is not signed in
 * so many by network. It stands before anything that draws or asks the database: what it refuses costs a look into a table
 * in memory. A session's token is opened once, and those to be opened are counted apart, so that whoever is signed in
 * goes on beside strangers of their network. Whether the session lives is decided later.
 */
export function limitedPages(listener: Listener, { tokens, perSecond, now = Date.now, onRefused }: Options): Listener {
  const rate = createRequestRate({ perSecond, burstS, onRefused });

  async function personOf(token: string, network: string): Promise<string | undefined> {
    const named = tokens.known(token);
    if (named) return named.personId;
    if (rate.take(`tokens:${network}`, 1, now()) > 0) return undefined;
    return (await tokens.open(token))?.personId;
  }

  return async (incoming, outgoing) => {
    const network = clientNetwork(incoming);
    const token = tokenIn(incoming.headers.cookie, tokens.cookieName);
    const personId = token === undefined ? undefined : await personOf(token, network);
    const subject = personId === undefined ? `network:${network}` : `person:${personId}`;
    const cost = asset.test(incoming.url ?? "") ? assetCost : 1;
    const waitS = rate.take(subject, cost, now());
    return waitS > 0 ? refuse(incoming, outgoing, waitS) : listener(incoming, outgoing);
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

const words = { title: "That was very fast", why: "More was asked for at once than anybody reads." };
const page = plainPage({ ...words, next: "Then wait a moment and try again." });
const text = "More was asked for at once than anybody reads. Nothing was done: wait a moment, then try again.";

/** A browser that asked for a page is shown one; a script of a page of ours is told in a sentence. */
function refuse({ headers }: IncomingMessage, outgoing: ServerResponse, waitS: number): void {
  const isOfScript = headers["next-action"] !== undefined || headers["rsc"] !== undefined;
  const type = isOfScript ? { "content-type": "text/plain; charset=utf-8" } : {};
  const refused = { ...plainPageHeaders, ...type, "retry-after": String(waitS) };
  answer(outgoing, { status: 429, headers: refused, body: isOfScript ? text : page });
}
