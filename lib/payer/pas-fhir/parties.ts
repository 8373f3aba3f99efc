import type {
  Coverage,
  HumanName,
  Identifier,
  Organization,
  OrganizationContact,
  Patient,
  Practitioner,
  PractitionerRole,
  Reference,
  Resource,
} from "fhir/r4";
import { assert } from "#lib/platform/result";
import type { Provider, ServiceReview } from "#lib/task/model/service-review";
import type { Build } from "#lib/payer/connector";
import { uuidOf } from "#lib/payer/trace";
import { solid } from "#lib/payer/solid";
import { self } from "#lib/payer/x12-needs";
import { defined } from "./defined.ts";
import { readSettings } from "./settings.ts";
import { profiles, systems } from "./vocabulary.ts";

/** A bundle entry whose fullUrl derives from the task and what identifies it there. */
export type Entry<Kind extends Resource = Resource> = { readonly fullUrl: string; readonly resource: Kind };

/** Everybody a request speaks of; `entries` holds each exactly once, in bundle order. */
export type Parties = {
  readonly insurer: Reference;
  readonly requestor: Reference;
  readonly patient: Reference;
  readonly coverage: Reference;
  readonly careTeam: readonly { readonly provider: Reference; readonly specialtyCode?: string | undefined }[];
  readonly entries: readonly Entry[];
};

type Part = { readonly reference: Reference; readonly entries: readonly Entry[] };
type Names = (part: string) => string;

const genders = { F: "female", M: "male", U: "unknown" } as const;

/** The resources a complete review's people and organizations become, PAS section "Prior Authorization Submission". */
export function partiesOf(build: Build): Parties {
  const name = namesOf(build);
  const insurer = insurerOf(build, name);
  const requestor = requestorOf(build, name);
  const members = membersOf(build, name, insurer.reference);
  const requesting = build.review.requestingProvider?.npi;
  const rendering = distinct(build.review.renderingProviders ?? []).map((provider) => ({
    provider,
    part: provider.npi === requesting ? { ...requestor, entries: [] } : renderingOf(provider, name),
  }));
  return {
    insurer: insurer.reference,
    requestor: requestor.reference,
    patient: members.patient,
    coverage: members.coverage,
    careTeam: rendering.map(({ provider, part }) => ({
      provider: part.reference,
      specialtyCode: provider.specialtyCode,
    })),
    entries: [
      ...requestor.entries,
      ...insurer.entries,
      ...members.entries,
      ...rendering.flatMap(({ part }) => part.entries),
    ],
  };
}

/** The fullUrl of everybody and everything a task's requests speak of: the same in all of them. */
export function namesOf({ taskId }: Pick<Build, "taskId">): Names {
  return (part) => `urn:uuid:${uuidOf(`${taskId}/${part}`)}`;
}

/** Where ids of this payer's own making live; a payer that assigned a system of its own needs a route setting. */
function sidOf({ url }: Build["destination"], kind: "member-id" | "payer-id"): string {
  assert(url !== undefined, "a PAS route has a base address");
  return `${url.replace(/\/+$/, "")}/sid/${kind}`;
}

function insurerOf({ destination, review }: Build, name: Names): Part {
  const organization: Organization = {
    resourceType: "Organization",
    meta: { profile: [profiles.insurer] },
    identifier: [payerIdentifier(destination)],
    active: true,
    type: [{ coding: [{ system: systems.entity, code: "PR" }] }],
    name: destination.payerName ?? solid(review.payer.name) ?? destination.payerId,
  };
  return part(name(`insurer/${destination.payerId}`), organization);
}

/** 2.2.1 has a type for a payer's id; 2.0.1 demands a system of every identifier and names none for this one. */
function payerIdentifier(destination: Build["destination"]): Identifier {
  const type = { coding: [{ system: systems.payerIdType, code: "payerid" }] };
  return readSettings(destination).version === "2.2.1"
    ? { type, value: destination.payerId }
    : { type, system: sidOf(destination, "payer-id"), value: destination.payerId };
}

/** A provider with a person's name asks in a role at the practice, and the NPI is the person's; any other asks as an organization. */
function requestorOf({ review, practice }: Build, name: Names): Part {
  const provider = review.requestingProvider;
  assert(provider?.npi !== undefined, "a complete review names its requesting provider");
  const individual = solid(provider.lastName) !== undefined;
  const organization = defined<Organization>({
    resourceType: "Organization",
    meta: { profile: [profiles.requestor] },
    identifier: identifiers(individual ? { taxId: provider.taxId } : provider),
    active: true,
    type: [{ coding: [{ system: systems.entity, code: "1P" }] }],
    name: solid(provider.organizationName) ?? practice.name,
    contact: contacts(provider),
  });
  const home = part(name(`requestor/${provider.npi}`), organization);
  if (!individual) return home;
  const role = roleOf(provider, name, { at: `requestor/${provider.npi}`, organization: home.reference });
  return { reference: role.reference, entries: [...role.entries, ...home.entries] };
}

function renderingOf(provider: Provider, name: Names): Part {
  if (solid(provider.lastName) !== undefined) return roleOf(provider, name, { at: `rendering/${provider.npi}` });
  const organization = defined<Organization>({
    resourceType: "Organization",
    meta: { profile: [profiles.organization] },
    identifier: identifiers(provider),
    active: true,
    name: provider.organizationName,
    contact: contacts(provider),
  });
  return part(name(`rendering/${provider.npi}`), organization);
}

function roleOf(
  provider: Provider,
  name: Names,
  role: { readonly at: string; readonly organization?: Reference },
): Part {
  assert(provider.lastName !== undefined, "a person's role is a named person's");
  const practitioner: Practitioner = {
    resourceType: "Practitioner",
    meta: { profile: [profiles.practitioner] },
    identifier: [{ system: systems.npi, value: provider.npi ?? "" }],
    name: [nameOf(provider)],
  };
  const person = part(name(`${role.at}/person`), practitioner);
  const resource = defined<PractitionerRole>({
    resourceType: "PractitionerRole",
    meta: { profile: [profiles.practitionerRole] },
    practitioner: person.reference,
    organization: role.organization,
    specialty:
      provider.specialtyCode === undefined
        ? undefined
        : [{ coding: [{ system: systems.taxonomy, code: provider.specialtyCode }] }],
    telecom: telecoms(provider),
  });
  const own = part(name(`${role.at}/role`), resource);
  return { reference: own.reference, entries: [...own.entries, ...person.entries] };
}

function membersOf(
  build: Build,
  name: Names,
  payor: Reference,
): { patient: Reference; coverage: Reference; entries: readonly Entry[] } {
  const { subscriber, patient } = build.review;
  assert(subscriber?.memberId !== undefined && patient !== undefined, "a complete review names its member");
  const relationship = patient.subscriberRelationshipCode ?? self;
  const isSelf = relationship === self;
  const member = subscriber.memberId;
  const identifier = memberIdentifier(build, subscriber.memberId);
  const beneficiary = part(
    name(`patient/${member}`),
    patientOf({ person: patient, identifier, profile: isSelf ? profiles.subscriber : profiles.beneficiary }),
  );
  const holder = isSelf
    ? beneficiary
    : part(name(`subscriber/${member}`), patientOf({ person: subscriber, identifier, profile: profiles.subscriber }));
  const coverage = defined<Coverage>({
    resourceType: "Coverage",
    meta: { profile: [profiles.coverage] },
    identifier: [identifier],
    status: "active",
    subscriber: holder.reference,
    subscriberId: subscriber.memberId,
    beneficiary: beneficiary.reference,
    relationship: {
      coding: [...relationshipCoding(relationship), { system: systems.relationshipX12, code: relationship }],
    },
    payor: [payor],
  });
  const covered = part(name(`coverage/${member}`), coverage);
  const entries = [...covered.entries, ...beneficiary.entries, ...(isSelf ? [] : holder.entries)];
  return { patient: beneficiary.reference, coverage: covered.reference, entries };
}

type Person = NonNullable<ServiceReview["patient"]> | NonNullable<ServiceReview["subscriber"]>;

function patientOf({
  person,
  identifier,
  profile,
}: {
  person: Person;
  identifier: Identifier;
  profile: string;
}): Patient {
  const { birthDate, genderCode } = person as NonNullable<ServiceReview["patient"]>;
  return defined<Patient>({
    resourceType: "Patient",
    meta: { profile: [profile] },
    identifier: [identifier],
    name: [nameOf(person)],
    gender: genders[genderCode ?? "U"],
    birthDate,
  });
}

/** FHIR's own word for the relationships it has one for; the X12 code always stands beside it. */
function relationshipCoding(code: string): readonly { system: string; code: string }[] {
  const words: Readonly<Record<string, string>> = { "01": "spouse", "18": "self", "19": "child", G8: "other" };
  const word = words[code];
  return word === undefined ? [] : [{ system: systems.relationship, code: word }];
}

function memberIdentifier({ destination }: Build, memberId: string): Identifier {
  return {
    type: { coding: [{ system: systems.identifierType, code: "MB" }] },
    system: sidOf(destination, "member-id"),
    value: memberId,
  };
}

function identifiers({ npi, taxId }: Pick<Provider, "npi" | "taxId">): Identifier[] | undefined {
  const list = [
    ...(npi === undefined ? [] : [{ system: systems.npi, value: npi }]),
    ...(taxId === undefined ? [] : [{ system: systems.taxId, value: taxId }]),
  ];
  return list.length > 0 ? list : undefined;
}

function contacts(provider: Provider): OrganizationContact[] | undefined {
  const telecom = telecoms(provider);
  const contact = solid(provider.contactName);
  const name = contact === undefined ? undefined : { text: contact };
  return telecom || name ? [defined<OrganizationContact>({ name, telecom })] : undefined;
}

function telecoms({ phone, fax }: Provider): { system: "phone" | "fax"; value: string }[] | undefined {
  const known = [
    { system: "phone" as const, value: solid(phone) },
    { system: "fax" as const, value: solid(fax) },
  ];
  const list = known.flatMap(({ system, value }) => (value === undefined ? [] : [{ system, value }]));
  return list.length > 0 ? list : undefined;
}

function nameOf({ lastName, firstName }: Pick<Provider, "lastName" | "firstName">): HumanName {
  const given = solid(firstName);
  return defined<HumanName>({ family: solid(lastName), given: given === undefined ? undefined : [given] });
}

function distinct(providers: readonly Provider[]): readonly Provider[] {
  return [...new Map(providers.map((provider) => [provider.npi, provider])).values()];
}

function part(fullUrl: string, resource: Resource): Part {
  return { reference: { reference: fullUrl }, entries: [{ fullUrl, resource }] };
}
