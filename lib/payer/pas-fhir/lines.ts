import type { LineAnswer, StatedTerms } from "#lib/payer/model/authorization-conflicts";
import {
  isReviewAction,
  type DeterminationLine,
  type LineTerms,
  type ReviewAction,
} from "#lib/task/model/determination";
import { differingTerms } from "#lib/task/model/term-differences";
import { providedBy } from "#lib/task/model/requested-lines";
import { dayOf } from "#lib/payer/agreed-value";
import { idsOf, type Providers } from "./providers.ts";
import type { ResponseBundle } from "./reply.ts";
import { extensionOf, type Branch, type ClaimResponse, type Concept, type Reference, codeIn } from "./resources.ts";
import type { FrozenRequest } from "./frozen-request.ts";
import { extensions, systems } from "./vocabulary.ts";

type Item = NonNullable<ClaimResponse["item"]>[number];
type AddItem = NonNullable<ClaimResponse["addItem"]>[number];

/** One line of a response: its action if it is a known one, with its numbers and terms. */
export type Line = Omit<LineAnswer, "action"> & {
  readonly action: ReviewAction | undefined;
  /** Whether our request canceled the line; its cancellation is no decision on the other lines. */
  readonly takenBack: boolean;
  readonly number: string | undefined;
  readonly reasons: readonly string[];
  /** The payer's reasons in words, where they have no code. */
  readonly reasonTexts: readonly string[];
  /** The numbers of the payer's notes on the line. */
  readonly noteNumbers: readonly number[];
  readonly reference: string | undefined;
};

/** The action for the whole request: undefined if the response states none, `unclear` if it is not understood. */
export function headerOf({ adjudication, extension }: ClaimResponse): Header {
  const review = reviewOf(adjudication);
  const stated = (adjudication ?? []).some(({ extension: list }) => extensionOf(list, extensions.reviewAction));
  const number = review.number ?? extensionOf(extension, extensions.authorizationNumber)?.valueString;
  return { ...review, number, action: stated ? (review.action ?? "unclear") : undefined };
}

/** Whether a response has no items and decides the whole request. */
export function isHeaderOnly(response: ClaimResponse): boolean {
  return (response.item ?? []).length === 0 && headerOf(response).action !== undefined;
}

/** Every line of a response: the requested ones in their order, and those that the payer added. */
export function linesOf(sent: FrozenRequest, { response, providers }: ResponseBundle): readonly Line[] {
  const known = new Map([...sent.providers, ...providers]);
  return [...linesRequested(sent, response, known), ...linesAdded(sent, response, known)];
}

/** Whom the payer authorizes for the whole request, and whom the request names, by their ids. */
type NamedProviders = { readonly authorized: readonly (readonly string[])[]; readonly fromRequest: Providers };

/** A line as it is stored; a line without a known action is left out. */
export function storedLine(line: Line, named: NamedProviders): DeterminationLine[] {
  const { sequence, action, requested, number, reasons } = line;
  if (!action) return [];
  const terms = storedTerms(action, line, named);
  const isModified = terms && differingTerms(requested ?? {}, terms).includes("modifiers");
  const kept = isModified ? withoutRevenue : withoutModifiers;
  const asStated = requested ? { requested: kept(requested) } : {};
  return [{ sequence, action, ...asStated, authorized: terms && kept(terms), number, reasons }];
}

/**
 * For a line certified in total, the requested terms apply if the payer does not repeat them; but not who provides it
 * and where, which are authorized only as far as the payer names them.
 */
function storedTerms(
  action: ReviewAction,
  { requested, authorized, providers = [] }: Line,
  named: NamedProviders,
): StatedTerms | undefined {
  if (isRefused(action) || action === "NA") return undefined;
  const [stated] = authorized;
  const authorizedHere = providers.length > 0 ? providers : named.authorized;
  const byWhom = authorizedProviders({ ...named, authorized: authorizedHere }, requested);
  const { providers: _, place: __, ...service } = requested ?? {};
  const terms = action === "A1" && (requested || stated) ? { ...service, ...stated } : stated;
  return terms || byWhom.providers ? { ...terms, ...byWhom } : undefined;
}

/** The providers by the number that the line asks for them by, or else their first id; one without any id says nothing. */
function authorizedProviders({ authorized, fromRequest }: NamedProviders, requested: StatedTerms | undefined) {
  const known = (ids: readonly string[]) =>
    [...fromRequest.values()].filter((own) => own.some((id) => ids.includes(id)));
  return providedBy(
    authorized.flatMap((ids) => {
      const same = [...ids, ...known(ids).flat()].filter((id) => requested?.providers?.includes(id));
      return same.length > 0 ? same : ids.slice(0, 1);
    }),
  );
}

function withoutRevenue({ revenue: _, ...terms }: StatedTerms): LineTerms {
  return terms;
}

function withoutModifiers({ modifiers: _, ...terms }: StatedTerms): LineTerms {
  return withoutRevenue(terms);
}

function linesRequested(sent: FrozenRequest, response: ClaimResponse, known: Providers): readonly Line[] {
  const header = headerOf(response);
  const whole = isHeaderOnly(response)
    ? { ...header, action: header.action === "unclear" ? undefined : header.action }
    : undefined;
  return [...sent.items].map(([sequence, requested]) => {
    const item = response.item?.find(({ itemSequence }) => itemSequence === sequence);
    const instead = response.addItem?.find(({ itemSequence }) => itemSequence?.includes(sequence));
    const { action, number, reasons, reasonTexts } = whole ?? reviewOf(item?.adjudication);
    const added = reviewOf(instead?.adjudication);
    const replaced = instead && addedTerms(instead, requested.code);
    const detail = detailTerms(item, requested.code);
    // A replacement states what was authorized. The terms on the item itself also count only if nothing was changed.
    const authorized = replaced && action !== "A1" ? [replaced] : [replaced, detail].flatMap((each) => each ?? []);
    const named = [...providersOf(item?.extension), ...(instead?.provider ?? []), ...providersOf(instead?.extension)];
    return {
      number: number ?? added.number,
      reasons: [...new Set([...reasons, ...added.reasons])],
      reasonTexts: [...reasonTexts, ...added.reasonTexts],
      noteNumbers: [...(item?.noteNumber ?? []), ...(instead?.noteNumber ?? [])],
      sequence,
      requested,
      authorized,
      action: action !== undefined && contradicts(action, instead) ? undefined : action,
      takenBack: sent.cancelled.has(sequence),
      reference: extensionOf(item?.extension, extensions.administrationReferenceNumber)?.valueString,
      validity: validityOf(item?.extension) ?? validityOf(instead?.extension),
      providers: named.map((reference) => idsOf(reference, known)),
    };
  });
}

/** Whether an item and what replaces it have two different authorization numbers. */
export function hasTwoNumbers({ item = [], addItem = [] }: ClaimResponse): boolean {
  return item.some(({ itemSequence, adjudication }) => {
    const instead = addItem.find((each) => each.itemSequence?.includes(itemSequence));
    const numbers = [adjudication, instead?.adjudication].flatMap((each) => reviewOf(each).number ?? []);
    return new Set(numbers).size > 1;
  });
}

/**
 * The lines the payer added: one whose sequence was not asked is a new item
 * (PAS "Returning Authorized Items that are different"), and a second one
 * beside the first for the same item says more of what was authorized.
 */
function linesAdded(sent: FrozenRequest, response: ClaimResponse, known: Providers): readonly Line[] {
  const added = response.addItem ?? [];
  const sequenceOf = furtherSequences(sent, added);
  return added.flatMap((each) => {
    const requested = each.itemSequence?.filter((sequence) => sent.items.has(sequence)) ?? [];
    const first = requested.some((sequence) => added.find((other) => other.itemSequence?.includes(sequence)) === each);
    if (first) return [];
    const named = [...(each.provider ?? []), ...providersOf(each.extension)];
    const terms = addedTerms(each, undefined);
    return [
      {
        ...reviewOf(each.adjudication),
        sequence: sequenceOf(each),
        noteNumbers: each.noteNumber ?? [],
        authorized: terms ? [terms] : [],
        takenBack: false,
        reference: undefined,
        validity: validityOf(each.extension),
        providers: named.map((reference) => idsOf(reference, known)),
      },
    ];
  });
}

/** Gives each line that the payer added a sequence that no other line has: its own, or the next that is free. */
function furtherSequences({ items }: FrozenRequest, added: readonly AddItem[]): (of: AddItem) => number {
  const taken = new Set(items.keys());
  let last = Math.max(0, ...items.keys(), ...added.flatMap(({ itemSequence = [] }) => itemSequence));
  return ({ itemSequence: [own] = [] }) => {
    const sequence = own === undefined || taken.has(own) ? ++last : own;
    taken.add(sequence);
    return sequence;
  };
}

/** A replacement must itself be authorized, and a refused item cannot have one. */
function contradicts(action: ReviewAction, instead: AddItem | undefined): boolean {
  if (instead === undefined) return false;
  const own = reviewOf(instead.adjudication).action;
  const silent = (instead.adjudication ?? []).length === 0;
  return isRefused(action) || action === "NA" || (!silent && isRefused(own));
}

function isRefused(action: ReviewAction | undefined): boolean {
  return action === undefined || action === "A3" || action === "A4" || action === "C" || action === "CT";
}

type ReviewStatement = Pick<Line, "action" | "number" | "reasons" | "reasonTexts">;
type Header = Omit<ReviewStatement, "action"> & { readonly action: ReviewAction | "unclear" | undefined };

/**
 * A review action with its number and reasons. Two actions in one place contradict each other, so neither counts. The
 * number beside an item (REF BB, the profile's previousAuthorizationNumber) is that of an earlier authorization.
 */
function reviewOf(adjudication: Item["adjudication"]): ReviewStatement {
  const found = (adjudication ?? []).flatMap(({ extension = [] }) =>
    extension.filter(({ url }) => url === extensions.reviewAction),
  );
  const [review] = found.length === 1 ? found : [];
  const reasons = (review?.extension ?? []).filter(({ url }) => url === "reasonCode");
  return {
    action: actionOf(extensionOf(review?.extension, extensions.reviewActionCode)?.valueCodeableConcept),
    number: extensionOf(review?.extension, "number")?.valueString,
    reasons: reasons.flatMap(({ valueCodeableConcept }) =>
      (valueCodeableConcept?.coding ?? []).flatMap(({ code }) => code ?? []),
    ),
    reasonTexts: reasons.flatMap(({ valueCodeableConcept: { coding = [], text } = {} }) =>
      text !== undefined && coding.every(({ code }) => code === undefined) ? [text] : [],
    ),
  };
}

function actionOf(concept: Concept | undefined): ReviewAction | undefined {
  const stated = (concept?.coding ?? []).flatMap(({ system, code }) => (system === systems.reviewAction ? [code] : []));
  // Two codes of one list contradict each other as two actions do.
  const [code] = new Set(stated).size === 1 ? stated : [];
  return code !== undefined && isReviewAction(code) ? code : undefined;
}

function validityOf(list: readonly Branch[] | undefined): Line["validity"] {
  const period = extensionOf(list, extensions.itemPreAuthPeriod)?.valuePeriod;
  return period && { from: dayOf(period.start), to: dayOf(period.end) };
}

/** The authorized providers (itemAuthorizedProvider) of a line or of the whole request. */
export function providersOf(list: readonly Branch[] | undefined): readonly Reference[] {
  const named = (list ?? []).filter(({ url }) => url === extensions.itemAuthorizedProvider);
  return named.flatMap(({ extension }) => extensionOf(extension, "provider")?.valueReference ?? []);
}

/** What an added item authorizes, as far as it says; `asked` is the code it is held against. */
function addedTerms(
  { productOrService, modifier = [], quantity, servicedDate, servicedPeriod, ...added }: AddItem,
  requested: string | undefined,
): StatedTerms | undefined {
  const days = authorizedDays(added.extension);
  return stated({
    code: codeOf(productOrService, requested),
    modifiers: modifiersOf(modifier),
    quantity: quantity?.value,
    unit: quantity?.code ?? quantity?.unit,
    from: dayOf(servicedPeriod?.start ?? servicedDate) ?? days.from,
    to: dayOf(servicedPeriod?.end ?? servicedDate) ?? days.to,
    revenue: codeOf(added.revenue, undefined),
    place: codeIn(added.locationCodeableConcept, systems.placeOfService),
  });
}

/** What an item says itself of what was authorized on it (itemAuthorizedDetail). */
export function detailTerms(item: Item | undefined, requested: string | undefined): StatedTerms | undefined {
  const detail = extensionOf(item?.extension, extensions.itemAuthorizedDetail)?.extension;
  const quantity = extensionOf(detail, "quantity")?.valueQuantity;
  const modifiers = (detail ?? []).filter(({ url }) => url === "modifier");
  return stated({
    code: codeOf(extensionOf(detail, "productOrServiceCode")?.valueCodeableConcept, requested),
    modifiers: modifiersOf(modifiers.flatMap(({ valueCodeableConcept }) => valueCodeableConcept ?? [])),
    quantity: quantity?.value,
    unit: quantity?.code ?? quantity?.unit,
    revenue: codeOf(extensionOf(detail, "revenue")?.valueCodeableConcept, undefined),
    ...authorizedDays(item?.extension),
  });
}

/** The days that are authorized: of a stay, those from its admission to its discharge. */
function authorizedDays(list: readonly Branch[] | undefined): Pick<StatedTerms, "from" | "to"> {
  const dates = extensionOf(list, extensions.itemAuthorizedDate);
  const admission = extensionOf(list, extensions.admissionDates);
  const discharge = extensionOf(list, extensions.dischargeDate);
  const day = dates?.valueDate ?? dates?.valueDateTime;
  return {
    from: dayOf(admission?.valueDate ?? admission?.valuePeriod?.start ?? dates?.valuePeriod?.start ?? day),
    to: dayOf(discharge?.valueDate ?? dates?.valuePeriod?.end ?? day),
  };
}

/** A service may be coded several ways at once; the code that was asked for is the one meant where it is among them. */
function codeOf(concept: Concept | undefined, requested: string | undefined): string | undefined {
  const codes = (concept?.coding ?? []).flatMap(({ code }) => code ?? []);
  return codes.find((code) => code === requested) ?? codes[0];
}

function modifiersOf(concepts: readonly Concept[]): readonly string[] | undefined {
  const codes = concepts.flatMap(({ coding = [] }) => coding[0]?.code ?? []);
  return codes.length > 0 ? codes : undefined;
}

/** Only what was said, so that silence never hides what was asked. */
function stated(terms: StatedTerms): StatedTerms | undefined {
  const present = Object.entries(terms).filter(([, value]) => value !== undefined);
  return present.length > 0 ? Object.fromEntries(present) : undefined;
}
