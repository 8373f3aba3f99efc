import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { clientNetwork } from "./client-address.ts";
import { createPlaces } from "./places.ts";
import { answer } from "./front.ts";
import { plainPage, plainPageHeaders } from "./plain-page.ts";
import { createRequestRate, type RateOptions } from "./request-rate.ts";
import type { PersonOf } from "./whole-forms.ts";

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void | Promise<void>;

type Options = RateOptions & {
  readonly personOf: PersonOf;
  /** The time in milliseconds. */
  readonly now?: () => number;
  /** How long a refusal waits; given by tests only. */
  readonly refusedAfterMs?: number;
  /** How long a page of a stranger keeps its place at most; given by tests only. */
  readonly placeMs?: number;
};

/** Pages drawn at once for whoever is not signed in, of all and of one network; the others take turns. */
const strangersDrawing = { most: 2, each: 1, waitingEach: 128, waitMs: 10_000 };

/** What waits for somebody else, such as a provider, takes no processor: others go on meanwhile. */
const placeHeldMs = 1_000;

/** So that whoever asks again at each answer asks seldom. */
const refusedAfterS = 1;

/** Of a refusal that waits nothing is kept but its connection; beyond these they are told at once. */
const waitingMax = 4_096;

/** A file of ours that a browser keeps, beside a page. */
const asset = /^\/_next\/static\//;
const assetCost = 0.05;

/**
 * Lets each person ask for so many pages a second, however many sessions they have, and everybody who is not signed in
 * so many by network, so that whoever is signed in goes on beside strangers of their network. It stands before anything
 * that draws or asks the database: what it refuses costs a look into a table in memory, and is told a second later. Of
 * strangers' pages few are drawn at once, so that nobody who works here waits for many of them in a row.
 */
export function limitedPages(listener: Listener, options: Options): Listener {
  const { personOf, now = Date.now, refusedAfterMs = refusedAfterS * 1_000, placeMs = placeHeldMs, ...rated } = options;
  const places = createPlaces(strangersDrawing);
  const rate = createRequestRate(rated);
  let waiting = 0;
  return async (incoming, outgoing) => {
    const personId = await personOf(incoming);
    const subject = personId === undefined ? `network:${clientNetwork(incoming)}` : `person:${personId}`;
    const isAsset = asset.test(incoming.url ?? "");
    const waitS = rate.take(subject, isAsset ? assetCost : 1, now());
    if (waitS === 0) {
      const leave = personId === undefined && !isAsset ? await places.enter(subject) : () => undefined;
      if (!leave) return refuse(incoming, outgoing, 1);
      const late = setTimeout(leave, placeMs).unref();
      outgoing.once("close", () => {
        clearTimeout(late);
        leave();
      });
      return outgoing.destroyed ? leave() : listener(incoming, outgoing);
    }
    if (waiting < waitingMax) {
      waiting += 1;
      // What came with it is let go.
      incoming.resume();
      await pause(refusedAfterMs);
      waiting -= 1;
    }
    if (!outgoing.destroyed) refuse(incoming, outgoing, waitS);
  };
}

const refusal = { title: "That was very fast", why: "More was asked for at once than anybody reads." };
const page = plainPage({ ...refusal, next: "Then wait a moment and try again." });
const text = "More was asked for at once than anybody reads. Nothing was done: wait a moment, then try again.";

/** A browser that asked for a page is shown one; a script of a page of ours is told in a sentence. */
function refuse({ headers }: IncomingMessage, outgoing: ServerResponse, waitS: number): void {
  const isOfScript = headers["next-action"] !== undefined || headers["rsc"] !== undefined;
  const type = isOfScript ? { "content-type": "text/plain; charset=utf-8" } : {};
  const refused = { ...plainPageHeaders, ...type, "retry-after": String(waitS) };
  answer(outgoing, { status: 429, headers: refused, body: isOfScript ? text : page });
}
