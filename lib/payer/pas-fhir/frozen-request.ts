import { z } from "zod";
import { providedBy } from "#lib/task/model/requested-lines";
import type { StatedTerms } from "#lib/payer/model/authorization-conflicts";
import type { Call } from "#lib/payer/connector";
import type { Person } from "#lib/payer/same-person";
import { actionOfTrace } from "#lib/payer/trace";
import { requestedCoverage, type RequestedCoverage } from "./coverage.ts";
import { idsOf, providersIn, type Providers } from "./providers.ts";
import { extensions, systems, testMarker } from "./vocabulary.ts";
import type { Patient } from "./resources.ts";

/** What our own frozen request says that a reply must echo. */
export type FrozenRequest = {
  readonly call: Call;
  readonly bundleId: string;
  readonly trace: { readonly system: string; readonly value: string };
  readonly claimUrl: string;
  readonly madeAt?: Date | undefined;
  readonly patientUrl: string;
  readonly memberId: string;
  readonly patient: Person;
  /** The coverage that the request is under. */
  readonly coverage?: RequestedCoverage | undefined;
  readonly test: boolean;
  /** By item sequence. */
  readonly items: ReadonlyMap<number, StatedTerms>;
  /** Whom the request names as asking or providing, by address. */
  readonly providers: Providers;
  /** The items this request takes back; a payer confirms that as cancelled. */
  readonly cancelled: ReadonlySet<number>;
};

/** Whether the request takes back all that was asked for. */
export function isVoid({ trace }: FrozenRequest): boolean {
  return actionOfTrace(trace.value) === "void";
}

const coding = z.object({ system: z.string(), code: z.string() });
const concept = z.object({ coding: z.tuple([coding]) });
const reference = z.object({ reference: z.string() });
const identifier = z.object({ system: z.string(), value: z.string() });

const bundleSchema = z.object({
  resourceType: z.literal("Bundle"),
  meta: z.object({ tag: z.array(coding).optional() }),
  identifier,
  entry: z.tuple(
    [z.object({ fullUrl: z.string(), resource: z.unknown() })],
    z.object({ fullUrl: z.string(), resource: z.unknown() }),
  ),
});

const claimSchema = z.object({
  resourceType: z.literal("Claim"),
  identifier: z.tuple([identifier]),
  created: z.string().optional(),
  patient: reference,
  insurance: z.array(z.object({ coverage: reference })).optional(),
  careTeam: z.array(z.object({ sequence: z.number(), provider: reference })).optional(),
  item: z.array(
    z.object({
      sequence: z.number(),
      careTeamSequence: z.array(z.number()).optional(),
      productOrService: concept,
      modifier: z.array(concept).optional(),
      revenue: concept.optional(),
      locationCodeableConcept: concept.optional(),
      quantity: z.object({ value: z.number(), code: z.string().optional() }).optional(),
      servicedDate: z.string().optional(),
      servicedPeriod: z.object({ start: z.string(), end: z.string() }).optional(),
      modifierExtension: z.array(z.object({ url: z.string(), valueBoolean: z.boolean().optional() })).optional(),
    }),
  ),
});

const patientSchema = z.object({
  resourceType: z.literal("Patient"),
  identifier: z.tuple([z.object({ value: z.string() })]),
  name: z.array(
    z.object({
      family: z.string().optional(),
      given: z.array(z.string()).optional(),
    }),
  ),
  gender: z.string().optional(),
  birthDate: z.string().optional(),
});

/** Reads back a request this connector built; undefined for a call of any other kind. */
export function readFrozenRequest(call: Call): FrozenRequest | undefined {
  const { contentType, body } = call;
  if (contentType !== "application/fhir+json") return undefined;
  const bundle = bundleSchema.parse(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)));
  const [first] = bundle.entry;
  const claim = claimSchema.parse(first.resource);
  const [trace] = claim.identifier;
  const patientUrl = claim.patient.reference;
  const providers = providersIn(bundle.entry.filter(({ resource }) => !isPayer(resource)));
  const patient = patientSchema.parse(bundle.entry.find(({ fullUrl }) => fullUrl === patientUrl)?.resource);
  return {
    call,
    bundleId: bundle.identifier.value,
    trace,
    claimUrl: first.fullUrl,
    madeAt: instantOf(claim.created),
    patientUrl,
    memberId: patient.identifier[0].value,
    patient: personOf(patient),
    coverage: requestedCoverage(claim.insurance?.[0]?.coverage.reference, bundle.entry),
    test: (bundle.meta.tag ?? []).some(({ system, code }) => system === testMarker.system && code === testMarker.code),
    items: new Map(claim.item.map((item) => [item.sequence, { ...termsOf(item), ...byWhom(item, claim, providers) }])),
    providers,
    cancelled: new Set(claim.item.filter(isCancelled).map(({ sequence }) => sequence)),
  };
}

function instantOf(created: string | undefined): Date | undefined {
  const at = created === undefined ? NaN : Date.parse(created);
  return Number.isNaN(at) ? undefined : new Date(at);
}

const payerSchema = z.object({ type: z.tuple([z.object({ coding: z.tuple([z.object({ code: z.literal("PR") })]) })]) });

/** The organization that the request is for, or that issued the policy. */
function isPayer(resource: unknown): boolean {
  return payerSchema.safeParse(resource).success;
}

type Claim = z.infer<typeof claimSchema>;
type Item = Claim["item"][number];

/** PAS "Updating Authorization Requests": what was removed says so in a modifier extension. */
function isCancelled({ modifierExtension = [] }: Item): boolean {
  return modifierExtension.some(({ url, valueBoolean }) => url === extensions.infoCancelled && valueBoolean === true);
}

function termsOf(item: Item): StatedTerms {
  return {
    code: item.productOrService.coding[0].code,
    // None were asked for, which another answer than none contradicts.
    modifiers: (item.modifier ?? []).map(({ coding: [{ code }] }) => code),
    ...(item.revenue ? { revenue: item.revenue.coding[0].code } : {}),
    quantity: item.quantity?.value,
    unit: item.quantity?.code,
    from: item.servicedPeriod?.start ?? item.servicedDate,
    to: item.servicedPeriod?.end ?? item.servicedDate,
    ...(item.locationCodeableConcept ? { place: item.locationCodeableConcept.coding[0].code } : {}),
  };
}

/** Who is to do an item, by the first id of each: those of the care team that it names, or all of them. */
function byWhom({ careTeamSequence }: Item, { careTeam = [] }: Claim, providers: Providers) {
  const team = careTeam.filter(({ sequence }) => !careTeamSequence || careTeamSequence.includes(sequence));
  return providedBy(team.flatMap(({ provider }) => idsOf(provider, providers)[0] ?? []));
}

/** The Bundle.identifier system of everything we send: a value that is its own URI. */
export const bundleIdSystem = systems.uri;

/** A Patient as a person to compare; a gender other than the two tells nobody apart. */
export function personOf({ name = [], gender, birthDate }: Patient): Person {
  return {
    names: name,
    sex: gender === "female" || gender === "male" ? gender : undefined,
    birthDate,
  };
}
