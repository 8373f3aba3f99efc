import {
  reviewActions,
  verdictOf,
  type Determination,
  type DeterminationLine,
  type LineTerms,
  type ReviewAction,
} from "#lib/domain/determination";
import type { InformationRequest } from "#lib/domain/information-request";
import type { Answer } from "#lib/payer/connector";
import { day, only } from "#lib/payer/told";
import { codeIn, extensionOf, type Branch, type ClaimResponse, type ResponseBundle } from "./reply.ts";
import type { Sent } from "./sent.ts";
import { extensions, systems } from "./vocabulary.ts";
import { wantedOf } from "./wanted.ts";

type Item = NonNullable<ClaimResponse["item"]>[number];
type AddItem = NonNullable<ClaimResponse["addItem"]>[number];

/** What one line of a response says: its action when it is one we know, and the numbers and terms beside it. */
type Read = {
  readonly action: ReviewAction | undefined;
  /** A line we took back ourselves; that it is cancelled is no decision on the others. */
  readonly takenBack: boolean;
  readonly line: Omit<DeterminationLine, "action">;
  readonly reference: string | undefined;
  readonly validity: Period | undefined;
};

type Period = { readonly start?: string | undefined; readonly end?: string | undefined };

/**
 * Reads the decision from the review action of every item that was asked, as
 * PAS has it ("Prior Authorization Response"), and never from `outcome`. The
 * caller has settled that the response speaks of exactly these items.
 */
export function decisionOf(sent: Sent, bundle: ResponseBundle): Answer {
  const { response } = bundle;
  const lines = [...linesAsked(sent, response), ...linesAdded(sent, response)];
  const reference = referenceOf(response, lines);
  const standing = lines.filter(({ takenBack }) => !takenBack);
  const counted = standing.length > 0 ? standing : lines;
  const verdict = verdictOf(counted.map(({ action }) => action));
  const uncancelled = standing.length > 0 && lines.some(({ takenBack, action }) => takenBack && action !== "C");
  if (verdict.type === "final" && uncancelled) return unclear("does not cancel every item that was taken back");
  switch (verdict.type) {
    case "pended":
      return { type: "accepted", reference, ...pendedOf(bundle) };
    case "cancelled":
      return { type: "cancelled", reference };
    case "contact-payer":
      return { type: "contact-payer", reference, text: "The payer asks to be called about this request (CT)." };
    case "unclear":
      return unclear("lacks a review action that is understood on at least one item");
    case "final":
      return {
        type: "decided",
        determination: determinationOf({ outcome: verdict.outcome, lines, response, reference }),
      };
  }
}

function unclear(problem: string): Answer {
  return { type: "unknown", reason: `The payer's reply ${problem}.` };
}

/** The payer's own number for the case (REF NT), where it gives one. */
function referenceOf(response: ClaimResponse, lines: readonly Read[]): string | undefined {
  const header = extensionOf(response.extension, extensions.administrationReferenceNumber)?.valueString;
  return response.preAuthRef ?? header ?? lines.find(({ reference }) => reference !== undefined)?.reference;
}

function pendedOf(bundle: ResponseBundle): { receivedAt?: Date; wants?: InformationRequest } {
  const at = instant(bundle.response.created);
  const wants = wantedOf(bundle);
  return { ...(at === undefined ? {} : { receivedAt: new Date(at) }), ...(wants ? { wants } : {}) };
}

type Decided = {
  readonly outcome: Determination["outcome"];
  readonly lines: readonly Read[];
  readonly response: ClaimResponse;
  readonly reference: string | undefined;
};

function determinationOf({ outcome, lines, response, reference }: Decided): Determination {
  const reviewer = extensionOf(response.extension, extensions.claimResponseReviewer);
  return {
    outcome,
    authorizationNumber: only(lines.map(({ line }) => line.number)) ?? response.preAuthRef,
    reference,
    validFrom: day(response.preAuthPeriod?.start) ?? only(lines.map(({ validity }) => day(validity?.start))),
    validTo: day(response.preAuthPeriod?.end) ?? only(lines.map(({ validity }) => day(validity?.end))),
    lines: lines.flatMap(({ action, line }) => (action ? [{ ...line, action }] : [])),
    notes: (response.processNote ?? []).flatMap(({ text }) => (text ? [text] : [])),
    humanReviewed: extensionOf(reviewer?.extension, "wasHumanReviewedFlag")?.valueBoolean,
    decidedAt: instant(response.created),
    source: "connector",
  };
}

/** The lines that were asked, each with what the payer says of it. */
function linesAsked(sent: Sent, response: ClaimResponse): readonly Read[] {
  return [...sent.items].map(([sequence, requested]) => {
    const item = response.item?.find(({ itemSequence }) => itemSequence === sequence);
    const instead = response.addItem?.find(({ itemSequence }) => itemSequence?.includes(sequence));
    const { action, ...said } = reviewOf(item?.adjudication);
    return {
      action: action !== undefined && contradicts(action, requested, instead) ? undefined : action,
      takenBack: sent.cancelled.has(sequence),
      line: { sequence, requested, authorized: authorizedOf({ action, requested, item, instead }), ...said },
      reference: extensionOf(item?.extension, extensions.administrationReferenceNumber)?.valueString,
      validity: extensionOf(item?.extension, extensions.itemPreAuthPeriod)?.valuePeriod,
    };
  });
}

/**
 * The lines the payer added: one whose sequence was not asked is a new item
 * (PAS "Returning Authorized Items that are different"), and a second one
 * beside the first for the same item says more of what was authorized.
 */
function linesAdded(sent: Sent, response: ClaimResponse): readonly Read[] {
  const added = response.addItem ?? [];
  return added.flatMap((each) => {
    const asked = each.itemSequence?.filter((sequence) => sent.items.has(sequence)) ?? [];
    const first = asked.some((sequence) => added.find((other) => other.itemSequence?.includes(sequence)) === each);
    if (first) return [];
    const sequence = each.itemSequence?.[0] ?? nextAfter(sent);
    const { action, ...said } = reviewOf(each.adjudication);
    const line = { sequence, authorized: isRefused(action) ? undefined : termsOf(each), ...said };
    return [{ action, takenBack: false, line, reference: undefined, validity: undefined }];
  });
}

function nextAfter({ items }: Sent): number {
  return Math.max(0, ...items.keys()) + 1;
}

/** What replaces an item must itself be authorized, and only what was modified is replaced by something else. */
function contradicts(action: ReviewAction, requested: LineTerms, instead: AddItem | undefined): boolean {
  if (instead === undefined) return false;
  const own = reviewOf(instead.adjudication).action;
  const silent = (instead.adjudication ?? []).length === 0;
  const replaces = action === "A6" || action === "A2" || (action === "A1" && agrees(requested, termsOf(instead) ?? {}));
  return !replaces || (!silent && isRefused(own));
}

function agrees(requested: LineTerms, terms: LineTerms): boolean {
  return (["code", "quantity", "unit", "from", "to"] as const).every(
    (name) => terms[name] === undefined || requested[name] === undefined || terms[name] === requested[name],
  );
}

function isRefused(action: ReviewAction | undefined): boolean {
  return action === undefined || action === "A3" || action === "A4" || action === "C" || action === "CT";
}

type Reviewed = Pick<DeterminationLine, "number" | "reasons"> & { readonly action: ReviewAction | undefined };

/** A review action with its number and reasons. Two on one item contradict each other, so none counts. */
function reviewOf(adjudication: Item["adjudication"]): Reviewed {
  const reviews = (adjudication ?? []).flatMap(({ extension = [] }) =>
    extension.filter(({ url }) => url === extensions.reviewAction),
  );
  const review: Branch | undefined = reviews.length === 1 ? reviews[0] : undefined;
  const reasons = (review?.extension ?? []).filter(({ url }) => url === "reasonCode");
  return {
    action: actionOf(extensionOf(review?.extension, extensions.reviewActionCode)?.valueCodeableConcept),
    number: extensionOf(review?.extension, "number")?.valueString,
    reasons: reasons.flatMap(({ valueCodeableConcept }) =>
      (valueCodeableConcept?.coding ?? []).flatMap(({ code }) => code ?? []),
    ),
  };
}

function actionOf(concept: Parameters<typeof codeIn>[0]): ReviewAction | undefined {
  const code = codeIn(concept, systems.reviewAction);
  // Safe because the guard has just found the code among the known ones.
  return code !== undefined && Object.hasOwn(reviewActions, code) ? (code as ReviewAction) : undefined;
}

type Authorized = {
  readonly action: ReviewAction | undefined;
  readonly requested: LineTerms;
  readonly item: Item | undefined;
  readonly instead: AddItem | undefined;
};

/**
 * What was authorized: the item that replaces this one (A6), else the item's
 * own detail. What is certified in total is what was asked, where the payer
 * does not repeat it.
 */
function authorizedOf({ action, requested, item, instead }: Authorized): LineTerms | undefined {
  if (isRefused(action) || action === "NA") return undefined;
  const stated = instead ? termsOf(instead) : detailOf(item);
  return action === "A1" ? { ...requested, ...stated } : stated;
}

function termsOf({ productOrService, quantity, servicedDate, servicedPeriod }: AddItem): LineTerms | undefined {
  return stated({
    code: productOrService?.coding?.find((each) => each.code !== undefined)?.code,
    quantity: quantity?.value,
    unit: quantity?.code ?? quantity?.unit,
    from: day(servicedPeriod?.start ?? servicedDate),
    to: day(servicedPeriod?.end ?? servicedDate),
  });
}

function detailOf(item: Item | undefined): LineTerms | undefined {
  const detail = extensionOf(item?.extension, extensions.itemAuthorizedDetail)?.extension;
  const quantity = extensionOf(detail, "quantity")?.valueQuantity;
  const dates = extensionOf(item?.extension, extensions.itemAuthorizedDate);
  const code = extensionOf(detail, "productOrServiceCode")?.valueCodeableConcept;
  return stated({
    code: code?.coding?.find((each) => each.code !== undefined)?.code,
    quantity: quantity?.value,
    unit: quantity?.code ?? quantity?.unit,
    from: day(dates?.valuePeriod?.start ?? dates?.valueDateTime),
    to: day(dates?.valuePeriod?.end ?? dates?.valueDateTime),
  });
}

/** Only what was said, so that silence never hides what was asked. */
function stated(terms: LineTerms): LineTerms | undefined {
  const said = Object.entries(terms).filter(([, value]) => value !== undefined);
  return said.length > 0 ? Object.fromEntries(said) : undefined;
}

/** A FHIR dateTime that names an instant, in UTC; a bare day orders nothing. */
export function instant(text: string | undefined): string | undefined {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}T.*(?:Z|[+-]\d{2}:\d{2})$/.test(text)) return undefined;
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
