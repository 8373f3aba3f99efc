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
import { codeIn, extensionOf, type Branch, type ClaimResponse, type ResponseBundle } from "./reply.ts";
import type { Sent } from "./sent.ts";
import { extensions, systems } from "./vocabulary.ts";
import { wantedOf } from "./wanted.ts";

type Item = NonNullable<ClaimResponse["item"]>[number];

/** What one item of a response says: its action when it is one we know, and the numbers and terms beside it. */
type Read = {
  readonly action: ReviewAction | undefined;
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
  const lines = [...sent.items].map(([sequence, requested]) => readLine({ sequence, requested, response }));
  const reference =
    response.preAuthRef ?? only(lines.map((read) => read.reference)) ?? lines.find((read) => read.reference)?.reference;
  const verdict = verdictOf(lines.map(({ action }) => action));
  switch (verdict.type) {
    case "pended":
      return { type: "accepted", reference, ...pendedOf(bundle) };
    case "cancelled":
      return { type: "cancelled", reference };
    case "contact-payer":
      return { type: "contact-payer", reference, text: "The payer asks to be called about this request (CT)." };
    case "unclear":
      return {
        type: "unknown",
        reason: "The payer's reply lacks a review action that is understood on at least one item.",
      };
    case "final":
      return {
        type: "decided",
        determination: determinationOf({ outcome: verdict.outcome, lines, response, reference }),
      };
  }
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

type Asked = { readonly sequence: number; readonly requested: LineTerms; readonly response: ClaimResponse };

function readLine({ sequence, requested, response }: Asked): Read {
  const item = response.item?.find(({ itemSequence }) => itemSequence === sequence);
  const review = reviewOf(item);
  const codes = review?.extension?.filter(({ url }) => url === "reasonCode") ?? [];
  const action = actionOf(extensionOf(review?.extension, extensions.reviewActionCode)?.valueCodeableConcept);
  const refused = action === "A3" || action === "A4";
  return {
    action,
    line: {
      sequence,
      requested,
      authorized: refused ? undefined : authorizedOf({ sequence, requested, response }, item),
      number: extensionOf(review?.extension, "number")?.valueString,
      reasons: codes.flatMap(({ valueCodeableConcept }) =>
        (valueCodeableConcept?.coding ?? []).flatMap(({ code }) => code ?? []),
      ),
    },
    reference: extensionOf(item?.extension, extensions.administrationReferenceNumber)?.valueString,
    validity: extensionOf(item?.extension, extensions.itemPreAuthPeriod)?.valuePeriod,
  };
}

/** Two review actions on one item contradict each other, so none counts. */
function reviewOf(item: Item | undefined): Branch | undefined {
  const reviews = (item?.adjudication ?? []).flatMap(({ extension = [] }) =>
    extension.filter(({ url }) => url === extensions.reviewAction),
  );
  return reviews.length === 1 ? reviews[0] : undefined;
}

function actionOf(concept: Parameters<typeof codeIn>[0]): ReviewAction | undefined {
  const code = codeIn(concept, systems.reviewAction);
  // Safe because the guard has just found the code among the known ones.
  return code !== undefined && Object.hasOwn(reviewActions, code) ? (code as ReviewAction) : undefined;
}

/** What was authorized: the addItem that points at this line (a modification), else the item's own detail. */
function authorizedOf({ sequence, response }: Asked, item: Item | undefined): LineTerms | undefined {
  const added = response.addItem?.find(({ itemSequence }) => itemSequence?.includes(sequence));
  const detail = extensionOf(item?.extension, extensions.itemAuthorizedDetail)?.extension;
  const code = added?.productOrService ?? extensionOf(detail, "productOrServiceCode")?.valueCodeableConcept;
  const quantity = added?.quantity ?? extensionOf(detail, "quantity")?.valueQuantity;
  const dates = extensionOf(item?.extension, extensions.itemAuthorizedDate);
  const terms = {
    code: code?.coding?.find((each) => each.code !== undefined)?.code,
    quantity: quantity?.value,
    unit: quantity?.code ?? quantity?.unit,
    from: day(added?.servicedPeriod?.start ?? added?.servicedDate ?? dates?.valuePeriod?.start ?? dates?.valueDateTime),
    to: day(added?.servicedPeriod?.end ?? added?.servicedDate ?? dates?.valuePeriod?.end ?? dates?.valueDateTime),
  };
  return Object.values(terms).some((value) => value !== undefined) ? terms : undefined;
}

/** The value all lines that have one agree on. */
function only(values: readonly (string | undefined)[]): string | undefined {
  const distinct = new Set(values.filter((value) => value !== undefined));
  return distinct.size === 1 ? [...distinct][0] : undefined;
}

function day(text: string | undefined): string | undefined {
  return text !== undefined && /^\d{4}-\d{2}-\d{2}/.test(text) ? text.slice(0, 10) : undefined;
}

/** A FHIR dateTime that names an instant, in UTC; a bare day orders nothing. */
function instant(text: string | undefined): string | undefined {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}T.*(?:Z|[+-]\d{2}:\d{2})$/.test(text)) return undefined;
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
