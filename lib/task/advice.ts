import { checksOf } from "#lib/gate/model/checks";
import type { CaseFacts, CheckType } from "#lib/gate/model/check";
import { dayIn } from "#lib/platform/zoned-time";
import { similarPayers } from "#lib/practice/directory/similar-payers";
import { payerLabel, type PayerName } from "#lib/practice/model/payer-name";
import { isClosed, isUnknown } from "#lib/practice/model/listed-payer";
import { type NamedPayer, delegatedInPart, type ResolvedRoute } from "#lib/practice/shared/resolved-route";
import { messageProblems } from "#lib/messages/problems/agent";
import {
  certificationTypes,
  placesOfService,
  quantityUnits,
  relationships,
  serviceTypes,
  codeSystemOf,
} from "./model/formats.ts";
import { cleanName } from "./model/file-name.ts";
import { ruleAt } from "./model/field-rule.ts";
import { shortPath } from "./model/short-path.ts";
import { pointerToken } from "./model/unknown-members.ts";
import type { Provider, ServiceReview } from "./model/service-review.ts";
import type { Issue } from "./refusal.ts";

/** Why a payer connection can't submit a review as it stands, because of one member. */
export type MissingReason =
  | "absent"
  | "reversed"
  | "too-many"
  | "second-principal"
  | "no-known-code"
  | "unknown-provider"
  | "not-carried";

/** What is wrong with one member that `missing` names. `rule` says what its value must be. */
export type MissingMember = {
  readonly path: string;
  readonly reason: MissingReason;
  readonly rule: string | undefined;
};

/** A warning that a reviewer will see and that the agent can resolve. `values` are the values it is about. */
export type Warning = {
  readonly code: WarningCode;
  readonly path: string;
  readonly values: readonly string[];
};

export type WarningCode =
  | Extract<
      CheckType,
      | "no-patient"
      | "urgency-unattested"
      | "unknown-code-format"
      | "unknown-members"
      | "dates-over"
      | "dates-reversed"
      | "past-dates"
      | "far-dates"
      | "unusual-quantity"
      | "old-note"
      | "unknown-provider"
      | "exact-duplicate"
      | "same-request-open"
      | "existing-approval"
      | "near-duplicate"
      | "files-left"
      | "members-left"
    >
  | "birth-date-ahead"
  | "note-ahead"
  | "control-characters"
  | "diagnosis-twice"
  | "procedure-twice"
  | "unlisted-relationship"
  | "unlisted-place"
  | "unlisted-unit"
  | "unlisted-certification-type"
  | "unlisted-service-type"
  | "unlisted-payer"
  | "delegated-in-part"
  | "file-not-sent";

/** What an agent is told about a revision that it sent. */
export type Advice = { readonly problems: readonly MissingMember[]; readonly warnings: readonly Warning[] };

type Facts = {
  readonly missing: readonly string[];
  readonly update: boolean;
  readonly now: Date;
  /** The revision's files. */
  readonly files?: readonly { readonly name?: string | undefined }[] | undefined;
  /** What there is to say of the payer; it takes more than the request to find out. */
  readonly payer?: readonly Warning[] | undefined;
  /** What else it is compared with; without it, nothing is said of providers, files and other cases. */
  readonly beside?: Beside | undefined;
};

/** What a request is compared with beyond itself, as for the reviewer's page. */
export type Beside = Pick<CaseFacts, "providers" | "others" | "files" | "leftOut">;

/** The most warnings in one reply; a review may contain thousands of unknown members. */
const warningsMax = 64;

/**
 * Why each missing member is missing, and the warnings that a reviewer will see. Works for whatever the agent wrote.
 */
export function adviceOn(review: ServiceReview, facts: Facts): Advice {
  const { missing, update, now, files = [], payer = [], beside } = facts;
  const own = [...ownWarnings(review, now), ...unsentFiles(review, files)];
  return {
    problems: missing.map((path) => whyMissing(review, path)),
    warnings: [...payer, ...checkWarnings(review, { update, now, beside }), ...own].slice(0, warningsMax),
  };
}

/**
 * The day in the westernmost US time zone, so that nothing is called past while it is still today somewhere in the US.
 */
const today = (now: Date) => dayIn("Pacific/Honolulu", now);

/** The warnings of a reviewer's page that follow from the request itself. */
function checkWarnings(
  review: ServiceReview,
  { update, now, beside = alone }: Pick<Facts, "update" | "now" | "beside">,
): readonly Warning[] {
  const day = today(now);
  const facts = {
    action: "transmit",
    update,
    review,
    today: day,
    openedOn: day,
    missing: [],
    required: [],
    practiceActive: true,
    route: { configured: true, reachable: true, changed: false },
    ...beside,
  } as const;
  const checks = checksOf(facts, advised);
  return checks.flatMap(({ type, paths, values, other = [] }) =>
    isAdvised(type)
      ? (paths.length > 0 ? paths : [""])
          .slice(0, warningsMax)
          .map((path) => ({ code: type, path: shortPath(path), values: [...values, other].flat() }))
      : [],
  );
}

const alone: Beside = { providers: [], others: [], files: { count: 1, left: false }, leftOut: [] };

/**
 * Not among them is that no file was sent: files are optional, so a request without a slip would be warned of.
 */
const advised: ReadonlySet<CheckType> = new Set<CheckType & WarningCode>([
  "no-patient",
  "urgency-unattested",
  "unknown-code-format",
  "unknown-members",
  "dates-over",
  "dates-reversed",
  "past-dates",
  "far-dates",
  "unusual-quantity",
  "old-note",
  "unknown-provider",
  "exact-duplicate",
  "same-request-open",
  "existing-approval",
  "near-duplicate",
  "files-left",
  "members-left",
]);

function isAdvised(type: CheckType): type is CheckType & WarningCode {
  return advised.has(type);
}

/** Likely mistakes that no release depends on. */
function ownWarnings(review: ServiceReview, now: Date): readonly Warning[] {
  const { patient, diagnoses = [], procedures, providerNotes = [], ...whole } = review;
  // The day in the world's easternmost time zone: a later day is in the future everywhere.
  const latest = dayIn("Pacific/Kiritimati", now);
  const ahead = (code: WarningCode, path: string, day: string | undefined) =>
    day !== undefined && day > latest ? [{ code, path, values: [day] }] : [];
  const unlisted = (code: WarningCode, path: string, list: ReadonlySet<string>, value: string | undefined) =>
    value !== undefined && !list.has(value) ? [{ code, path, values: [value] }] : [];
  return [
    ...ahead("birth-date-ahead", "/patient/birthDate", patient?.birthDate),
    ...providerNotes.flatMap(({ date }, index) => ahead("note-ahead", `/providerNotes/${index}/date`, date)),
    ...uncleanNames(review),
    ...repeated(diagnoses.map(({ code }) => code)).map(({ index, value }) => ({
      code: "diagnosis-twice" as const,
      path: `/diagnoses/${index}/code`,
      values: [value],
    })),
    ...repeated(procedures.map((line) => JSON.stringify(line))).map(({ index }) => ({
      code: "procedure-twice" as const,
      path: `/procedures/${index}`,
      values: [],
    })),
    ...unlisted(
      "unlisted-relationship",
      "/patient/subscriberRelationshipCode",
      relationships,
      patient?.subscriberRelationshipCode,
    ),
    ...unlisted("unlisted-place", "/placeOfServiceCode", placesOfService, whole.placeOfServiceCode),
    ...unlisted("unlisted-unit", "/quantityTypeCode", quantityUnits, whole.quantityTypeCode),
    ...procedures.flatMap(({ quantityTypeCode }, index) =>
      unlisted("unlisted-unit", `/procedures/${index}/quantityTypeCode`, quantityUnits, quantityTypeCode),
    ),
    ...unlisted(
      "unlisted-certification-type",
      "/certificationTypeCode",
      certificationTypes,
      whole.certificationTypeCode,
    ),
    ...unlisted("unlisted-service-type", "/serviceTypeCode", serviceTypes, whole.serviceTypeCode),
  ];
}

/** Types of files that the revision does not have, so that they say nothing of any file. Names are compared as they are shown. */
function unsentFiles({ fileTypes = [] }: ServiceReview, files: NonNullable<Facts["files"]>): readonly Warning[] {
  const sent = new Set(files.flatMap(({ name }) => name ?? []));
  return fileTypes.flatMap(({ fileName }, index) =>
    sent.has(cleanName(fileName) ?? "")
      ? []
      : [{ code: "file-not-sent" as const, path: `/fileTypes/${index}/fileName`, values: [] }],
  );
}

const nameMembers = ["lastName", "firstName", "middleName", "organizationName"] as const;

/** Also what only steers how text is shown, such as a change of direction, a line separator or a byte order mark. */
const control = /\p{Cc}|\p{Zl}|\p{Zp}|[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/u;

/** Names with control characters, which payers' systems can't print. */
function uncleanNames(review: ServiceReview): readonly Warning[] {
  const { subscriber, patient, requestingProvider, renderingProviders = [] } = review;
  const named: readonly (readonly [path: string, of: Provider | undefined])[] = [
    ["/subscriber", subscriber],
    ["/patient", patient],
    ["/requestingProvider", requestingProvider],
    ...renderingProviders.map((provider, index) => [`/renderingProviders/${index}`, provider] as const),
  ];
  return named.flatMap(([path, of]) =>
    nameMembers.flatMap((name) =>
      control.test(of?.[name] ?? "") ? [{ code: "control-characters", path: `${path}/${name}`, values: [] }] : [],
    ),
  );
}

/** The values that occurred before, with their index. */
function repeated(values: readonly string[]): readonly { readonly index: number; readonly value: string }[] {
  if (values.length < 2) return [];
  const seen = new Set<string>();
  return values.flatMap((value, index) => {
    if (seen.has(value)) return [{ index, value }];
    seen.add(value);
    return [];
  });
}

function whyMissing(review: ServiceReview, path: string): MissingMember {
  const value = valueAt(review, path);
  return { path, reason: reasonAt(path, value), rule: ruleAt(path) };
}

/** The reason why a connector names a member that is present, judged by where it stands. */
function reasonAt(path: string, value: unknown): MissingReason {
  if (value === undefined || value === null || (typeof value === "string" && value.trim() === "")) return "absent";
  if (Array.isArray(value) && value.length === 0) return "absent";
  if (/\/(?:toDate|dischargeDate)$/.test(path)) return "reversed";
  if (/^\/(?:diagnoses|renderingProviders)\/\d+$/.test(path)) return "too-many";
  if (/^\/diagnoses\/\d+\/qualifierCode$/.test(path)) return "second-principal";
  if (/\/code(?:End)?$/.test(path) && typeof value === "string" && codeSystemOf(value) === undefined)
    return "no-known-code";
  if (path.endsWith("/renderingProviderNpis")) return "unknown-provider";
  return "not-carried";
}

function valueAt(review: ServiceReview, path: string): unknown {
  let value: unknown = review;
  for (const part of path.split("/").slice(1)) {
    if (typeof value !== "object" || value === null) return undefined;
    const found = Object.entries(value).find(([name]) => pointerToken(name) === part);
    value = found?.[1];
  }
  return value;
}

/**
 * Why a request to this payer is not taken: the practice's directory lists others, and its administrators take no request to
 * anybody else. It names whom the agent may have meant. Undefined where the request is taken.
 */
export function unlistedPayer(
  { practice, payer }: ResolvedRoute,
  { review, dataPath }: { readonly review: ServiceReview; readonly dataPath: string },
): Issue | undefined {
  if (!isClosed(payer.standing, practice.unlistedPayers)) return undefined;
  const meant = meantBy(payer, review);
  return {
    path: `${dataPath}/serviceReview/payer/id`,
    problem: messageProblems.unknownPayer(didYouMean(meant)),
    suggestions: meant.map(({ payerId: id, name }) => ({ id, name })),
  };
}

function didYouMean(meant: readonly PayerName[]): string {
  if (meant.length === 0) return messageProblems.payersOnCard;
  return messageProblems.didYouMean(new Intl.ListFormat("en", { type: "disjunction" }).format(meant.map(payerLabel)));
}

/** What an agent is warned of about the payer of its request, before the payer has it. */
export function payerWarnings(route: ResolvedRoute, review: ServiceReview): readonly Warning[] {
  const { payer } = route;
  const part = delegatedInPart(route, review);
  const inPart = (part?.procedures ?? []).map((index): Warning => {
    const values = [part?.name ?? "", review.procedures[index]?.code ?? ""];
    return { code: "delegated-in-part", path: `/procedures/${index}`, values };
  });
  if (!isUnknown(payer.standing)) return inPart;
  const meant = meantBy(payer, review);
  return [{ code: "unlisted-payer", path: "/payer/id", values: [payer.id, ...meant.map(payerLabel)] }, ...inPart];
}

/** By the payer's id, or else by its name, which may be right where the id is not. */
function meantBy({ known }: NamedPayer, { payer }: ServiceReview): readonly PayerName[] {
  const byId = similarPayers(payer.id, known);
  return byId.length > 0 ? byId : similarPayers(payer.name ?? "", known);
}
