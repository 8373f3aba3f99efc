import { createHash } from "node:crypto";
import type { Bundle } from "fhir/r4";
import { all, at, claimIn, codeOf, everything, guide, submissions, type Rule, type Sample } from "./rule.ts";

/** PAS "Prior Authorization Submission": the bundle, and the people and papers in it. */
export const bundleRules: readonly Rule[] = [
  {
    name: "the bundle is a collection with an identifier and an instant",
    kinds: everything,
    isMet: ({ bundle: { type, identifier, timestamp } }) =>
      type === "collection" &&
      Boolean(identifier?.system && identifier.value) &&
      /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/.test(timestamp ?? ""),
  },
  {
    name: "every entry is a resource under a urn:uuid of its own, and nothing else",
    kinds: everything,
    isMet: ({ bundle: { entry = [] } }) =>
      new Set(entry.map(({ fullUrl }) => fullUrl)).size === entry.length &&
      entry.every(
        ({ fullUrl = "", resource, ...more }) =>
          /^urn:uuid:[0-9a-f-]{36}$/.test(fullUrl) && resource !== undefined && Object.keys(more).length === 0,
      ),
  },
  {
    name: "the Claim comes first",
    kinds: everything,
    isMet: ({ bundle }) => bundle.entry?.[0]?.resource?.resourceType === "Claim",
  },
  {
    name: "every reference leads to exactly one entry, and every entry is led to",
    kinds: everything,
    isMet: ({ bundle }) => {
      const [first, ...others] = bundle.entry ?? [];
      const led = referencesIn(bundle);
      const here = new Set(bundle.entry?.map(({ fullUrl }) => fullUrl));
      return (
        led.every((reference) => here.has(reference)) &&
        others.every(({ fullUrl = "" }) => led.includes(fullUrl)) &&
        !led.includes(first?.fullUrl ?? "")
      );
    },
  },
  {
    name: "the resources say which profile they follow",
    kinds: everything,
    isMet: ({ bundle, kind }) => {
      const claim = { first: "claim", update: "claim-update", cancel: "claim-update", inquiry: "claim-inquiry" }[kind];
      const own = kind === "inquiry" ? "pas-inquiry-request-bundle" : "pas-request-bundle";
      return (
        bundle.meta?.profile?.[0] === `${guide}/profile-${own}` &&
        claimIn(bundle).meta?.profile?.[0] === `${guide}/profile-${claim}` &&
        (bundle.entry ?? []).every(({ resource }) => resource?.meta?.profile?.length === 1)
      );
    },
  },
  {
    name: "every Coverage names the member, the relationship, the payer and the patient",
    kinds: everything,
    isMet: ({ bundle }) =>
      all(bundle, "Coverage").every(
        ({ identifier = [], status, relationship, payor, beneficiary, subscriberId }) =>
          status === "active" &&
          identifier.filter(({ type }) => codeOf(type, memberType) === "MB").length === 1 &&
          codeOf(relationship, "https://codesystem.x12.org/005010/1069") !== undefined &&
          at(bundle, payor[0]?.reference)?.resourceType === "Organization" &&
          at(bundle, beneficiary.reference)?.resourceType === "Patient" &&
          subscriberId !== undefined,
      ),
  },
  {
    name: "every Patient has a member id, a name and a gender",
    kinds: everything,
    isMet: ({ bundle }) =>
      all(bundle, "Patient").every(
        ({ identifier = [], name = [], gender }) =>
          identifier.every(({ system, value }) => Boolean(system && value)) &&
          identifier.length > 0 &&
          name.some(({ family, given = [] }) => Boolean(family) && given.length > 0) &&
          gender !== undefined,
      ),
  },
  {
    name: "every Organization is active and named",
    kinds: everything,
    isMet: ({ bundle }) => all(bundle, "Organization").every(({ active, name }) => active === true && Boolean(name)),
  },
  {
    name: "every identifier of an Organization has a system",
    kinds: everything,
    versions: ["2.0.1"],
    isMet: ({ bundle }) =>
      all(bundle, "Organization").every(({ identifier = [] }) => identifier.every(({ system }) => Boolean(system))),
  },
  {
    name: "every document is current, typed, about the patient, and holds its own data",
    kinds: submissions,
    isMet: (sample) => all(sample.bundle, "DocumentReference").every((document) => isWhole(document, sample)),
  },
];

const memberType = "http://terminology.hl7.org/CodeSystem/v2-0203";
const documentProfiles = {
  "2.2.1": `${guide}/profile-documentreference`,
  "2.0.1": "http://hl7.org/fhir/us/core/StructureDefinition/us-core-documentreference",
};

type Document = ReturnType<typeof all<"DocumentReference">>[number];

function isWhole(
  { meta, status, type, category = [], subject, content }: Document,
  { bundle, version }: Sample,
): boolean {
  const [{ attachment } = { attachment: {} }, ...more] = content;
  const data = Buffer.from(attachment.data ?? "", "base64");
  return (
    meta?.profile?.[0] === documentProfiles[version] &&
    status === "current" &&
    codeOf(type, "http://loinc.org") !== undefined &&
    category.length > 0 &&
    at(bundle, subject?.reference)?.resourceType === "Patient" &&
    more.length === 0 &&
    attachment.url === undefined &&
    Boolean(attachment.contentType) &&
    attachment.size === data.byteLength &&
    attachment.hash === createHash("sha1").update(data).digest("base64") &&
    /^Attachment \d+$/.test(attachment.title ?? "")
  );
}

/** What the entries refer to; the Claim before the one that is updated is named and must not be there. */
function referencesIn({ entry = [] }: Bundle): string[] {
  return entry.flatMap(({ resource }, index) => {
    const { related: _, ...pointing } = (resource ?? {}) as unknown as Record<string, unknown>;
    const found = JSON.stringify(index === 0 ? resource : pointing).matchAll(/"reference":"([^"]*)"/g);
    return [...found].flatMap(([, reference]) => reference ?? []);
  });
}
