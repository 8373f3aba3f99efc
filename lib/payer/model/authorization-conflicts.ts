import { conflictReasons } from "#lib/messages/reasons/payer-reply";
import {
  isAuthorizing,
  verdictOf,
  type LineTerms,
  type ReviewAction,
  type Verdict,
} from "#lib/task/model/determination";
import { differingTerms } from "#lib/task/model/term-differences";
import type { Outcome } from "#lib/task/model/task";

const dayMs = 24 * 60 * 60 * 1_000;

/** The terms of one line as one side states them. What that side leaves out is absent and never filled in from the other. */
export type StatedTerms = LineTerms & { readonly revenue?: string | undefined };

/** Days, YYYY-MM-DD; an end that is absent is open. */
export type Days = { readonly from?: string | undefined; readonly to?: string | undefined };

/** The payer's answer on one line, with the requested terms. */
export type LineAnswer = {
  readonly sequence: number;
  /** The review action of the line. */
  readonly action: ReviewAction;
  /** The requested terms; absent for a line that the payer added. */
  readonly requested?: StatedTerms | undefined;
  /** The authorized terms, once for each place where the payer states them. */
  readonly authorized: readonly StatedTerms[];
  /** The validity of this line. */
  readonly validity?: Days | undefined;
  /** The ids of each provider the payer authorizes for the line; an empty list for one that cannot be identified. */
  readonly providers?: readonly (readonly string[])[] | undefined;
};

/** The processing status of the request as the payer states it; `unknown` is a status that is not understood. */
export type Processing = "complete" | "partial" | "error" | "queued" | "unknown";

/**
 * A payer's whole answer as a connector read it, with nothing added. Members that the reply does not state are absent.
 */
export type AuthorizationAnswer = {
  /** The lines with an understood action, without those that the request itself canceled. */
  readonly lines: readonly LineAnswer[];
  /** The review action of the whole request, if the payer states one beside those of the lines. */
  readonly header?: ReviewAction | undefined;
  readonly processing?: Processing | undefined;
  /** The validity of the whole request. */
  readonly validity?: Days | undefined;
  /** The ids of each provider that the payer authorizes for the whole request. */
  readonly providers?: readonly (readonly string[])[] | undefined;
  /** The ids (NPI, tax id) of everybody who is asked to provide the services. */
  readonly requestedProviders: readonly string[];
  /** The day of the decision as the payer states it, YYYY-MM-DD. */
  readonly decidedOn?: string | undefined;
  /** When the request was made, before which nobody can have decided it. */
  readonly requestedAt?: Date | undefined;
};

/**
 * One sentence for each contradiction within a payer's answer, or between the answer and the request; empty if there is none.
 * An action code alone is never the answer: a person must read an approval of nothing, of less, of another service, of
 * other days or for another provider. A term that the payer leaves out contradicts nothing. The sentences hold only line
 * numbers, action codes and quantities.
 */
export function authorizationConflicts(answer: AuthorizationAnswer): readonly string[] {
  const verdict = verdictOf(answer.lines.map(({ action }) => action));
  return [
    ...headerConflicts(answer.header, verdict),
    ...processingConflicts(answer.processing, verdict),
    ...answer.lines.flatMap((line) => lineConflicts(line, answer)),
  ];
}

function headerConflicts(header: ReviewAction | undefined, verdict: Verdict): readonly string[] {
  if (header === undefined) return [];
  const whole = verdictOf([header]);
  const same =
    whole.type === "final" && verdict.type === "final"
      ? isCovered(whole.outcome, verdict.outcome)
      : whole.type === verdict.type;
  return same ? [] : [conflictReasons.headerDiffers(header)];
}

/** Whether the outcome of the whole request is compatible with the outcome of its lines. */
function isCovered(whole: Outcome, lines: Outcome): boolean {
  if (whole === "approved") return lines === "approved" || lines === "not-required";
  return whole === lines || (whole === "partially-approved" && lines === "modified");
}

function processingConflicts(processing: Processing | undefined, verdict: Verdict): readonly string[] {
  const contradicted: Readonly<Record<Processing, boolean>> = {
    complete: false,
    error: true,
    unknown: true,
    queued: verdict.type !== "pended",
    partial: verdict.type === "final" && (verdict.outcome === "approved" || verdict.outcome === "not-required"),
  };
  if (processing === undefined || !contradicted[processing]) return [];
  return [conflictReasons.processingDiffers(processing)];
}

function lineConflicts(line: LineAnswer, answer: AuthorizationAnswer): readonly string[] {
  const found = isAuthorizing(line.action)
    ? [
        ...line.authorized.flatMap((authorized) => termConflicts(line, authorized)),
        ...(line.action === "A6" && isUnchanged(line, answer) ? [conflictReasons.modifiedToNothing] : []),
        ...validityConflicts(line, answer),
        ...providerConflicts(line, answer),
      ]
    : refusalConflicts(line);
  return [...new Set(found)].map((problem) => conflictReasons.ofLine(line.sequence, line.action, problem));
}

/**
 * Whether a payer states nothing of a line but what was asked for, so that what it changed is where nobody reads: a price, a
 * rate, a revenue code, the end of a range of codes.
 */
function isUnchanged(line: LineAnswer, answer: AuthorizationAnswer): boolean {
  const { requested, authorized } = line;
  if (requested === undefined) return authorized.length === 0;
  const isShorter = [line.validity, answer.validity].some((days) => days !== undefined && !includes(days, requested));
  const named = [...(line.providers ?? []), ...(answer.providers ?? [])].flat();
  const isNarrower = named.length > 0 && answer.requestedProviders.some((id) => !named.includes(id));
  const isOther = (terms: StatedTerms) =>
    differingTerms({ ...terms, ...requested }, terms).length > 0 ||
    comparedNames.some((name) => terms[name] !== undefined && requested[name] === undefined);
  return authorized.length === 0 || !(isShorter || isNarrower || authorized.some(isOther));
}

const comparedNames = ["code", "quantity", "from", "to", "providers", "place"] as const;

/** A denial contradicts an authorized quantity above 0. */
function refusalConflicts({ action, authorized }: LineAnswer): readonly string[] {
  const given = action === "A3" && authorized.some(({ quantity = 0 }) => quantity > 0);
  return given ? [conflictReasons.deniedWithQuantity] : [];
}

function termConflicts({ action, requested = {} }: LineAnswer, authorized: StatedTerms): readonly string[] {
  return [
    ...quantityConflicts(action, requested, authorized),
    ...(action === "A6" ? [] : serviceConflicts(requested, authorized)),
    ...dateConflicts(action, requested, authorized),
  ];
}

function quantityConflicts(action: ReviewAction, requested: StatedTerms, authorized: StatedTerms): readonly string[] {
  const { quantity, unit } = authorized;
  if (quantity !== undefined && !(quantity > 0))
    return [conflictReasons.certifiedQuantity(quantity, requested.quantity)];
  if (action === "A6" || requested.quantity === undefined) return [];
  if (unit !== undefined && requested.unit !== undefined && !isSame(unit, requested.unit))
    return [conflictReasons.otherUnit];
  if (quantity === undefined) return [];
  const other = action === "A1" ? quantity !== requested.quantity : quantity > requested.quantity;
  return other ? [conflictReasons.certifiedQuantity(quantity, requested.quantity)] : [];
}

function serviceConflicts(requested: StatedTerms, authorized: StatedTerms): readonly string[] {
  const otherCode =
    authorized.code !== undefined && requested.code !== undefined && !isSame(authorized.code, requested.code);
  if (otherCode) return [conflictReasons.otherProcedure];
  const isOtherRevenue = requested.revenue !== undefined && authorized.revenue !== undefined;
  if (isOtherRevenue && !isSame(authorized.revenue, requested.revenue)) return [conflictReasons.otherRevenue];
  const [ours, theirs] = [requested.modifiers, authorized.modifiers].map((list) => list?.toSorted().join(" "));
  const otherModifiers = ours !== undefined && theirs !== undefined && !isSame(ours, theirs);
  return otherModifiers ? [conflictReasons.otherModifiers] : [];
}

function isSame(one: string, other: string): boolean {
  return one.trim().toUpperCase() === other.trim().toUpperCase();
}

function dateConflicts(action: ReviewAction, requested: Days, authorized: Days): readonly string[] {
  if (isReversed(authorized)) return [conflictReasons.daysReversed];
  if (action === "A1" && !includes(authorized, requested)) return [conflictReasons.otherDays];
  return [];
}

function validityConflicts(line: LineAnswer, answer: AuthorizationAnswer): readonly string[] {
  const decidedOn = earliestDecision(answer);
  return [line.validity, answer.validity].flatMap((validity) => {
    if (!validity) return [];
    if (isReversed(validity)) return [conflictReasons.validityReversed];
    const stated = line.authorized.find(({ from, to }) => from !== undefined || to !== undefined);
    const service: Days = line.action === "A1" ? (line.requested ?? {}) : (stated ?? line.requested ?? {});
    const known = service.from ?? service.to ?? decidedOn;
    if (known === undefined) return [];
    const days = { from: service.from ?? known, to: service.to ?? known };
    if (!overlap(validity, days)) return [conflictReasons.validityElsewhere];
    // The validity of a decision during the service may begin on the day of the decision.
    const from = decidedOn !== undefined && decidedOn > days.from ? decidedOn : days.from;
    const whollyValid = includes(validity, { ...days, from: from > days.to ? days.to : from });
    return line.action === "A1" && !whollyValid ? [conflictReasons.validityPartial] : [];
  });
}

/** The first day on which the decision can have been made: the stated day, but no day that was over before the request. */
function earliestDecision({ decidedOn, requestedAt }: AuthorizationAnswer): string | undefined {
  // The day before, so that it is not too late in any time zone.
  const requestedOn = requestedAt && new Date(requestedAt.getTime() - dayMs).toISOString().slice(0, 10);
  return [decidedOn, requestedOn]
    .flatMap((day) => day ?? [])
    .toSorted()
    .at(-1);
}

function isReversed({ from, to }: Days): boolean {
  return from !== undefined && to !== undefined && from > to;
}

/** Whether all of these days lie within those. If only one end is given, that single day counts. */
function includes(those: Days, these: Days): boolean {
  const from = these.from ?? these.to;
  const to = these.to ?? these.from;
  if (from === undefined || to === undefined) return true;
  return (those.from === undefined || those.from <= from) && (those.to === undefined || those.to >= to);
}

function overlap(one: Days, other: Days): boolean {
  const startsAfter = one.from !== undefined && other.to !== undefined && one.from > other.to;
  const endsBefore = one.to !== undefined && other.from !== undefined && one.to < other.from;
  return !startsAfter && !endsBefore;
}

/** One requested provider among the authorized ones is enough; an answer that names no provider contradicts nothing. */
function providerConflicts(line: LineAnswer, { providers = [], requestedProviders }: AuthorizationAnswer) {
  const named = [...(line.providers ?? []), ...providers];
  const isRequested = named.some((ids) => ids.some((id) => requestedProviders.includes(id)));
  return named.length === 0 || isRequested ? [] : [conflictReasons.otherProvider];
}
