import { assert } from "#lib/domain/result";
import type { Diagnosis, Procedure, Provider, ServiceReview } from "#lib/domain/service-review";
import type { Action } from "#lib/domain/task";
import { noSettings, type Build, type Call, type Connector } from "./connector.ts";
import { traceNumber } from "./trace.ts";

type Line = readonly [label: string, value: string | number | undefined];

const headings = {
  transmit: "PRIOR AUTHORIZATION REQUEST",
  void: "REQUEST TO VOID A PRIOR AUTHORIZATION",
} as const satisfies Record<Action, string>;

/** A payer reached by portal, phone or fax: a person carries the packet and records what came back. */
export const manual: Connector = {
  name: "manual",
  checkSettings: noSettings,
  byHand: () => true,
  check: () => [],
  build: (build) => [manualPacket(build)],
  send: () => neverSent(),
  inquire: () => neverSent(),
};

/**
 * The sheet a person sends by hand: everything known of the service review as
 * readable text, and nothing of the members nobody knows. Pure: the same input
 * always gives the same bytes.
 */
export function manualPacket(build: Build): Call {
  const { review } = build;
  const sections = [
    section(
      `${headings[build.action]}${build.destination.environment === "test" ? " - TEST, NOT A REAL CASE" : ""}`,
      head(build),
    ),
    section("Member", memberLines(review)),
    section("Requesting provider", providerLines(review.requestingProvider)),
    ...(review.renderingProviders ?? []).map((provider, index) =>
      section(`Rendering provider ${index + 1}`, providerLines(provider)),
    ),
    section("Request", requestLines(review)),
    ...review.procedures.map((procedure, index) => section(`Service ${index + 1}`, procedureLines(procedure))),
    ...(review.diagnoses ?? []).map((diagnosis, index) => section(`Diagnosis ${index + 1}`, diagnosisLines(diagnosis))),
    section(
      "Notes",
      (review.providerNotes ?? []).map(({ message }, index) => [`Note ${index + 1}`, message]),
    ),
  ];
  return {
    method: "MANUAL",
    url: `manual:${encodeURIComponent(build.destination.payerId)}`,
    contentType: "text/plain; charset=utf-8",
    body: Buffer.from(`${sections.filter((text) => text !== "").join("\n\n")}\n`, "utf8"),
  };
}

function neverSent(): never {
  assert(false, "an action carried by hand is never sent or inquired about by the service");
}

function head({
  action,
  revision,
  taskId,
  practice,
  destination,
  openedAt,
  payerReference,
  reason,
  review,
}: Build): readonly Line[] {
  return [
    ["Payer", named(destination.payerName ?? review.payer.name, destination.payerId)],
    ["Practice", named(practice.name, practice.id)],
    ["Trace number", traceNumber({ taskId, revision, action })],
    ["Payer's reference", payerReference],
    ["Reason for the void", action === "void" ? reason : undefined],
    ["Revision", revision],
    ["Prepared at", openedAt.toISOString()],
  ];
}

function memberLines({ subscriber, patient }: ServiceReview): readonly Line[] {
  return [
    ["Member id", subscriber?.memberId],
    ["Subscriber", personName(subscriber)],
    ["Patient", personName(patient)],
    ["Birth date", patient?.birthDate],
    ["Gender", patient?.genderCode],
    ["Relationship to subscriber", patient?.subscriberRelationshipCode],
  ];
}

function providerLines(provider: Provider | undefined): readonly Line[] {
  return [
    ["Name", personName(provider)],
    ["Organization", provider?.organizationName],
    ["NPI", provider?.npi],
    ["Tax id", provider?.taxId],
    ["Specialty", provider?.specialtyCode],
    ["Contact", provider?.contactName],
    ["Phone", provider?.phone],
    ["Fax", provider?.fax],
  ];
}

function requestLines(review: ServiceReview): readonly Line[] {
  return [
    ["Request type", review.requestTypeCode],
    ["Certification type", review.certificationTypeCode],
    ["Service type", review.serviceTypeCode],
    ["Place of service", review.placeOfServiceCode],
    ["Level of service", review.serviceLevelCode],
    ["Urgency attested", attested(review.urgentAttestation)],
    ["Dates", dates(review)],
    ["Quantity", amount(review)],
    ["External reference", review.externalReference],
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
  ];
}

function diagnosisLines(diagnosis: Diagnosis): readonly Line[] {
  return [
    ["Code", diagnosis.code],
    ["Qualifier", diagnosis.qualifierCode],
    ["Described by the sender as", diagnosis.description],
    ["Date", diagnosis.date],
  ];
}

function section(title: string, lines: readonly Line[]): string {
  const known = lines.flatMap(([label, value]) =>
    value === undefined ? [] : [`${label}: ${indented(String(value))}`],
  );
  return known.length > 0 ? [title, "-".repeat(title.length), ...known].join("\n") : "";
}

/** Later lines of a value are set in, so that no value can pose as a line of the sheet. */
function indented(value: string): string {
  return value.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/u).join("\n    ");
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
