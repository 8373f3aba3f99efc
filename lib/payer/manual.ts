import { assert } from "#lib/platform/result";
import { codeText, codeWord, outcomeText, reviewActions, unitText } from "#lib/messages/labels/codes";
import { dayText, instantText } from "#lib/messages/labels/instant";
import { packetLabels as labels } from "#lib/messages/labels/packet";
import { phoneText } from "#lib/messages/labels/phone-text";
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
  const mark = build.destination.environment === "test" ? labels.test : "";
  const sections = [
    section(`${headingOf(build)}${mark}`, head(build)),
    section(labels.contestedDetermination, contestedLines(build)),
    section(labels.member, memberLines(review)),
    section(labels.requestingProvider, providerLines(review.requestingProvider)),
    ...numbered(labels.renderingProvider, review.renderingProviders, providerLines),
    section(labels.request, requestLines(review)),
    ...numbered(labels.service, review.procedures, procedureLines),
    ...numbered(labels.diagnosis, review.diagnoses, diagnosisLines),
    section(
      "Notes",
      (review.providerNotes ?? []).map(({ message }, index) => [labels.note(index + 1), message]),
    ),
    ...numbered(labels.attachment, attachments, attachmentLines),
  ];
  return {
    method: "MANUAL",
    url: `manual:${encodeURIComponent(build.destination.payerId)}`,
    contentType: "text/plain; charset=utf-8",
    body: Buffer.from(writePacket(sections.filter(({ lines }) => lines.length > 0)), "utf8"),
  };
}

function headingOf({ action, update, review }: Build): string {
  if (action === "void") return labels.void;
  if (review.appeal) return review.appeal.type === "appeal" ? labels.appeal : labels.reconsideration;
  return update ? labels.update : labels.first;
}

function neverSent(): never {
  assert(false, "a manual submission is never sent or inquired about by the service");
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
  authorizationNumbers = [],
  contested,
  reason,
  review,
}: Build): readonly Line[] {
  const { delegatedBy } = destination;
  return [
    [labels.payer, named(destination.payerName ?? (delegatedBy ? undefined : review.payer.name), destination.payerId)],
    [labels.reviewsFor, delegatedBy && named(delegatedBy.name ?? review.payer.name, delegatedBy.id)],
    [labels.practice, named(practice.name, practice.id)],
    [labels.traceNumber, traceNumber({ taskId, revision, action, refusals })],
    [labels.payerReference, payerReference],
    // A contested determination is told in full below.
    [labels.authorizationNumber, contested ? undefined : authorizationNumbers.join(", ") || undefined],
    [labels.reasonForTheVoid, action === "void" ? reason : undefined],
    [labels.revision, revision],
    [labels.preparedAt, instantText(openedAt, "moment", practice.timeZone)],
  ];
}

/** What the payer decided, with its own codes, and why the practice contests it. */
function contestedLines({ action, contested, practice, review: { appeal } }: Build): readonly Line[] {
  if (!appeal || action === "void") return [];
  const { outcome, decidedAt, decidedOn, authorizationNumber, lines = [], notes = [] } = contested ?? {};
  return [
    [labels.outcome, outcome && outcomeText(outcome)],
    [
      labels.decidedAt,
      decidedAt === undefined ? dayOf(decidedOn) : instantText(new Date(decidedAt), "moment", practice.timeZone),
    ],
    [labels.authorizationNumber, authorizationNumber],
    ...lines
      .filter(({ action }) => action === "A2" || action === "A3" || action === "A6")
      .map(({ sequence, action, reasons }): Line => [
        labels.line(sequence),
        [`${reviewActions[action]} (${action})`, ...reasons.map((code) => labels.reason(code))].join(", "),
      ]),
    ...notes.map((note, index): Line => [labels.payerNote(index + 1), note]),
    [labels.whyItIsContested, appeal.reason],
  ];
}

function memberLines(review: ServiceReview): readonly Line[] {
  const { subscriber, patient } = review;
  return [
    [labels.memberId, subscriber?.memberId],
    [labels.subscriber, personName(subscriber)],
    [labels.patient, personName(patient)],
    [labels.birthDate, dayOf(patient?.birthDate)],
    [labels.gender, worded("gender", patient?.genderCode)],
    [labels.relationshipToSubscriber, worded("relationship", patient?.subscriberRelationshipCode)],
    ...coverageDetails(review),
    ...memberDetails(patient).map(([label, value]): Line => [labels.ofPatient(label), value]),
    ...memberDetails(subscriber).map(([label, value]): Line => [labels.ofSubscriber(label), value]),
  ];
}

function providerLines(provider: Provider | undefined): readonly Line[] {
  if (!provider) return [];
  return [
    [labels.name, personName(provider)],
    [labels.organization, provider.organizationName],
    [labels.npi, provider.npi],
    [labels.taxId, provider.taxId],
    [labels.specialty, worded("specialty", provider.specialtyCode)],
    [labels.contact, provider.contactName],
    [labels.phone, provider.phone && phoneText(provider.phone)],
    [labels.fax, provider.fax && phoneText(provider.fax)],
    ...providerDetails(provider),
  ];
}

function requestLines(review: ServiceReview): readonly Line[] {
  return [
    [labels.requestType, worded("request", review.requestTypeCode)],
    [labels.certificationType, worded("certification", review.certificationTypeCode)],
    [labels.serviceType, worded("serviceType", review.serviceTypeCode)],
    [labels.placeOfService, worded("place", review.placeOfServiceCode)],
    [labels.levelOfService, worded("level", review.serviceLevelCode)],
    [labels.urgencyAttested, attested(review.urgentAttestation)],
    [labels.dates, dates(review)],
    [labels.quantity, amount(review)],
    [labels.externalReference, review.externalReference],
    ...furtherDetails(review),
  ];
}

function procedureLines(procedure: Procedure): readonly Line[] {
  const { modifierCode1, modifierCode2, modifierCode3, modifierCode4 } = procedure;
  const modifiers = [modifierCode1, modifierCode2, modifierCode3, modifierCode4].filter((code) => code !== undefined);
  return [
    [labels.code, procedure.code],
    [labels.codeQualifier, procedure.qualifierCode],
    [labels.describedByTheSenderAs, procedure.description],
    [labels.modifiers, modifiers.length > 0 ? modifiers.join(", ") : undefined],
    [labels.quantity, amount(procedure)],
    [labels.revenueCode, procedure.revenueCode],
    [labels.dates, dates(procedure)],
    ...procedureDetails(procedure),
  ];
}

function diagnosisLines(diagnosis: Diagnosis): readonly Line[] {
  return [
    [labels.code, diagnosis.code],
    [labels.qualifier, worded("diagnosis", diagnosis.qualifierCode)],
    [labels.describedByTheSenderAs, diagnosis.description],
    [labels.date, dayOf(diagnosis.date)],
  ];
}

function attachmentLines({ name, contentType, size, sha256 }: OpenAttachment): readonly Line[] {
  return [
    [labels.name, name],
    [labels.type, contentType],
    [labels.size, labels.bytes(size)],
    [labels.sha256, sha256],
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

function dayOf(isoDay: string | undefined): string | undefined {
  return isoDay === undefined ? undefined : dayText(isoDay);
}

function dates(of: {
  readonly fromDate?: string | undefined;
  readonly toDate?: string | undefined;
}): string | undefined {
  const { fromDate, toDate } = of;
  if (fromDate === undefined && toDate === undefined) return undefined;
  if (toDate === undefined || toDate === fromDate) return dayOf(fromDate);
  return `${dayOf(fromDate) ?? labels.open} to ${dayText(toDate)}`;
}

/** So much of it: `12 visits (VS)`, with the unit's code alone where we have no word for it. */
function amount(of: {
  readonly quantity?: number | undefined;
  readonly quantityTypeCode?: string | undefined;
}): string | undefined {
  const { quantity, quantityTypeCode: unit } = of;
  if (quantity === undefined || unit === undefined) return unit ?? quantity?.toString();
  return codeWord("unit", unit) === undefined
    ? `${quantity} ${unit}`
    : `${quantity} ${unitText(unit, quantity)} (${unit})`;
}

function attested(attestation: boolean | string | undefined): string | undefined {
  return typeof attestation === "boolean" ? (attestation ? labels.yes : labels.no) : attestation;
}
