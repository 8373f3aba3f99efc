import { nearDays } from "#lib/gate/model/near-days";
import type { ServiceReview, Procedure } from "#lib/task/model/service-review";
import {
  type CaseFacts,
  type CheckFinding,
  type Rule,
  daysBetween,
  type CheckType,
  type OtherCase,
  levels,
  type Check,
} from "./check.ts";
import { codeSystemOf, isNpi } from "#lib/task/model/formats";
import { isUnlistedProvider, type KnownProvider } from "#lib/practice/model/known-provider";
import { requiredText } from "#lib/messages/labels/required-fields";
import { lacking } from "#lib/task/model/required-fields";
import { unknownMembers } from "#lib/task/model/unknown-members";
import { modifiersOf } from "#lib/task/model/requested-lines";

const once = (applies: boolean): readonly CheckFinding[] => (applies ? [{}] : []);

function delegated(part: CaseFacts["delegatedInPart"], { procedures }: ServiceReview): readonly CheckFinding[] {
  if (!part) return [];
  const codes = part.procedures.flatMap((index) => procedures[index]?.code ?? []);
  return [{ paths: part.procedures.map((index) => `/procedures/${index}`), values: [part.name, codes.join(", ")] }];
}

/** Rules about whether a release could be submitted at all, and over the connection that the page showed. */
const routeRules: readonly Rule[] = [
  { type: "practice-suspended", ofVoids: true, find: ({ practiceActive }) => once(!practiceActive) },
  { type: "no-route", ofVoids: true, find: ({ route }) => once(!route.reachable) },
  { type: "route-changed", ofVoids: true, find: ({ route }) => once(route.changed) },
  { type: "payer-not-configured", find: ({ route }) => once(!route.configured) },
  { type: "delegated-in-part", find: ({ delegatedInPart, review }) => delegated(delegatedInPart, review) },
];

const ofType = (type: CheckType): Rule => ({
  type,
  find: (facts) =>
    facts.others.flatMap((other) => {
      const found = gravestRelation(facts, other);
      return found?.type === type ? [{ other: other.taskId, values: found.values }] : [];
    }),
});

const relations = ["exact-duplicate", "same-request-open", "existing-approval", "near-duplicate"] as const;

type Relation = { readonly type: (typeof relations)[number]; readonly values: NonNullable<CheckFinding["values"]> };

/** Rules about other cases of the same member. Each other case is named once, by its most serious finding. */
const otherCaseRules: readonly Rule[] = relations.map(ofType);

/** The most serious of how a case relates to what another one asks for, and to what that one's payer has. */
function gravestRelation(facts: CaseFacts, { received, ...other }: OtherCase): Relation | undefined {
  if (!received) return relationTo(facts, other);
  const { determination: _, ...unanswered } = other;
  const found = [relationTo(facts, { ...other, review: received, left: true }), relationTo(facts, unanswered)];
  return relations.flatMap((type) => found.find((relation) => relation?.type === type) ?? [])[0];
}

function relationTo(facts: CaseFacts, other: OtherCase): Relation | undefined {
  const shared = sharedCodes(facts.review, other.review);
  const values = [shared.join(", ")];
  const same = isSameRequest(facts.review, other.review);
  const over = isOver(other, facts.today);
  // An update is no second request for what the payer already has.
  if (same && other.left && !over && !facts.update) return { type: "exact-duplicate", values };
  if (same && !other.left && !other.determination) return { type: "same-request-open", values };
  // That the earlier case asks for the same is what a renewal is.
  if (other.isEarlier) return undefined;
  if (shared.length > 0 && isApproval(other) && !over) {
    const { validTo } = other.determination ?? {};
    return { type: "existing-approval", values: validTo === undefined ? values : [...values, validTo] };
  }
  return shared.length > 0 && isNear(facts, other) ? { type: "near-duplicate", values } : undefined;
}

/** The other case can no longer lead to a service: it was denied, or the approved days have passed. */
function isOver({ determination }: OtherCase, today: string): boolean {
  if (!determination) return false;
  const { outcome, validTo } = determination;
  return outcome === "denied" || (validTo !== undefined && validTo < today);
}

function isApproval({ determination }: OtherCase): boolean {
  const outcome = determination?.outcome;
  return outcome === "approved" || outcome === "modified" || outcome === "partially-approved";
}

function sharedCodes(one: ServiceReview, two: ServiceReview): readonly string[] {
  const codes = new Set(two.procedures.map(({ code }) => code));
  return [...new Set(one.procedures.map(({ code }) => code))].filter((code) => codes.has(code));
}

/** The same payer, lines, quantities and days, in any order. */
function isSameRequest(one: ServiceReview, two: ServiceReview): boolean {
  if (one.payer.id !== two.payer.id || one.procedures.length !== two.procedures.length) return false;
  const [left, right] = [linesOf(one), linesOf(two)];
  return left.every((line, index) => line === right[index]);
}

function linesOf(review: ServiceReview): readonly string[] {
  return review.procedures.map((line) => JSON.stringify(termsOf(line, review))).toSorted();
}

function termsOf(line: Procedure, review: ServiceReview) {
  const counted = line.quantity === undefined ? review : line;
  const { from, to } = lineDays(line, review);
  return [
    line.code,
    modifiersOf(line).toSorted(),
    counted.quantity ?? null,
    counted.quantityTypeCode ?? null,
    from,
    to,
  ];
}

/** A single day of service is a range of one day. */
function lineDays(line: Procedure, review: ServiceReview) {
  const { fromDate, toDate } = line.fromDate === undefined && line.toDate === undefined ? review : line;
  return { from: fromDate ?? toDate ?? null, to: toDate ?? fromDate ?? null };
}

function isNear(facts: CaseFacts, other: OtherCase): boolean {
  return facts.review.procedures.some((line) =>
    other.review.procedures.some(
      (its) =>
        its.code === line.code &&
        daysApart(
          days(lineDays(line, facts.review), facts.openedOn),
          days(lineDays(its, other.review), other.openedOn),
        ) <= nearDays,
    ),
  );
}

type Days = { readonly from: string; readonly to: string };

/** A request without days is taken to mean the day it was opened. */
function days({ from, to }: ReturnType<typeof lineDays>, openedOn: string): Days {
  return { from: from ?? openedOn, to: to ?? openedOn };
}

function daysApart(one: Days, two: Days): number {
  return Math.max(0, daysBetween(one.to, two.from), daysBetween(two.to, one.from));
}

const together = (paths: readonly string[]): readonly CheckFinding[] => (paths.length > 0 ? [{ paths }] : []);

/** Rules about requester, patient and codes. */
const requestRules: readonly Rule[] = [
  { type: "missing-required", find: ({ missing }) => together(missing) },
  { type: "payer-requires", find: ({ review, required }) => lackingAll(review, required) },
  { type: "npi-check-digit", find: ({ review }) => wrongNpis(review) },
  {
    type: "no-patient",
    find: ({ review }) => (review.patient?.lastName || review.subscriber?.memberId ? [] : [{}]),
  },
  { type: "unknown-provider", find: ({ review, providers }) => strangers(review, providers) },
  {
    type: "urgency-unattested",
    find: ({ review: { serviceLevelCode: level, urgentAttestation: attested } }) =>
      level === undefined || level === "E" || attested ? [] : [{ paths: ["/urgentAttestation"] }],
  },
  {
    type: "unknown-code-format",
    find: ({ review }) =>
      review.procedures.flatMap(({ code }, index) =>
        codeSystemOf(code) === undefined ? [{ paths: [`/procedures/${index}/code`], values: [code] }] : [],
      ),
  },
  { type: "members-left", find: ({ leftOut }) => together(leftOut) },
  { type: "unknown-members", find: ({ review }) => together(unknownMembers(review)) },
];

/** Everything that the payer requires and the request lacks, as one finding, so that it goes back to the agent once. */
function lackingAll(review: ServiceReview, required: readonly string[]): readonly CheckFinding[] {
  const lacked = required.flatMap((field) => {
    const paths = lacking(review, field);
    return paths.length > 0 ? [{ field, paths }] : [];
  });
  if (lacked.length === 0) return [];
  return [{ paths: lacked.flatMap(({ paths }) => paths), values: lacked.map(({ field }) => requiredText(field)) }];
}

function strangers(
  { requestingProvider, renderingProviders = [] }: ServiceReview,
  known: readonly KnownProvider[],
): readonly CheckFinding[] {
  const given = [
    { role: "requesting", path: "/requestingProvider/npi", npi: requestingProvider?.npi } as const,
    ...renderingProviders.map(
      ({ npi }, index) => ({ role: "rendering", path: `/renderingProviders/${index}/npi`, npi }) as const,
    ),
  ];
  return given.flatMap(({ role, path, npi }) =>
    npi !== undefined && isUnlistedProvider(known, role, npi) ? [{ paths: [path], values: [npi, role] }] : [],
  );
}

function wrongNpis({ requestingProvider, renderingProviders = [] }: ServiceReview): readonly CheckFinding[] {
  const given = [
    { path: "/requestingProvider/npi", npi: requestingProvider?.npi },
    ...renderingProviders.map(({ npi }, index) => ({ path: `/renderingProviders/${index}/npi`, npi })),
  ];
  return given.flatMap(({ path, npi }) => (npi === undefined || isNpi(npi) ? [] : [{ paths: [path], values: [npi] }]));
}

/** Days of service further ahead than this are unusual. */
const aheadDaysMax = 365;

/** Requests for service that ended longer ago than this are blocked: no payer certifies so far back. */
const overDaysMax = 365;

type Span = { readonly path: string; readonly from?: string | undefined; readonly to?: string | undefined };

/** Rules about the days of service. Those of an update may well have begun. */
const dateRules: readonly Rule[] = [
  { type: "dates-over", find: (facts) => (facts.update ? [] : longOver(facts)) },
  {
    type: "dates-reversed",
    find: ({ review }) =>
      spansOf(review).flatMap(({ path, from, to }) =>
        from !== undefined && to !== undefined && to < from
          ? [{ paths: [`${path}/fromDate`, `${path}/toDate`], values: [from, to] }]
          : [],
      ),
  },
  {
    type: "appeal-late",
    find: ({ review, today, appealBy }) =>
      review.appeal && appealBy !== undefined && today > appealBy ? [{ paths: ["/appeal"], values: [appealBy] }] : [],
  },
  {
    type: "past-dates",
    find: ({ review, today, update }) =>
      spansOf(review).flatMap(({ path, from, to }) => {
        const first = from ?? to;
        const place = `${path}/${from === undefined ? "toDate" : "fromDate"}`;
        return !update && first !== undefined && first < today ? [{ paths: [place], values: [first] }] : [];
      }),
  },
  {
    type: "far-dates",
    find: ({ review, today }) =>
      daysOf(review).flatMap(({ path, day }) =>
        daysBetween(today, day) > aheadDaysMax ? [{ paths: [path], values: [day] }] : [],
      ),
  },
];

function longOver({ review, today }: CaseFacts): readonly CheckFinding[] {
  const days = daysOf(review);
  const over = days.filter(({ day }) => daysBetween(day, today) > overDaysMax);
  if (days.length === 0 || over.length < days.length) return [];
  const last = days.map(({ day }) => day).reduce((latest, day) => (day > latest ? day : latest));
  return [{ paths: over.map(({ path }) => path), values: [last] }];
}

function spansOf(review: ServiceReview): readonly Span[] {
  return [
    { path: "", from: review.fromDate, to: review.toDate },
    ...review.procedures.map(({ fromDate, toDate }, index) => ({
      path: `/procedures/${index}`,
      from: fromDate,
      to: toDate,
    })),
  ];
}

function daysOf(review: ServiceReview): readonly { readonly path: string; readonly day: string }[] {
  return spansOf(review).flatMap(({ path, from, to }) => [
    ...(from === undefined ? [] : [{ path: `${path}/fromDate`, day: from }]),
    ...(to === undefined ? [] : [{ path: `${path}/toDate`, day: to }]),
  ]);
}

/**
 * The most of each unit that is plausible; more is probably a typing error. The keys are X12's codes for visits and
 * days.
 */
const mostOf: Readonly<Record<string, number>> = { VS: 200, DY: 366, DA: 366, MO: 24, WK: 104 };
const mostUnits = 1_000;
/** The most units of a drug that are plausible. Drugs are counted in milligrams or international units. */
const mostDrugUnits = 20_000;

/** Rules about quantities. */
const quantityRules: readonly Rule[] = [
  {
    type: "unusual-quantity",
    find: ({ review }) => [
      ...strange(
        "",
        review,
        review.procedures.every(({ code }) => isDrug(code)),
      ),
      ...review.procedures.flatMap((line, index) =>
        strange(`/procedures/${index}`, { quantityTypeCode: review.quantityTypeCode, ...line }, isDrug(line.code)),
      ),
    ],
  },
];

type Quantity = Pick<ServiceReview, "quantity" | "quantityTypeCode">;

function strange(
  path: string,
  { quantity, quantityTypeCode: unit = "UN" }: Quantity,
  drug: boolean,
): readonly CheckFinding[] {
  if (quantity === undefined) return [];
  const most = mostOf[unit] ?? (drug ? mostDrugUnits : mostUnits);
  return quantity > 0 && quantity <= most ? [] : [{ paths: [`${path}/quantity`], values: [`${quantity}`, unit] }];
}

/** HCPCS codes J and Q are drugs and biologicals. */
function isDrug(code: string): boolean {
  return /^[JQ]\d{4}$/.test(code);
}

/** Payers ask for clinical notes from the last three months. */
const noteDaysMax = 90;

/** Rules about the supporting evidence. */
const evidenceRules: readonly Rule[] = [
  {
    type: "old-note",
    find: ({ review, today }) =>
      (review.providerNotes ?? []).flatMap(({ date }, index) =>
        date !== undefined && daysBetween(date, today) > noteDaysMax
          ? [{ paths: [`/providerNotes/${index}`], values: [date] }]
          : [],
      ),
  },
  { type: "no-attachment", find: ({ files }) => (files.count === 0 ? [{}] : []) },
  { type: "files-left", find: ({ files }) => (files.left ? [{}] : []) },
];

const rules: readonly Rule[] = [
  ...routeRules,
  ...otherCaseRules,
  ...requestRules,
  ...dateRules,
  ...quantityRules,
  ...evidenceRules,
];

/**
 * Everything to consider before releasing a case, blocks first, or `only` what these rules find. Works for whatever the
 * agent wrote.
 */
export function checksOf(facts: CaseFacts, only?: ReadonlySet<CheckType>): readonly Check[] {
  const found = rules
    .filter(({ type, ofVoids }) => (facts.action === "transmit" || ofVoids) && (only?.has(type) ?? true))
    .flatMap(({ type, find }) =>
      find(facts).map((each) => ({ type, level: levels[type], paths: [], values: [], ...each })),
    );
  return [...found.filter(({ level }) => level === "block"), ...found.filter(({ level }) => level === "warn")];
}

/** All warnings; a practice chooses which of them it only notes. */
export const warningTypes: readonly CheckType[] = rules
  .map(({ type }) => type)
  .filter((type) => levels[type] === "warn");
