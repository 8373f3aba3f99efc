import { randomUUID } from "node:crypto";
import type { Bundle, Claim, ClaimItem, Extension, Identifier } from "fhir/r4";
import { assert } from "#lib/platform/result";
import type { Build, Call } from "#lib/payer/connector";
import { operationUrl } from "./build.ts";
import { isCancelled, untouched } from "./marks.ts";
import { defined } from "./parts.ts";
import { reachable } from "./references.ts";
import { readSettings, type PasVersion } from "./settings.ts";
import { extensions, profiles, systems } from "./vocabulary.ts";

/** What an inquiry gives as its example: the request as it was sent, or any service of the patient. */
export type Example = "request" | "any-service";

type InquiryInput = {
  /** The submission as it was sent. */
  readonly sent: Call;
  readonly destination: Build["destination"];
  readonly payerReference: string | undefined;
  /** What this inquiry is called; another each time. */
  readonly trace: string;
  readonly example: Example;
};

/**
 * The `Claim/$inquire` for one sent request: a query by example of one patient, with the payer's own reference where it is
 * known (PAS 2.2.1 "Prior Authorization Inquiries"). It repeats patient, payer, coverage and requester as they were sent, the
 * services with their providers and days or "not-applicable" for any service, and nothing clinical. Its trace number names
 * the inquiry and nothing that was sent, so that an answer which names what was sent has it from the payer's own record.
 */
export function inquiry({ sent, destination, trace, ...query }: InquiryInput): Call {
  // Safe because the bytes are a bundle that `build` made.
  const request = JSON.parse(Buffer.from(sent.body).toString("utf8")) as Bundle;
  const [first, ...others] = request.entry ?? [];
  assert(first?.resource?.resourceType === "Claim", "a sent bundle begins with its Claim");
  // Safe because the line above has just seen that it is a Claim.
  const submitted = first.resource as Claim;
  const now = new Date().toISOString();
  const claim: Claim = {
    ...queryOf(submitted, { ...query, trace, version: readSettings(destination).version }),
    created: now,
  };
  const bundle: Bundle = {
    resourceType: "Bundle",
    meta: { ...request.meta, profile: [profiles.inquiryBundle] },
    identifier: { system: systems.uri, value: `urn:uuid:${randomUUID()}` },
    type: "collection",
    timestamp: now,
    entry: [{ fullUrl: `urn:uuid:${randomUUID()}`, resource: claim }, ...reachable([claim], others)],
  };
  return {
    method: "POST",
    url: operationUrl(destination, "$inquire"),
    contentType: "application/fhir+json",
    body: Buffer.from(JSON.stringify(bundle), "utf8"),
  };
}

type Query = Pick<InquiryInput, "payerReference" | "trace" | "example"> & { readonly version: PasVersion };

function queryOf(claim: Claim, { payerReference, trace, example, version }: Query): Claim {
  const { status, type, use, patient, created, extension = [], insurer, provider, priority, insurance } = claim;
  const items = example === "request" ? (claim.item ?? []).filter((each) => !isCancelled(each)) : [];
  const wanted: readonly string[] = [
    extensions.transmissionIdentifiers,
    ...(items.length > 0 ? [extensions.levelOfServiceCode] : []),
  ];
  const reference =
    payerReference === undefined
      ? []
      : [{ url: extensions.administrationReferenceNumber, valueString: payerReference }];
  // 2.0.1 has a place for it on the item alone.
  const head = [...extension.filter(({ url }) => wanted.includes(url)), ...(version === "2.2.1" ? reference : [])];
  return defined<Claim>({
    resourceType: "Claim",
    meta: { profile: [profiles.claimInquiry] },
    extension: head.length > 0 ? head : undefined,
    identifier: claim.identifier?.slice(0, 1).map(({ system }) => defined<Identifier>({ system, value: trace })),
    status,
    type,
    use,
    patient,
    created,
    insurer,
    provider,
    priority,
    insurance,
    ...(items.length > 0 ? servicesOf(claim, items, reference) : { item: [anyService(reference)] }),
  });
}

function anyService(reference: readonly Extension[]): ClaimItem {
  return defined<ClaimItem>({
    extension: reference.length > 0 ? [...reference] : undefined,
    sequence: 1,
    productOrService: {
      coding: [{ system: systems.dataAbsent, code: "not-applicable" }],
    },
  });
}

/** The extensions of an item that an inquiry repeats. An authorization number is none of them: it is that of an earlier authorization. */
const repeatedExtensions: readonly string[] = [
  ...[extensions.itemTraceNumber, extensions.serviceItemRequestType, extensions.certificationType],
  extensions.productOrServiceCodeEnd,
];

const dateCategories: readonly (string | undefined)[] = ["patientEvent", "admissionDates", "dischargeDates"];

type Services = Pick<Claim, "billablePeriod" | "careTeam" | "supportingInfo" | "item">;

/** The services of a request as its example: what, when, where and by whom. */
function servicesOf(
  { careTeam, supportingInfo = [] }: Claim,
  items: readonly ClaimItem[],
  reference: readonly Extension[],
): Services {
  const dates = supportingInfo.filter(
    (each) => !isCancelled(each) && dateCategories.includes(each.category.coding?.[0]?.code),
  );
  const byDay = (one: string, other: string) => (one < other ? -1 : 1);
  const [start] = items
    .flatMap(({ servicedDate, servicedPeriod }) => servicedDate ?? servicedPeriod?.start ?? [])
    .toSorted(byDay);
  const end = items
    .flatMap(({ servicedDate, servicedPeriod }) => servicedDate ?? servicedPeriod?.end ?? [])
    .toSorted(byDay)
    .at(-1);
  return defined<Services>({
    billablePeriod: start === undefined ? undefined : defined({ start, end }),
    careTeam,
    supportingInfo: dates.length > 0 ? dates.map(untouched) : undefined,
    item: items.map((item) => asExample(item, reference)),
  });
}

/** An item without what is clinical, what it is to cost, and the marks of an update. */
function asExample(item: ClaimItem, reference: readonly Extension[]): ClaimItem {
  const { sequence, careTeamSequence, revenue, category, productOrService, modifier, quantity } = item;
  return defined<ClaimItem>({
    extension: [...(item.extension ?? []).filter(({ url }) => repeatedExtensions.includes(url)), ...reference],
    sequence,
    careTeamSequence,
    revenue,
    category,
    productOrService,
    modifier,
    servicedDate: item.servicedDate,
    servicedPeriod: item.servicedPeriod,
    locationCodeableConcept: item.locationCodeableConcept,
    quantity,
  });
}
