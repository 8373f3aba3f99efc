import type { Inquiry, Pushed } from "#lib/payer/connector";
import { misplacedData, standingOf, type Known } from "./answer.ts";
import { readNotification, type ResponseBundle } from "./reply.ts";
import { readSent } from "./sent.ts";

/** Most trace numbers one notification is looked up by; PAS sends one case at a time. */
const tracesMax = 100;

/**
 * Reads a Subscription notification (PAS 2.2.1 "Subscription": rest-hook, full
 * resource). A handshake or a heartbeat speaks of no case and has no traces;
 * so has whatever cannot be read. An event without its resource is a hint.
 */
export function readPush(body: Uint8Array): Pushed {
  const notification = readNotification(body);
  const bundles = notification?.bundles ?? [];
  return {
    isHint: notification?.isEvent === true && bundles.length === 0,
    traces: [...new Set(bundles.flatMap(tracesIn))].slice(0, tracesMax),
    match: (calls, doubted) => {
      const sents = calls.flatMap((call) => readSent(call) ?? []);
      return matched({ sents, doubted }, bundles, notification?.test === true);
    },
  };
}

function tracesIn({ response }: ResponseBundle): readonly string[] {
  const identifiers = [...(response.identifier ?? []), response.request?.identifier];
  return identifiers.flatMap((each) => each?.value ?? []);
}

/** One notification may bring several states of one case; the payer's own instant says which is the last. */
function matched(known: Known, bundles: readonly ResponseBundle[], test: boolean): Inquiry {
  const [sent] = known.sents;
  const found = bundles
    .filter((bundle) => standingOf(known, bundle).type !== "none")
    .sort((one, other) => createdAt(other) - createdAt(one));
  const [last, before] = found;
  if (!sent || !last) return { type: "none" };
  if (before && createdAt(before) === createdAt(last))
    return { type: "unknown", reason: "The payer's notification says two things of one case at one instant." };
  const wrong = misplacedData(sent, test || last.test);
  return wrong ? { type: "unknown", reason: wrong.reason } : standingOf(known, last);
}

function createdAt({ response }: ResponseBundle): number {
  const at = Date.parse(response.created ?? "");
  return Number.isNaN(at) ? 0 : at;
}
