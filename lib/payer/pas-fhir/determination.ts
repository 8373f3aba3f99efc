import { authorizationConflicts, type Processing } from "#lib/payer/model/authorization-conflicts";
import { pasReasons, pasUnclearReasons } from "#lib/messages/reasons/pas-reply";
import { replyReasons, wantedReasons } from "#lib/messages/reasons/payer-reply";
import { spanOfDay, verdictOf, type Determination } from "#lib/task/model/determination";
import type { InformationRequest } from "#lib/task/model/information-request";
import type { PayerAnswer } from "#lib/payer/connector";
import { dayOf, agreedValue, instantText, ownValidity } from "#lib/payer/agreed-value";
import { isDate } from "#lib/task/model/formats";
import { isOtherCoverage } from "./coverage.ts";
import { hasTwoNumbers, headerOf, isHeaderOnly, storedLine, linesOf, providersOf, type Line } from "./lines.ts";
import { idsOf } from "./providers.ts";
import { qualificationOf, statesTwice } from "./qualified.ts";
import type { ResponseBundle } from "./reply.ts";
import { extensionOf, type ClaimResponse } from "./resources.ts";
import type { FrozenRequest } from "./frozen-request.ts";
import { extensions } from "./vocabulary.ts";
import { asksForMore, readInformationRequest } from "./information-request.ts";

/** Most contradictions that are listed. */
const conflictsMax = 5;

/**
 * Reads the decision from the review action of every requested item (PAS "Prior Authorization Response"), and compares it with
 * the rest of the response and with the request. The caller must have verified that the response is about exactly these
 * items.
 */
export function decisionOf(sent: FrozenRequest, bundle: ResponseBundle): PayerAnswer {
  const { response } = bundle;
  const lines = linesOf(sent, bundle);
  const reference = referenceOf(response, lines);
  const standing = lines.filter(({ takenBack }) => !takenBack);
  const counted = standing.length > 0 ? standing : lines;
  const verdict = verdictOf(counted.map(({ action }) => action));
  const uncancelled = standing.length > 0 && lines.some(({ takenBack, action }) => takenBack && action !== "C");
  const unclear = (reason: string) => unclearOf(response, reference, reason);
  if (bundle.hasRules) return unclear(pasUnclearReasons.implicitRules);
  if (bundle.speaksTwice) return unclear(pasUnclearReasons.speaksTwice);
  if (bundle.isModified) return unclear(pasUnclearReasons.unknownModifier);
  if (statesTwice(response) || hasTwoNumbers(response)) return unclear(pasUnclearReasons.statesTwice);
  if (isOtherCoverage(sent.coverage, response, bundle.coverages)) return unclear(pasUnclearReasons.otherCoverage);
  if (verdict.type === "unclear") return unclear(pasUnclearReasons.actionNotUnderstood);
  const header = headerOf(response);
  if (header.action === "unclear") return unclear(pasUnclearReasons.headerNotUnderstood);
  if (isHeaderOnly(response) && header.action === "A2" && counted.length > 1)
    return unclear(pasUnclearReasons.partNotNamed);
  const conflicts = conflictsIn(sent, bundle, counted);
  if (conflicts.length > 0) return unclear(pasUnclearReasons.contradicts(conflicts));
  const isApproval = verdict.type === "final" && verdict.outcome !== "denied";
  const qualified = isApproval ? qualificationOf(response) : undefined;
  if (isApproval && (asksForMore(bundle) || counted.some(wantsMore))) return unclear(pasUnclearReasons.asksForMore);
  if (qualified !== undefined) return unclear(qualified);
  if (isApproval && hasUnreadableDate(response)) return unclear(pasUnclearReasons.dateNotUnderstood);
  if (verdict.type === "final" && uncancelled) return unclear(pasUnclearReasons.notAllCancelled);
  switch (verdict.type) {
    case "pended":
      return { type: "accepted", reference, ...pendedOf(bundle) };
    case "cancelled":
      return { type: "cancelled", reference };
    case "contact-payer":
      return { type: "contact-payer", reference, text: replyReasons.callPayer() };
    case "final":
      return {
        type: "decided",
        determination: determinationOf({
          ...{ outcome: verdict.outcome, lines, response, reference, wanted: readInformationRequest(bundle) },
          named: { authorized: namedFor(sent, bundle), fromRequest: sent.providers },
        }),
      };
  }
}

/** Whether a date that limits what is authorized is no whole day: FHIR allows a year or a month alone. */
function hasUnreadableDate({ preAuthPeriod, item = [], addItem = [] }: ClaimResponse): boolean {
  const limits = [...item, ...addItem].flatMap(({ extension }) => [
    extensionOf(extension, extensions.itemPreAuthPeriod),
    extensionOf(extension, extensions.itemAuthorizedDate),
    extensionOf(extension, extensions.admissionDates),
    extensionOf(extension, extensions.dischargeDate),
  ]);
  const periods = [
    preAuthPeriod,
    ...limits.map((each) => each?.valuePeriod),
    ...addItem.map((each) => each.servicedPeriod),
  ];
  const days = [
    ...limits.flatMap((each) => [each?.valueDate, each?.valueDateTime]),
    ...addItem.map((each) => each.servicedDate),
  ];
  const stated = [...periods.flatMap((period) => [period?.start, period?.end]), ...days];
  return stated.some((text) => text !== undefined && !isDate(text.slice(0, 10)));
}

/** Whether a line is certified for a reason that asks for more, or says that what was asked for never came. */
function wantsMore({ action, reasons }: Line): boolean {
  return action === "A1" && reasons.some((code) => Object.hasOwn(wantedReasons, code));
}

/** A payer that answers our request has it, unless it says that it could not process it. */
function unclearOf({ outcome }: ClaimResponse, reference: string | undefined, reason: string): PayerAnswer {
  const processing = processingOf(outcome);
  return processing === "error" || processing === "unknown"
    ? { type: "unknown", reason }
    : { type: "unclear", reference, reason };
}

/** The contradictions between the response and the actions of these lines. */
function conflictsIn(
  sent: FrozenRequest,
  { response, providers }: ResponseBundle,
  lines: readonly Line[],
): readonly string[] {
  const { action: header } = headerOf(response);
  const conflicts = authorizationConflicts({
    lines: lines.flatMap(({ action, ...line }) => (action ? [{ ...line, action }] : [])),
    header: header === "unclear" ? undefined : header,
    processing: processingOf(response.outcome),
    validity: response.preAuthPeriod && {
      from: dayOf(response.preAuthPeriod.start),
      to: dayOf(response.preAuthPeriod.end),
    },
    providers: namedFor(sent, { response, providers }),
    requestedProviders: requestedProviders(sent).flat(),
    decidedOn: issuedOn(response) ?? dayOf(response.created),
    requestedAt: sent.madeAt,
  });
  return conflicts.slice(0, conflictsMax);
}

/** The ids of each who is asked to provide the items; of everybody whom the request names, where nobody is asked. */
function requestedProviders({ items, providers }: FrozenRequest): readonly (readonly string[])[] {
  const requested = new Set([...items.values()].flatMap((item) => item.providers ?? []));
  const named = [...providers.values()];
  const team = named.filter((ids) => ids.some((id) => requested.has(id)));
  return team.length > 0 ? team : named;
}

/** The ids of each provider whom the payer authorizes for the whole request. */
function namedFor(sent: FrozenRequest, { response, providers }: Pick<ResponseBundle, "response" | "providers">) {
  const known = new Map([...sent.providers, ...providers]);
  return providersOf(response.extension).map((reference) => idsOf(reference, known));
}

const outcomes = new Set(["complete", "partial", "error", "queued"]);

/** FHIR's RemittanceOutcome; PAS 2.2.1 leaves out `queued`. */
function processingOf(outcome: string | undefined): Processing | undefined {
  if (outcome === undefined) return undefined;
  // Safe because the guard has just found the word among the known ones.
  return outcomes.has(outcome) ? (outcome as Processing) : "unknown";
}

/** No payer's number is longer; X12 has 50 characters (REF02). */
const referenceCharsMax = 255;

/** The payer's own number of the case (REF NT), if it gives one that can be one. */
function referenceOf(response: ClaimResponse, lines: readonly Line[]): string | undefined {
  const header = extensionOf(response.extension, extensions.administrationReferenceNumber)?.valueString;
  return [response.preAuthRef, header, ...lines.map(({ reference }) => reference)].find(
    (reference) => reference !== undefined && reference.length <= referenceCharsMax,
  );
}

function pendedOf(bundle: ResponseBundle): { receivedAt?: Date; informationRequest?: InformationRequest } {
  const at = instant(bundle.response.created);
  const informationRequest = readInformationRequest(bundle);
  return {
    ...(at === undefined ? {} : { receivedAt: new Date(at) }),
    ...(informationRequest ? { informationRequest } : {}),
  };
}

function itemText({ label, code }: InformationRequest["items"][number]): string {
  return label ?? code?.value ?? pasReasons.unnamedItem;
}

type DecisionInput = {
  readonly outcome: Determination["outcome"];
  readonly lines: readonly Line[];
  readonly response: ClaimResponse;
  readonly reference: string | undefined;
  /** What a denial asks for besides. */
  readonly wanted: InformationRequest | undefined;
  readonly named: Parameters<typeof storedLine>[1];
};

function determinationOf({ outcome, lines, response, reference, wanted, named }: DecisionInput): Determination {
  const reviewer = extensionOf(response.extension, extensions.claimResponseReviewer);
  const whole = {
    validFrom: dayOf(response.preAuthPeriod?.start) ?? agreedValue(lines.map(({ validity }) => validity?.from)),
    validTo: dayOf(response.preAuthPeriod?.end) ?? agreedValue(lines.map(({ validity }) => validity?.to)),
  };
  return {
    outcome,
    authorizationNumber:
      agreedValue(lines.map(({ number }) => number)) ?? headerOf(response).number ?? response.preAuthRef,
    reference,
    ...whole,
    lines: lines.flatMap((line) =>
      storedLine(line, named).map((stored) => ({
        ...stored,
        ...inForce(line, whole),
        ...notesOf(line, { lines, response }),
      })),
    ),
    notes: [
      ...(response.disposition ? [response.disposition] : []),
      ...(response.processNote ?? []).flatMap(({ text }) => (text ? [text] : [])),
      ...headerOf(response).reasonTexts,
      ...(wanted ? [pasReasons.asksFor(wanted.items.map(itemText))] : []),
    ],
    humanReviewed: extensionOf(reviewer?.extension, "wasHumanReviewedFlag")?.valueBoolean,
    ...decisionDatesOf(response),
    source: "connector",
  };
}

/** What the payer says of a line in its own words, apart from what it says of all of them. */
function notesOf(
  { noteNumbers, reasonTexts }: Line,
  { lines, response }: Pick<DecisionInput, "lines" | "response">,
): { notes?: readonly string[] } {
  const isOwn = (number: number | undefined) =>
    number !== undefined && noteNumbers.includes(number) && lines.some((other) => !other.noteNumbers.includes(number));
  const own = (response.processNote ?? []).flatMap(({ number, text }) => (text && isOwn(number) ? [text] : []));
  const texts = isHeaderOnly(response) ? own : [...own, ...reasonTexts];
  return texts.length > 0 ? { notes: texts } : {};
}

function inForce({ action, validity }: Line, whole: Pick<Determination, "validFrom" | "validTo">) {
  return ownValidity(action, { validFrom: validity?.from, validTo: validity?.to }, whole);
}

/**
 * When the payer decided: when it made the response, unless the last of its items was issued on an earlier day. Then only
 * that day is known.
 */
function decisionDatesOf(response: ClaimResponse): Pick<Determination, "decidedAt" | "decidedOn"> {
  const decidedAt = instant(response.created);
  const decidedOn = issuedOn(response);
  if (decidedOn === undefined) return { decidedAt };
  return decidedAt !== undefined && new Date(decidedAt) <= spanOfDay(decidedOn).to ? { decidedAt } : { decidedOn };
}

/**
 * The day on which the last of the items was issued. Undefined where one of them has none, as a denied one: it may have been
 * decided after the others.
 */
export function issuedOn({ item = [], addItem = [] }: ClaimResponse): string | undefined {
  const added = addItem.map((one) => ({ sequences: one.itemSequence ?? [], day: issueDay(one) }));
  const days = [
    ...item.map((one) => issueDay(one) ?? added.find((other) => other.sequences.includes(one.itemSequence ?? 0))?.day),
    ...added.filter(({ sequences }) => sequences.length === 0).map(({ day }) => day),
  ];
  const stated = days.filter((day) => day !== undefined);
  return stated.length < days.length ? undefined : stated.toSorted().at(-1);
}

function issueDay({ extension }: { readonly extension?: ClaimResponse["extension"] }): string | undefined {
  const day = extensionOf(extension, extensions.itemPreAuthIssueDate)?.valueDate;
  return day !== undefined && isDate(day) ? day : undefined;
}

/** A FHIR dateTime that names an instant, in UTC; undefined for a day alone, which gives no order. */
export function instant(text: string | undefined): string | undefined {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}T.*(?:Z|[+-]\d{2}:\d{2})$/.test(text)) return undefined;
  return instantText(new Date(text));
}
