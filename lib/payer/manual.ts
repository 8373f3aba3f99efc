import { assert } from "#lib/platform/result";
import { codeText } from "#lib/task/model/code-words";
import type { OpenAttachment } from "#lib/task/model/attachment";
import {
  coverageDetails,
  furtherDetails,
  memberDetails,
  procedureDetails,
  providerDetails,
} from "#lib/task/model/further-details";
import type { Diagnosis, Procedure, Provider, ServiceReview } from "#lib/task/model/service-review";
import { noSettings, type Build, type Call, type Connector } from "./connector.ts";
import { writePacket, type PacketSection } from "./packet.ts";
import { traceNumber } from "./trace.ts";

type Line = readonly [label: string, value: string | number | undefined];

/** A payer reached by portal, phone or fax: a person submits the packet and records the answer. */
export const manual: Connector = {
  name: "manual",
  settings: [],
  checkSettings: noSettings,
  carriesFiles: true,
  leftOut: () => [],
  isManual: () => true,
  check: () => [],
  build: (build) => [manualPacket(build)],
  send: () => neverSent(),
  inquire: () => neverSent(),
};

/**
 * The packet of a manual submission: the recognized members of the service review as readable text; members that this
 * version does not know are left out. The files that go with it are listed by their digests. Pure: the same input always
 * gives the same bytes.
 */
export function manualPacket(build: Build): Call {
  const { review, attachments } = build;
  const mark = build.destination.environment === "test" ? " - TEST, NOT A REAL CASE" : "";
  const sections = [
    section(`${headingOf(build)}${mark}`, head(build)),
    section("Contested determination", contestedLines(build)),
    section("Member", memberLines(review)),
    section("Requesting provider", providerLines(review.requestingProvider)),
    ...numbered("Rendering provider", review.renderingProviders, providerLines),
    section("Request", requestLines(review)),
    ...numbered("Service", review.procedures, procedureLines),
    ...numbered("Diagnosis", review.diagnoses, diagnosisLines),
    section(
      "Notes",
      (review.providerNotes ?? []).map(({ message }, index) => [`Note ${index + 1}`, message]),
    ),
    ...numbered("Attachment", attachments, attachmentLines),
  ];
  return {
    method: "MANUAL",
    url: `manual:${encodeURIComponent(build.destination.payerId)}`,
    contentType: "text/plain; charset=utf-8",
    body: Buffer.from(writePacket(sections.filter(({ lines }) => lines.length > 0)), "utf8"),
  };
}

function headingOf({ action, update, review }: Build): string {
  if (action === "void") return "REQUEST TO VOID A PRIOR AUTHORIZATION";
  if (review.appeal)
    return review.appeal.type === "appeal" ? "APPEAL OF A DETERMINATION" : "REQUEST FOR RECONSIDERATION";
  return update ? "UPDATE OF A PRIOR AUTHORIZATION REQUEST" : "PRIOR AUTHORIZATION REQUEST";
}

function neverSent(): never {
  assert(false, "an action carried by hand is never sent or inquired about by the service");
}

function head({
  action,
  revision,
  taskId,
  refusals,
  practice,
  destination,
  openedAt,
  payerReference,
  reason,
  review,
}: Build): readonly Line[] {
  const { delegatedBy } = destination;
  return [
    ["Payer", named(destination.payerName ?? (delegatedBy ? undefined : review.payer.name), destination.payerId)],
    ["Reviews for", delegatedBy && named(delegatedBy.name ?? review.payer.name, delegatedBy.id)],
    ["Practice", named(practice.name, practice.id)],
    ["Trace number", traceNumber({ taskId, revision, action, refusals })],
    ["Payer's reference", payerReference],
    ["Reason for the void", action === "void" ? reason : undefined],
    ["Revision", revision],
    ["Prepared at", openedAt.toISOString()],
  ];
}

/** What the payer decided, in its own codes, and why the practice contests it. */
function contestedLines({ action, contested, review: { appeal } }: Build): readonly Line[] {
  if (!appeal || action === "void") return [];
  const { outcome, decidedAt, authorizationNumber, lines = [], notes = [] } = contested ?? {};
  return [
    ["Outcome", outcome],
    ["Decided at", decidedAt],
    ["Authorization number", authorizationNumber],
    ...lines
      .filter(({ action }) => action === "A3" || action === "A6")
      .map(({ sequence, action, reasons }): Line => [
        `Line ${sequence}`,
        [action, ...reasons.map((code) => `reason ${code}`)].join(", "),
      ]),
    ...notes.map((note, index): Line => [`Payer's note ${index + 1}`, note]),
    ["Why it is contested", appeal.reason],
  ];
}

function memberLines(review: ServiceReview): readonly Line[] {
  const { subscriber, patient } = review;
  return [
    ["Member id", subscriber?.memberId],
    ["Subscriber", personName(subscriber)],
    ["Patient", personName(patient)],
    ["Birth date", patient?.birthDate],
    ["Gender", worded("gender", patient?.genderCode)],
    ["Relationship to subscriber", worded("relationship", patient?.subscriberRelationshipCode)],
    ...coverageDetails(review),
    ...memberDetails(patient).map(([label, value]): Line => [`Patient, ${label.toLowerCase()}`, value]),
    ...memberDetails(subscriber).map(([label, value]): Line => [`Subscriber, ${label.toLowerCase()}`, value]),
  ];
}

function providerLines(provider: Provider | undefined): readonly Line[] {
  if (!provider) return [];
  return [
    ["Name", personName(provider)],
    ["Organization", provider.organizationName],
    ["NPI", provider.npi],
    ["Tax id", provider.taxId],
    ["Specialty", provider.specialtyCode],
    ["Contact", provider.contactName],
    ["Phone", provider.phone],
    ["Fax", provider.fax],
    ...providerDetails(provider),
  ];
}

function requestLines(review: ServiceReview): readonly Line[] {
  return [
    ["Request type", worded("request", review.requestTypeCode)],
    ["Certification type", worded("certification", review.certificationTypeCode)],
    ["Service type", review.serviceTypeCode],
    ["Place of service", worded("place", review.placeOfServiceCode)],
    ["Level of service", worded("level", review.serviceLevelCode)],
    ["Urgency attested", attested(review.urgentAttestation)],
    ["Dates", dates(review)],
    ["Quantity", amount(review)],
    ["External reference", review.externalReference],
    ...furtherDetails(review),
  ];
}

function procedureLines(procedure: Procedure): readonly Line[] {
  const { modifierCode1, modifierCode2, modifierCode3, modifierCode4 } = procedure;
  const modifiers = [modifierCode1, modifierCode2, modifierCode3, modifierCode4].filter((code) => code !== undefined);
  return [
    ["Code", procedure.code],
    ["Code qualifier", procedure.qualifierCode],
    ["Described by the sender as", procedure.description],
    ["Modifiers", modifiers.length > 0 ? modifiers.join(", ") : undefined],
    ["Quantity", amount(procedure)],
    ["Revenue code", procedure.revenueCode],
    ["Dates", dates(procedure)],
    ...procedureDetails(procedure),
  ];
}

function diagnosisLines(diagnosis: Diagnosis): readonly Line[] {
  return [
    ["Code", diagnosis.code],
    ["Qualifier", worded("diagnosis", diagnosis.qualifierCode)],
    ["Described by the sender as", diagnosis.description],
    ["Date", diagnosis.date],
  ];
}

function attachmentLines({ name, contentType, size, sha256 }: OpenAttachment): readonly Line[] {
  return [
    ["Name", name],
    ["Type", contentType],
    ["Size", `${size} bytes`],
    ["SHA-256", sha256],
  ];
}

function section(title: string, lines: readonly Line[]): PacketSection {
  return { title, lines: lines.flatMap(([label, value]) => (value === undefined ? [] : [[label, `${value}`]])) };
}

function numbered<Item>(
  title: string,
  list: readonly Item[] | undefined,
  linesOf: (item: Item) => readonly Line[],
): readonly PacketSection[] {
  return (list ?? []).map((item, index) => section(`${title} ${index + 1}`, linesOf(item)));
}

/** The text for a code, if the code is given. */
function worded(kind: Parameters<typeof codeText>[0], code: string | undefined): string | undefined {
  return code === undefined ? undefined : codeText(kind, code);
}

function named(name: string | undefined, id: string): string {
  return name === undefined ? id : `${name} (${id})`;
}

function personName(
  of: { readonly lastName?: string | undefined; readonly firstName?: string | undefined } | undefined,
): string | undefined {
  const names = [of?.lastName, of?.firstName].filter((name) => name !== undefined);
  return names.length > 0 ? names.join(", ") : undefined;
}

function dates(of: {
  readonly fromDate?: string | undefined;
  readonly toDate?: string | undefined;
}): string | undefined {
  const { fromDate, toDate } = of;
  return fromDate === undefined && toDate === undefined ? undefined : `${fromDate ?? "?"} to ${toDate ?? fromDate}`;
}

function amount(of: {
  readonly quantity?: number | undefined;
  readonly quantityTypeCode?: string | undefined;
}): string | undefined {
  return of.quantity === undefined
    ? of.quantityTypeCode
    : [of.quantity, of.quantityTypeCode].filter((part) => part !== undefined).join(" ");
}

function attested(attestation: boolean | string | undefined): string | undefined {
  return typeof attestation === "boolean" ? (attestation ? "yes" : "no") : attestation;
}
