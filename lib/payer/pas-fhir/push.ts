import { pasNotificationReasons } from "#lib/messages/reasons/pas-reply";
import { ok, type Result } from "#lib/platform/result";
import type { Inquiry, CaseReferences, PushedAnswer } from "#lib/payer/connector";
import { taskOfTrace } from "#lib/payer/trace";
import { misplacedData, standingAs, standingOf, type KnownCase } from "./answer.ts";
import { readNotification } from "./notification.ts";
import type { ResponseBundle } from "./reply.ts";
import { extensionOf } from "./resources.ts";
import { readFrozenRequest } from "./frozen-request.ts";
import { extensions } from "./vocabulary.ts";

/** Most answers one notification is looked up by; PAS sends one case at a time. */
const answersMax = 100;

/** Most names of one kind that one answer is looked up by. */
const namesMax = 20;

/**
 * Reads a Subscription notification (PAS 2.2.1 "Subscription": rest-hook, full
 * resource). A handshake or a heartbeat speaks of no case and has no answers.
 * An event without its resource is a hint.
 */
export function readPush(body: Uint8Array): Result<PushedAnswer, string> {
  const notification = readNotification(body);
  if (!notification.ok) return notification;
  const { bundles, isEvent, isEnded, test, live, hasUnreadable } = notification.value;
  return ok({
    isHint: isEvent && bundles.length === 0,
    isEnded,
    hasUnreadable: hasUnreadable || bundles.length > answersMax,
    answers: bundles.slice(0, answersMax).map(namingOf),
    match: (calls, unconfirmed, reference) => {
      const sentRequests = calls.flatMap((call) => readFrozenRequest(call) ?? []);
      return matchBundles({ known: { sentRequests, unconfirmed }, reference, test, live }, bundles);
    },
  });
}

function namingOf({ response }: ResponseBundle): CaseReferences {
  const identifiers = [...(response.identifier ?? []), response.request?.identifier];
  const values = [...new Set(identifiers.flatMap((each) => each?.value ?? []))];
  return {
    traces: values.slice(0, namesMax),
    request: response.request?.reference,
    references: [...new Set([...values, ...referencesIn(response)])].slice(0, namesMax),
  };
}

/** The payer's references for a case (REF NT), wherever PAS puts them. */
function referencesIn({ preAuthRef, extension, item = [] }: ResponseBundle["response"]): readonly string[] {
  const extended = [extension, ...item.map((each) => each.extension)];
  const numbers = extended.map((list) => extensionOf(list, extensions.administrationReferenceNumber)?.valueString);
  return [preAuthRef, ...numbers].flatMap((each) => each ?? []);
}

type PushContext = { readonly known: KnownCase; readonly reference: string | undefined } & Pick<
  ResponseBundle,
  "test" | "live"
>;

/** One notification may bring several states of one case; the payer's own instant says which is the last. */
function matchBundles({ known, reference, test, live }: PushContext, bundles: readonly ResponseBundle[]): Inquiry {
  const [sent] = known.sentRequests;
  const found = bundles
    .map((bundle) => ({ bundle, standing: standingIn({ known, reference }, bundle) }))
    .filter(({ standing }) => standing.type !== "none")
    .sort((one, other) => createdAt(other.bundle) - createdAt(one.bundle));
  const [last, before] = found;
  if (!sent || !last) return { type: "none" };
  if (before && createdAt(before.bundle) === createdAt(last.bundle))
    return { type: "unknown", reason: pasNotificationReasons.twoAtOneInstant };
  const wrong = misplacedData(sent, { test: test || last.bundle.test, live: live || last.bundle.live });
  return wrong ? { type: "unknown", reason: wrong.reason } : last.standing;
}

function standingIn({ known, reference }: Pick<PushContext, "known" | "reference">, bundle: ResponseBundle): Inquiry {
  const standing = standingOf(known, bundle);
  const last = known.sentRequests.at(-1);
  if (standing.type !== "none" || reference === undefined || !last) return standing;
  const { traces, request, references } = namingOf(bundle);
  if (!references.includes(reference)) return standing;
  if (request?.startsWith("urn:uuid:") === true || traces.some((each) => taskOfTrace(each) !== undefined))
    return { type: "unknown", reason: pasNotificationReasons.otherRequest };
  // A reference names the case and not what was asked of it, so the answer has to say that itself.
  if ((bundle.response.item ?? []).length === 0)
    return { type: "unknown", reason: pasNotificationReasons.referenceWithoutItem };
  return standingAs(last, bundle);
}

function createdAt({ response }: ResponseBundle): number {
  const at = Date.parse(response.created ?? "");
  return Number.isNaN(at) ? 0 : at;
}
