import { verdictOf, type LineTerms, type ReviewAction, type Verdict } from "#lib/task/model/determination";

/** Terms of one line as one side states them; what it leaves out is absent and never filled in from the other side. */
export type StatedTerms = LineTerms & { readonly modifiers?: readonly string[] | undefined };

/** Days, YYYY-MM-DD; an end that is absent is open. */
export type Days = { readonly from?: string | undefined; readonly to?: string | undefined };

/** What the payer answered on one line, beside what was asked on it. */
export type LineAnswer = {
  readonly sequence: number;
  /** The review action of the line. */
  readonly action: ReviewAction;
  /** What was asked; absent for a line the payer added. */
  readonly requested?: StatedTerms | undefined;
  /** Everything the payer states as authorized for the line, once for each place it states it in. */
  readonly authorized: readonly StatedTerms[];
  /** The validity the payer gives for this line. */
  readonly validity?: Days | undefined;
  /** The ids of each provider the payer authorizes for the line; an empty list for one that cannot be identified. */
  readonly providers?: readonly (readonly string[])[] | undefined;
};

/** How far the payer says it processed the request; `unknown` is a word that is not understood. */
export type Processing = "complete" | "partial" | "error" | "queued" | "unknown";

/**
 * A payer's whole answer, as a connector hands it in: read from the wire, with
 * nothing added. Whatever the wire does not say is left out.
 */
export type AuthorizationAnswer = {
  /** The lines that stand, each with an action that is understood; without those the request itself took back. */
  readonly lines: readonly LineAnswer[];
  /** The review action of the whole request, where the payer states one beside those of the lines. */
  readonly header?: ReviewAction | undefined;
  readonly processing?: Processing | undefined;
  /** The validity the payer gives for the whole request. */
  readonly validity?: Days | undefined;
  /** The ids of each provider the payer authorizes for the whole request. */
  readonly providers?: readonly (readonly string[])[] | undefined;
  /** The ids (NPI, tax id) of every provider the request names. */
  readonly providersAsked: readonly string[];
  /** The day of the decision, YYYY-MM-DD. */
  readonly decidedOn?: string | undefined;
};

/**
 * Where a payer's answer contradicts itself or what was asked, one sentence
 * each; empty where nothing does. An action code alone is never the answer: an
 * approval of nothing, of less, of something else, of other days or for
 * somebody else is for a person to read. Silence contradicts nothing. The
 * sentences hold line numbers, action codes and quantities only.
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
  return same ? [] : [`The request as a whole is answered ${header}, and its lines otherwise.`];
}

/** Whether the outcome of the whole may stand over lines that amount to another. */
function isCovered(whole: string, lines: string): boolean {
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
  const words = processing === "unknown" ? "something nobody knows" : processing;
  return [`The payer's processing outcome is ${words}, and its lines are answered as if it was done.`];
}

function lineConflicts(line: LineAnswer, answer: AuthorizationAnswer): readonly string[] {
  const found = isCertified(line.action)
    ? [
        ...line.authorized.flatMap((authorized) => termConflicts(line, authorized)),
        ...(line.action === "A6" && line.authorized.length === 0 ? ["is modified, without saying to what"] : []),
        ...validityConflicts(line, answer),
        ...providerConflicts(line, answer),
      ]
    : refusalConflicts(line);
  return [...new Set(found)].map((problem) => `Line ${line.sequence} (${line.action}) ${problem}.`);
}

function isCertified(action: ReviewAction): boolean {
  return action === "A1" || action === "A2" || action === "A6";
}

/** A denial beside an authorized quantity; a quantity of nothing agrees with it. */
function refusalConflicts({ action, authorized }: LineAnswer): readonly string[] {
  const given = action === "A3" && authorized.some(({ quantity = 0 }) => quantity > 0);
  return given ? ["is not certified, with an authorized quantity"] : [];
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
  if (quantity === undefined) return [];
  const of = requested.quantity === undefined ? "" : ` of ${requested.quantity}`;
  if (!(quantity > 0)) return [`is certified for ${quantity}${of}`];
  if (action === "A6" || requested.quantity === undefined) return [];
  if (unit !== undefined && requested.unit !== undefined && !isSame(unit, requested.unit))
    return ["is certified in another unit than was asked"];
  const other = action === "A1" ? quantity !== requested.quantity : quantity > requested.quantity;
  return other ? [`is certified for ${quantity}${of}`] : [];
}

function serviceConflicts(requested: StatedTerms, authorized: StatedTerms): readonly string[] {
  const otherCode =
    authorized.code !== undefined && requested.code !== undefined && !isSame(authorized.code, requested.code);
  if (otherCode) return ["is certified for another procedure than was asked"];
  const [ours, theirs] = [requested.modifiers, authorized.modifiers].map((list) => list?.toSorted().join(" "));
  const otherModifiers = ours !== undefined && theirs !== undefined && !isSame(ours, theirs);
  return otherModifiers ? ["is certified with other modifiers than were asked"] : [];
}

function isSame(one: string, other: string): boolean {
  return one.trim().toUpperCase() === other.trim().toUpperCase();
}

function dateConflicts(action: ReviewAction, requested: Days, authorized: Days): readonly string[] {
  if (isReversed(authorized)) return ["is certified for days that end before they begin"];
  if (action === "A1" && !holds(authorized, requested)) return ["is certified for other days than were asked"];
  return [];
}

function validityConflicts(line: LineAnswer, { validity: whole, decidedOn }: AuthorizationAnswer): readonly string[] {
  return [line.validity, whole].flatMap((validity) => {
    if (!validity) return [];
    if (isReversed(validity)) return ["has a validity that ends before it begins"];
    const stated = line.authorized.find(({ from, to }) => from !== undefined || to !== undefined);
    const service: Days = line.action === "A1" ? (line.requested ?? {}) : (stated ?? line.requested ?? {});
    const known = service.from ?? service.to ?? decidedOn;
    if (known === undefined) return [];
    const days = { from: service.from ?? known, to: service.to ?? known };
    if (!overlap(validity, days)) return ["has a validity that does not cover the days of the service"];
    // What was decided while the service was under way begins with the decision.
    const from = decidedOn !== undefined && decidedOn > days.from ? decidedOn : days.from;
    const whollyValid = holds(validity, { ...days, from: from > days.to ? days.to : from });
    return line.action === "A1" && !whollyValid ? ["has a validity that covers only a part of the days asked"] : [];
  });
}

function isReversed({ from, to }: Days): boolean {
  return from !== undefined && to !== undefined && from > to;
}

/** Whether all of these days lie within those; of a single day given, that one day counts. */
function holds(those: Days, these: Days): boolean {
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

/** Of several authorized providers one that was asked for is enough; silence names nobody. */
function providerConflicts(line: LineAnswer, { providers = [], providersAsked }: AuthorizationAnswer) {
  const named = [...(line.providers ?? []), ...providers];
  const asked = named.some((ids) => ids.some((id) => providersAsked.includes(id)));
  return named.length === 0 || asked ? [] : ["is certified for another provider than was asked"];
}
