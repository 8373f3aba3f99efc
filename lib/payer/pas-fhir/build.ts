import type { Bundle, BundleEntry, Claim, Extension, Identifier } from "fhir/r4";
import { assert } from "#lib/platform/result";
import type { Build, Call } from "#lib/payer/connector";
import { traceNumber, uuidOf, type TraceOf } from "#lib/payer/trace";
import { check } from "./check.ts";
import { documentsOf, type Documents } from "./documents.ts";
import { stayOf, type Stay } from "./encounter.ts";
import { ordersOf, type Orders } from "./orders.ts";
import { partiesOf, type Parties } from "./parties.ts";
import { type Entry, coded, concept, defined } from "./parts.ts";
import { previousOf, type Previous } from "./previous.ts";
import { reachable } from "./references.ts";
import { readSettings, type PasVersion } from "./settings.ts";
import { profiles, systems, testMarker, extensions } from "./vocabulary.ts";
import type { ServiceReview } from "#lib/task/model/service-review";
import { diagnosesOf } from "./diagnoses.ts";
import { informationAfter, informationOf, messagesOf, numbered } from "./information.ts";
import { originatorOf, itemsAfter, itemsCancelled, itemsOf } from "./items.ts";
import { untouched, wholeCancelled } from "./marks.ts";

/**
 * Builds the `Claim/$submit` of an action: a first request, an update of an earlier one, or its cancellation, as PAS 2.2.1 or
 * 2.0.1 defines them. Pure and deterministic: identifiers derive from task, revision and action, the timestamp is
 * `openedAt`, and an update keeps the sequences of the earlier frozen requests. Requires a review without findings of
 * `check` and, except for a first request, an earlier submission (`previousOf`).
 */
export function build(from: Build): readonly Call[] {
  switch (from.action) {
    case "transmit":
      return [submission(from, from.update ? entriesOfUpdate(from) : entriesOfFirst(from))];
    case "void":
      return [submission(from, entriesOfCancel(from))];
  }
}

/** The address of one PAS operation under a route's FHIR base. */
export function operationUrl({ url }: Build["destination"], operation: "$submit" | "$inquire"): string {
  assert(url !== undefined, "a PAS route has a base address");
  return `${url.replace(/\/+$/, "")}/Claim/${operation}`;
}

function entriesOfFirst(from: Build): readonly BundleEntry[] {
  assert(check(from.review).length === 0, "only a review complete for PAS is built");
  const parties = partiesOf(from);
  const documents = documentsOf(from, parties);
  const stay = stayOf(from, parties);
  const orders = ordersOf(from, parties, stay);
  return [
    claimEntry(from, claimOf(from, { parties, documents, orders, stay })),
    ...[parties, stay, orders, documents].flatMap(({ entries }) => entries),
  ];
}

function entriesOfUpdate(from: Build): readonly BundleEntry[] {
  assert(check(from.review).length === 0, "only a review complete for PAS is built");
  const previous = previousOf(from);
  assert(previous, "an update refers to what was sent before");
  const parties = partiesOf(from);
  const documents = documentsOf(from, { patient: parties.patient, previous });
  const stay = stayOf(from, parties);
  const orders = ordersOf(from, parties, stay);
  const claim = claimOf(from, { parties, documents, orders, stay, previous });
  const entries = [parties, stay, orders, documents].flatMap((each) => each.entries);
  return withPrevious(from, [claimEntry(from, claim), ...entries], previous);
}

function entriesOfCancel(from: Build): readonly BundleEntry[] {
  const previous = previousOf(from);
  assert(previous, "a void refers to what was sent before");
  return withPrevious(from, [claimEntry(from, cancelOf(from, previous))], previous);
}

/**
 * Adds the previous Claim as it was sent (2.2.1), and resources of the earlier bundle that are still referenced. The Claim
 * before the previous one must not be included, so the reference in the previous Claim's `related` is not resolved.
 */
function withPrevious(
  { destination }: Build,
  entries: readonly BundleEntry[],
  { claim, claimUrl, others }: Previous,
): readonly BundleEntry[] {
  const earlier = readSettings(destination).version === "2.2.1" ? [{ fullUrl: claimUrl, resource: claim }] : [];
  const { related: _, ...pointing } = claim;
  const here = new Set(entries.map(({ fullUrl }) => fullUrl));
  const sources = [...entries.map(({ resource }) => resource), ...(earlier.length > 0 ? [pointing] : [])];
  const left = others.filter(({ fullUrl, resource }) => !here.has(fullUrl) && resource?.resourceType !== "Claim");
  return [...entries, ...earlier, ...reachable(sources, left)];
}

function claimEntry(from: Build, claim: Claim): Entry {
  return { fullUrl: claimUrlOf(from), resource: claim };
}

/** The address of the Claim in a request of ours, by which an answer names the request. */
export function claimUrlOf(of: TraceOf): string {
  return `urn:uuid:${uuidOf(`${traceNumber(of)}/claim`)}`;
}

function submission(from: Build, entry: readonly BundleEntry[]): Call {
  const bundle: Bundle = {
    resourceType: "Bundle",
    meta: { profile: [profiles.requestBundle], ...markerOf(from.destination) },
    identifier: { system: systems.uri, value: `urn:uuid:${uuidOf(traceNumber(from))}` },
    type: "collection",
    timestamp: from.openedAt.toISOString(),
    entry: [...entry],
  };
  return {
    method: "POST",
    url: operationUrl(from.destination, "$submit"),
    contentType: "application/fhir+json",
    body: Buffer.from(JSON.stringify(bundle, null, 2), "utf8"),
  };
}

/** The tag that marks test data; absent on a live route. */
function markerOf({ environment }: Build["destination"]): { tag?: { system: string; code: string }[] } {
  return environment === "test" ? { tag: [{ ...testMarker }] } : {};
}

type ClaimParts = {
  readonly parties: Parties;
  readonly documents: Documents;
  readonly orders: Orders;
  readonly stay: Stay;
  readonly previous?: Previous | undefined;
};

/** The Claim of a first request or, with what was sent before, of an update of it. */
function claimOf(from: Build, { parties, documents, orders, stay, previous }: ClaimParts): Claim {
  const { review } = from;
  const urgent = review.serviceLevelCode === "U" || review.serviceLevelCode === "03";
  const diagnosis = diagnosesOf(review, previous?.claim.diagnosis);
  const items = itemsOf(review, {
    version: readSettings(from.destination).version,
    diagnoses: diagnosis,
    careTeam: parties.careTeam,
    orders: orders.references,
    authorizationNumber: numberOnItems(from),
  });
  const information = [...informationOf(review), ...documents.information];
  const supportingInfo = previous
    ? informationAfter(information, previous.claim.supportingInfo ?? [])
    : numbered(information);
  const extension = [
    ...senderOf(from),
    ...levelOf(review),
    ...circumstancesOf(from, stay),
    ...(previous ? referenceOf(from) : []),
  ];
  return defined<Claim>({
    resourceType: "Claim",
    meta: { profile: [previous ? profiles.claimUpdate : profiles.claim] },
    extension: extension.length > 0 ? extension : undefined,
    identifier: [{ system: `urn:trnorg:${originatorOf(review)}`, value: traceNumber(from) }],
    status: "active",
    type: concept(systems.claimType, review.requestTypeCode === "AR" ? "institutional" : "professional"),
    use: "preauthorization",
    patient: parties.patient,
    created: from.openedAt.toISOString(),
    insurer: parties.insurer,
    provider: parties.requestor,
    priority: concept(systems.priority, urgent ? "stat" : "normal"),
    related: previous && relatedTo(previous, readSettings(from.destination).version),
    careTeam: parties.careTeam.length > 0 ? careTeamOf(parties, review) : undefined,
    supportingInfo: supportingInfo.length > 0 ? supportingInfo : undefined,
    diagnosis,
    insurance: [{ sequence: 1, focal: true, coverage: parties.coverage }],
    accident: accidentOf(review),
    item: previous ? itemsAfter(items, previous.claim.item ?? []) : items,
  });
}

/**
 * The Claim that cancels a whole request: the previous Claim, with the reason as a message. 2.2.1 marks the Claim and keeps its
 * items, because the profile requires some; 2.0.1 has no such mark, so each item is canceled. `status` stays active, because
 * it is the status of this Claim and not of the case.
 */
function cancelOf(from: Build, { claim, ...previous }: Previous): Claim {
  const { version } = readSettings(from.destination);
  const whole = version === "2.2.1";
  const level = (claim.extension ?? []).filter(({ url }) => url === extensions.levelOfServiceCode);
  const extension = whole ? [...senderOf(from), ...level, ...referenceOf(from), wholeCancelled()] : level;
  const before = claim.supportingInfo ?? [];
  const last = Math.max(0, ...before.map(({ sequence }) => sequence));
  const reason = informationAfter(messagesOf(from.reason ?? ""), []);
  const supportingInfo = [
    ...before.map(untouched),
    ...reason.map((line) => ({ ...line, sequence: last + line.sequence })),
  ];
  const { extension: _, related: __, meta: ___, ...kept } = claim;
  return defined<Claim>({
    ...kept,
    meta: { profile: [profiles.claimUpdate] },
    extension: extension.length > 0 ? extension : undefined,
    identifier: [renamed(claim, traceNumber(from))],
    created: from.openedAt.toISOString(),
    related: relatedTo({ claim, ...previous }, version),
    supportingInfo: supportingInfo.length > 0 ? supportingInfo : undefined,
    item: whole ? (claim.item ?? []).map(untouched) : itemsCancelled(claim.item ?? []),
  });
}

/**
 * 2.2.1 requires the previous Claim in the bundle and a reference to it. 2.0.1 allows one Claim in a bundle, so the previous
 * one is named by its trace number, and the relationship by the text of that guide, for which FHIR has no code.
 */
function relatedTo({ claim, claimUrl }: Previous, version: PasVersion): Claim["related"] {
  const relationship = concept(systems.relatedClaim, "prior");
  const [identifier] = claim.identifier ?? [];
  assert(identifier, "a sent Claim has its trace number");
  return version === "2.2.1"
    ? [{ claim: { reference: claimUrl }, relationship }]
    : [{ claim: { type: "Claim", identifier }, relationship: { ...relationship, text: "replaces" } }];
}

/** The payer's own number of the case, if the Claim has a place for it (2.2.1). */
function referenceOf({ payerReference, destination }: Build): readonly Extension[] {
  if (payerReference === undefined || readSettings(destination).version !== "2.2.1") return [];
  return [{ url: extensions.administrationReferenceNumber, valueString: payerReference }];
}

/**
 * The sending system, by which a payer finds the cases of a subscription. It is also the sender and the payer the
 * receiver of the application (X12 GS02, GS03). 2.0.1 has no place for it.
 */
function senderOf({ destination }: Build): readonly Extension[] {
  const { senderId, version } = readSettings(destination);
  if (senderId === undefined || version !== "2.2.1") return [];
  return [
    {
      url: extensions.transmissionIdentifiers,
      extension: [
        { url: "applicationSenderCode", valueString: senderId },
        { url: "applicationReceiverCode", valueString: destination.payerId },
        { url: "interchangeSenderID", valueString: senderId },
      ],
    },
  ];
}

function levelOf({ serviceLevelCode }: ServiceReview): readonly Extension[] {
  if (serviceLevelCode === undefined) return [];
  return [coded(extensions.levelOfServiceCode, systems.serviceLevel, serviceLevelCode)];
}

/** A provider whom procedures name does only those; any other takes part in all of the request. */
function careTeamOf({ careTeam }: Parties, { procedures }: ServiceReview): NonNullable<Claim["careTeam"]> {
  const named = new Set(procedures.flatMap(({ renderingProviderNpis = [] }) => renderingProviderNpis));
  return careTeam.map(({ provider, npi, specialtyCode, roleCode }, index) =>
    defined({
      extension: [{ url: extensions.careTeamClaimScope, valueBoolean: npi === undefined || !named.has(npi) }],
      sequence: index + 1,
      provider,
      role: roleCode === undefined ? undefined : concept(systems.entity, roleCode),
      qualification: specialtyCode === undefined ? undefined : concept(systems.taxonomy, specialtyCode),
    }),
  );
}

/** An earlier authorization of the whole request, as 2.0.1 names it: on each item. 2.2.1 has a place on the Claim. */
function numberOnItems({ review, destination }: Build): string | undefined {
  return readSettings(destination).version === "2.0.1" ? review.authorizationNumber : undefined;
}

/** What a request says of the patient's situation, and in 2.2.1 of an earlier authorization. */
function circumstancesOf({ review, destination }: Build, { encounter }: Stay): readonly Extension[] {
  const { conditions = [], homeHealth, authorizationNumber } = review;
  const hasNumber = authorizationNumber !== undefined && readSettings(destination).version === "2.2.1";
  return [
    ...conditions.map(({ categoryCode, applies, codes }) => ({
      url: extensions.conditionCode,
      extension: [
        coded("category", systems.conditionCategory, categoryCode),
        { url: "indicator", valueBoolean: applies },
        ...codes.map((code) => coded("code", systems.condition, code)),
      ],
    })),
    ...(homeHealth?.prognosisCode === undefined || homeHealth.startDate === undefined
      ? []
      : [
          {
            url: extensions.homeHealthCareInformation,
            extension: [
              coded("prognosis", systems.prognosis, homeHealth.prognosisCode),
              { url: "date", valueDate: homeHealth.startDate },
            ],
          },
        ]),
    ...(hasNumber ? [{ url: extensions.authorizationNumber, valueString: authorizationNumber }] : []),
    ...(encounter ? [{ url: extensions.encounter, valueReference: encounter }] : []),
  ];
}

/** FHIR demands the day of an accident, so one without is not sent; `check` asks for it. */
function accidentOf({ accident }: ServiceReview): Claim["accident"] {
  if (accident?.date === undefined) return undefined;
  return defined<NonNullable<Claim["accident"]>>({
    date: accident.date,
    type: accident.typeCode === undefined ? undefined : concept(systems.accident, accident.typeCode),
    locationAddress: accident.stateCode === undefined ? undefined : { state: accident.stateCode, country: "US" },
  });
}

function renamed({ identifier: [before] = [] }: Claim, value: string): Identifier {
  assert(before, "a sent Claim has its trace number");
  return { ...before, value };
}
