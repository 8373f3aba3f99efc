import type {
  Coverage,
  CoverageClass,
  HumanName,
  Identifier,
  Organization,
  OrganizationContact,
  Patient,
  Practitioner,
  PractitionerRole,
  Reference,
  Location,
} from "fhir/r4";
import { assert } from "#lib/platform/result";
import type { Provider, ServiceReview } from "#lib/task/model/service-review";
import type { Build } from "#lib/payer/connector";
import { nonBlank } from "#lib/payer/wire-text";
import { self } from "#lib/payer/x12-needs";
import {
  addressesOf,
  telecomsOf,
  unknownPhone,
  concept,
  defined,
  type Entry,
  type Names,
  namesOf,
  part,
  type Part,
  addressOf,
} from "./parts.ts";
import { readSettings, type PasVersion } from "./settings.ts";
import { profiles, systems } from "./vocabulary.ts";

/** Everybody a request speaks of; `entries` holds each exactly once, in bundle order. */
export type Parties = {
  readonly insurer: Reference;
  readonly requestor: Reference;
  readonly patient: Reference;
  readonly coverage: Reference;
  readonly careTeam: readonly CareTeamMember[];
  readonly entries: readonly Entry[];
};

/** A rendering provider, with what the Claim itself says of it. */
export type CareTeamMember = {
  readonly provider: Reference;
  readonly npi?: string | undefined;
  readonly specialtyCode?: string | undefined;
  readonly roleCode?: string | undefined;
};

const genders = { F: "female", M: "male", U: "unknown" } as const;

/** The resources a complete review's people and organizations become, PAS section "Prior Authorization Submission". */
export function partiesOf(build: Build): Parties {
  const name = namesOf(build);
  const insurer = insurerOf(build, name);
  const issuer = issuerOf(build, name) ?? insurer;
  const requestor = requestorOf(build, name);
  const members = membersOf(build, name, issuer.reference);
  const requesting = build.review.requestingProvider?.npi;
  const rendering = distinct(build.review.renderingProviders ?? []).map((provider) => ({
    provider,
    part:
      provider.npi === requesting
        ? { ...requestor, entries: [] }
        : renderingOf(provider, name, readSettings(build.destination).version),
  }));
  const facility = visited(build);
  return {
    insurer: insurer.reference,
    requestor: requestor.reference,
    patient: members.patient,
    coverage: members.coverage,
    careTeam: [
      ...rendering.map(({ provider: { npi, specialtyCode, roleCode }, part: { reference } }) => ({
        provider: reference,
        npi,
        specialtyCode,
        roleCode,
      })),
      ...facility.map(({ reference }) => ({ provider: reference, roleCode: facilityRole })),
    ],
    entries: [
      ...requestor.entries,
      ...insurer.entries,
      ...(issuer === insurer ? [] : issuer.entries),
      ...members.entries,
      ...[...rendering.map(({ part }) => part), ...facility].flatMap(({ entries }) => entries),
    ],
  };
}

/** X12 98: a facility among the providers. */
const facilityRole = "FA";

/** The facility of a request without a stay takes part as a provider; that of a stay belongs to its Encounter. */
function visited(build: Build): readonly Part[] {
  if (build.review.admissionTypeCode !== undefined) return [];
  const { organization, entries } = facilityOf(build);
  return organization
    ? [{ reference: organization, entries: entries.filter(({ fullUrl }) => fullUrl === organization.reference) }]
    : [];
}

/** The identifier system of ids that this payer assigns: the one set for the route, or one under the payer's address. */
function systemOf(destination: Build["destination"], kind: "member-id" | "payer-id"): string {
  const { memberIdSystem, payerIdSystem } = readSettings(destination);
  const set = kind === "member-id" ? memberIdSystem : payerIdSystem;
  if (set !== undefined) return set;
  assert(destination.url !== undefined, "a PAS route has a base address");
  return `${destination.url.replace(/\/+$/, "")}/sid/${kind}`;
}

/** Who the request is for: FHIR's target of a Claim. */
function insurerOf({ destination, review }: Build, name: Names): Part {
  const { payerId: id, payerName, delegatedBy } = destination;
  // A request for another payer names that one.
  const named = delegatedBy ? undefined : nonBlank(review.payer.name);
  const organization = payerOf(destination, { id, name: payerName ?? named ?? id });
  return part(name(`insurer/${id}`), organization);
}

/** The issuer of the policy, where it has another organization review the request; otherwise that is the insurer. */
function issuerOf({ destination, review }: Build, name: Names): Part | undefined {
  const { delegatedBy } = destination;
  if (!delegatedBy) return undefined;
  const { id } = delegatedBy;
  const organization = payerOf(destination, { id, name: delegatedBy.name ?? nonBlank(review.payer.name) ?? id });
  return part(name(`issuer/${id}`), organization);
}

function payerOf(destination: Build["destination"], payer: { readonly id: string; readonly name: string }) {
  return {
    resourceType: "Organization",
    meta: { profile: [profiles.insurer] },
    identifier: [payerIdentifier(destination, payer.id)],
    active: true,
    type: [{ coding: [{ system: systems.entity, code: "PR" }] }],
    name: payer.name,
  } satisfies Organization;
}

/** Both versions demand a system of every identifier (profile-identifier) and name none for a payer's id. */
function payerIdentifier(destination: Build["destination"], value: string): Identifier {
  return {
    type: { coding: [{ system: systems.payerIdType, code: "payerid" }] },
    system: systemOf(destination, "payer-id"),
    value,
  };
}

/** A provider with a person's name asks in a role at the practice, and the NPI is the person's; any other asks as an organization. */
function requestorOf({ review, practice, destination }: Build, name: Names): Part {
  const provider = review.requestingProvider;
  assert(provider?.npi !== undefined, "a complete review names its requesting provider");
  const individual = nonBlank(provider.lastName) !== undefined;
  const organization = defined<Organization>({
    resourceType: "Organization",
    meta: { profile: [profiles.requestor] },
    identifier: identifiers(individual ? { taxId: provider.taxId } : provider),
    active: true,
    type: [{ coding: [{ system: systems.entity, code: "1P" }] }],
    name: nonBlank(provider.organizationName) ?? practice.name,
    telecom: individual ? undefined : telecomsOf(provider),
    address: individual ? undefined : addressesOf(provider),
    contact: contacts(provider),
  });
  const home = part(name(`requestor/${provider.npi}`), organization);
  if (!individual) return home;
  const at = `requestor/${provider.npi}`;
  const role = roleOf(provider, name, { at, organization: home.reference, version: readSettings(destination).version });
  return { reference: role.reference, entries: [...role.entries, ...home.entries] };
}

function renderingOf(provider: Provider, name: Names, version: PasVersion): Part {
  if (nonBlank(provider.lastName) !== undefined)
    return roleOf(provider, name, { at: `rendering/${provider.npi}`, version });
  const organization = defined<Organization>({
    resourceType: "Organization",
    meta: { profile: [profiles.organization] },
    identifier: identifiers(provider),
    active: true,
    name: provider.organizationName,
    telecom: telecomsOf(provider),
    address: addressesOf(provider),
    contact: contacts(provider),
  });
  return part(name(`rendering/${provider.npi}`), organization);
}

function roleOf(
  provider: Provider,
  name: Names,
  role: { readonly at: string; readonly organization?: Reference; readonly version: PasVersion },
): Part {
  assert(provider.lastName !== undefined, "a person's role is a named person's");
  const practitioner = defined<Practitioner>({
    resourceType: "Practitioner",
    meta: { profile: [profiles.practitioner] },
    identifier: [{ system: systems.npi, value: provider.npi ?? "" }],
    name: [nameOf(provider)],
    telecom: telecomsOf(provider),
    address: addressesOf(provider),
  });
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
    telecom: telecomsOf(provider) ?? (role.version === "2.2.1" ? [unknownPhone] : undefined),
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
    patientOf({
      person: isSelf ? { ...subscriber, ...patient } : patient,
      identifier,
      profile: isSelf ? profiles.subscriber : profiles.beneficiary,
    }),
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
    ...planOf(build.review.coverage),
    payor: [payor],
  });
  const covered = part(name(`coverage/${member}`), coverage);
  const entries = [...covered.entries, ...beneficiary.entries, ...(isSelf ? [] : holder.entries)];
  return { patient: beneficiary.reference, coverage: covered.reference, entries };
}

/** The plan and the group of a coverage, and how long it lasts. */
function planOf(coverage: ServiceReview["coverage"]): Pick<Coverage, "class" | "period"> {
  const { groupNumber, groupName, planNumber, planName, fromDate, toDate } = coverage ?? {};
  const classes = [classOf("group", groupNumber, groupName), classOf("plan", planNumber, planName)].flat();
  return defined<Pick<Coverage, "class" | "period">>({
    period: fromDate === undefined && toDate === undefined ? undefined : defined({ start: fromDate, end: toDate }),
    class: classes.length > 0 ? classes : undefined,
  });
}

function classOf(type: "group" | "plan", number: string | undefined, name: string | undefined): CoverageClass[] {
  const value = nonBlank(number) ?? nonBlank(name);
  if (value === undefined) return [];
  return [defined<CoverageClass>({ type: concept(systems.coverageClass, type), value, name: nonBlank(name) })];
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
  // Safe because a subscriber has each of these members or none of the name.
  const { birthDate, genderCode, birthOrder } = person as NonNullable<ServiceReview["patient"]>;
  const { phone, languageCode } = person;
  return defined<Patient>({
    resourceType: "Patient",
    meta: { profile: [profile] },
    identifier: [identifier],
    name: [nameOf(person)],
    telecom: telecomsOf({ phone })?.map((telecom) => ({ ...telecom, use: "home" as const })),
    gender: genders[genderCode ?? "U"],
    birthDate,
    address: addressesOf(person),
    multipleBirthInteger: birthOrder,
    communication: languageCode === undefined ? undefined : [{ language: concept(systems.language, languageCode) }],
  });
}

/** FHIR's own word for the relationships it has one for; the X12 code always stands beside it. */
function relationshipCoding(code: string): readonly { system: string; code: string }[] {
  const displays: Readonly<Record<string, string>> = { "01": "spouse", "18": "self", "19": "child", G8: "other" };
  const word = displays[code];
  return word === undefined ? [] : [{ system: systems.relationship, code: word }];
}

function memberIdentifier({ destination }: Build, memberId: string): Identifier {
  return {
    type: { coding: [{ system: systems.identifierType, code: "MB" }] },
    system: systemOf(destination, "member-id"),
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
  const telecom = telecomsOf(provider);
  const contact = nonBlank(provider.contactName);
  const name = contact === undefined ? undefined : { text: contact };
  return telecom || name ? [defined<OrganizationContact>({ name, telecom })] : undefined;
}

type PersonName = Pick<Provider, "lastName" | "firstName" | "middleName"> &
  Partial<Record<"namePrefix" | "nameSuffix", string | undefined>>;

function nameOf({ lastName, firstName, middleName, namePrefix, nameSuffix }: PersonName): HumanName {
  const listOf = (...parts: readonly (string | undefined)[]) => {
    const list = parts.flatMap((each) => nonBlank(each) ?? []);
    return list.length > 0 ? list : undefined;
  };
  return defined<HumanName>({
    family: nonBlank(lastName),
    given: listOf(firstName, middleName),
    prefix: listOf(namePrefix),
    suffix: listOf(nameSuffix),
  });
}

function distinct(providers: readonly Provider[]): readonly Provider[] {
  return [...new Map(providers.map((provider) => [provider.npi, provider])).values()];
}

/** Where the service is provided, as an organization and, where its address is known, as a place. */
export type Facility = {
  readonly organization?: Reference;
  readonly location?: Reference;
  readonly entries: readonly Entry[];
};

/** The facility a review names; nothing without its name, which both profiles demand. */
export function facilityOf(from: Build): Facility {
  const { facility } = from.review;
  const title = nonBlank(facility?.name);
  if (!facility || title === undefined) return { entries: [] };
  const name = namesOf(from);
  const address = addressOf(facility);
  const telecom = telecomsOf(facility);
  const identifier = facility.npi === undefined ? undefined : [{ system: systems.npi, value: facility.npi }];
  const organization = part(
    name("facility/organization"),
    defined<Organization>({
      resourceType: "Organization",
      meta: { profile: [profiles.organization] },
      identifier,
      active: true,
      name: title,
      telecom,
      address: address && [address],
    }),
  );
  if (!address) return { organization: organization.reference, entries: organization.entries };
  const location = part(
    name("facility/location"),
    defined<Location>({
      resourceType: "Location",
      meta: { profile: [profiles.location] },
      identifier,
      status: "active",
      name: title,
      telecom,
      address,
      managingOrganization: organization.reference,
    }),
  );
  return {
    location: location.reference,
    organization: organization.reference,
    entries: [...location.entries, ...organization.entries],
  };
}
