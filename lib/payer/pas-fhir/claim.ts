import type { Claim, Extension, Identifier } from "fhir/r4";
import { assert } from "#lib/platform/result";
import type { ServiceReview } from "#lib/task/model/service-review";
import type { Build } from "#lib/payer/connector";
import { traceNumber } from "#lib/payer/trace";
import { coded, concept } from "./coded.ts";
import { defined } from "./defined.ts";
import { diagnosesOf } from "./diagnoses.ts";
import type { Documents } from "./documents.ts";
import { informationAfter, informationOf, messagesOf, numbered } from "./information.ts";
import { itemsAfter, itemsCancelled, itemsOf } from "./items.ts";
import { untouched, wholeCancelled } from "./marks.ts";
import type { Parties } from "./parties.ts";
import type { Previous } from "./previous.ts";
import { readSettings, type PasVersion } from "./settings.ts";
import { extensions, profiles, systems } from "./vocabulary.ts";

type With = { readonly parties: Parties; readonly documents: Documents; readonly previous?: Previous | undefined };

/** The Claim of a first request or, with what was sent before, of an update of it. */
export function claimOf(from: Build, { parties, documents, previous }: With): Claim {
  const { review } = from;
  const urgent = review.serviceLevelCode === "U" || review.serviceLevelCode === "03";
  const diagnosis = diagnosesOf(review, previous?.claim.diagnosis);
  const items = itemsOf(review, diagnosis);
  const information = [...informationOf(review), ...documents.information];
  const supportingInfo = previous
    ? informationAfter(information, previous.claim.supportingInfo ?? [])
    : numbered(information);
  const extension = [...levelOf(review), ...(previous ? referenceOf(from) : [])];
  return defined<Claim>({
    resourceType: "Claim",
    meta: { profile: [previous ? profiles.claimUpdate : profiles.claim] },
    extension: extension.length > 0 ? extension : undefined,
    identifier: [{ system: `urn:trnorg:${originator(review)}`, value: traceNumber(from) }],
    status: "active",
    type: concept(systems.claimType, review.requestTypeCode === "AR" ? "institutional" : "professional"),
    use: "preauthorization",
    patient: parties.patient,
    created: from.openedAt.toISOString(),
    insurer: parties.insurer,
    provider: parties.requestor,
    priority: concept(systems.priority, urgent ? "stat" : "normal"),
    related: previous && relatedTo(previous, readSettings(from.destination).version),
    careTeam: parties.careTeam.length > 0 ? careTeamOf(parties) : undefined,
    supportingInfo: supportingInfo.length > 0 ? supportingInfo : undefined,
    diagnosis,
    insurance: [{ sequence: 1, focal: true, coverage: parties.coverage }],
    item: previous ? itemsAfter(items, previous.claim.item ?? []) : items,
  });
}

/**
 * The Claim that takes a whole request back: the one sent before, with the
 * reason as a message. 2.2.1 marks the Claim and leaves its items as they were,
 * since the profile still demands some; 2.0.1 has no such mark and cancels each
 * item. `status` stays active: it is that of this Claim, not of the case.
 */
export function cancelOf(from: Build, { claim, ...previous }: Previous): Claim {
  const { version } = readSettings(from.destination);
  const whole = version === "2.2.1";
  const level = (claim.extension ?? []).filter(({ url }) => url === extensions.levelOfServiceCode);
  const extension = whole ? [...level, ...referenceOf(from), wholeCancelled()] : level;
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
 * 2.2.1 wants the Claim before in the bundle and a reference to it. 2.0.1
 * allows one Claim in a bundle, so it is named by its trace number, and by the
 * word of that guide for the relationship, which no code of FHIR stands for.
 */
function relatedTo({ claim, claimUrl }: Previous, version: PasVersion): Claim["related"] {
  const relationship = concept(systems.relatedClaim, "prior");
  const [identifier] = claim.identifier ?? [];
  assert(identifier, "a sent Claim has its trace number");
  return version === "2.2.1"
    ? [{ claim: { reference: claimUrl }, relationship }]
    : [{ claim: { type: "Claim", identifier }, relationship: { ...relationship, text: "replaces" } }];
}

/** The payer's own number for the case, where the Claim has a place for it (2.2.1). */
function referenceOf({ payerReference, destination }: Build): readonly Extension[] {
  if (payerReference === undefined || readSettings(destination).version !== "2.2.1") return [];
  return [{ url: extensions.administrationReferenceNumber, valueString: payerReference }];
}

function levelOf({ serviceLevelCode }: ServiceReview): readonly Extension[] {
  if (serviceLevelCode === undefined) return [];
  return [coded(extensions.levelOfServiceCode, systems.serviceLevel, serviceLevelCode)];
}

function careTeamOf({ careTeam }: Parties): NonNullable<Claim["careTeam"]> {
  return careTeam.map(({ provider, specialtyCode }, index) =>
    defined({
      extension: [{ url: extensions.careTeamClaimScope, valueBoolean: true }],
      sequence: index + 1,
      provider,
      qualification: specialtyCode === undefined ? undefined : concept(systems.taxonomy, specialtyCode),
    }),
  );
}

function renamed({ identifier: [before] = [] }: Claim, value: string): Identifier {
  assert(before, "a sent Claim has its trace number");
  return { ...before, value };
}

/** X12 TRN03: 1 and the tax id, or 9 and the NPI without its check digit, which names the same provider. */
function originator({ requestingProvider }: ServiceReview): string {
  assert(requestingProvider?.npi !== undefined, "a complete review names its requesting provider");
  const { npi, taxId } = requestingProvider;
  return taxId === undefined ? `9${npi.slice(0, 9)}` : `1${taxId}`;
}
