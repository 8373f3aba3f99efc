import { pasUnclearReasons, pasUnreadableReasons } from "#lib/messages/reasons/pas-reply";
import { readStrictJson } from "#lib/payer/strict-json";
import { coveragesIn, type Coverages } from "./coverage.ts";
import { hasRules, isModified, isModifiedItself } from "./modifiers.ts";
import { addressIn, providersIn, type Providers } from "./providers.ts";
import { speaksOtherwise } from "./qualified.ts";
import {
  bundleSchema,
  claimResponseSchema,
  communicationSchema,
  idSchema,
  kindSchema,
  outcomeSchema,
  parametersSchema,
  patientSchema,
  type ClaimResponse,
  type CommunicationRequest,
  type Entries,
  type Identifier,
  type Meta,
  type Outcome,
  type Parameter,
  type Patient,
} from "./resources.ts";
import { testMarker } from "./vocabulary.ts";

/** One answer bundle: its single ClaimResponse, which comes first, and the patients that came with it. */
export type ResponseBundle = {
  readonly identifier: Identifier | undefined;
  readonly response: ClaimResponse;
  /** By address; undefined for one that cannot be read. */
  readonly patients: ReadonlyMap<string, Patient | undefined>;
  readonly providers: Providers;
  /** Whether an error, or what may be another answer, stands beside the ClaimResponse or inside it. */
  readonly speaksTwice: boolean;
  /** What the ClaimResponse refers to as wanted; undefined for what the bundle does not bring in readable form. */
  readonly communications: readonly (CommunicationRequest | undefined)[];
  /** What the bundle brings as wanted and no ClaimResponse refers to; undefined for what cannot be read. */
  readonly unnamed: readonly (CommunicationRequest | undefined)[];
  readonly coverages: Coverages;
  /** Whether rules that are not known, or a modifier extension, may change the meaning of any of it. */
  readonly hasRules: boolean;
  readonly isModified: boolean;
  /** Marked as test data. */
  readonly test: boolean;
  /** Explicitly marked as live data. */
  readonly live: boolean;
};

/** How an answer labels its own data. */
type DataLabels = Pick<ResponseBundle, "test" | "live">;

/** What a body turned out to be; `unreadable` covers everything else. */
export type Payload =
  /** `doubt`: why it may mean something else than it says. */
  | ({ readonly kind: "outcome"; readonly outcome: Outcome; readonly doubt: string | undefined } & DataLabels)
  | ({ readonly kind: "bundle"; readonly bundle: ResponseBundle } & DataLabels)
  /** Any number of answers: of PAS 2.2.1 in Parameters, of 2.0.1 in one bundle. */
  | ({
      readonly kind: "several";
      readonly bundles: readonly ResponseBundle[];
    } & DataLabels)
  | { readonly kind: "unreadable"; readonly reason: string };

const types = new Set(["application/fhir+json", "application/json"]);

/** Reads a reply's body. Never throws; reasons never carry contents. */
export function readPayload({
  contentType,
  bytes,
}: {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}): Payload {
  if (bytes.byteLength === 0) return unreadable(pasUnreadableReasons.empty);
  if (!types.has(contentType)) return unreadable(pasUnreadableReasons.otherContentType);
  const value = readStrictJson(bytes);
  if (value === undefined) return unreadable(pasUnreadableReasons.notStrictJson);
  switch (kindOf(value)) {
    case "OperationOutcome":
      return outcomeOf(value);
    case "Bundle":
      return bundleOf(value);
    case "Parameters":
      return parametersOf(value);
    default:
      return unreadable(pasUnreadableReasons.otherResource);
  }
}

export function kindOf(resource: unknown): string {
  return kindSchema.safeParse(resource).data?.resourceType ?? "";
}

function outcomeOf(value: unknown): Payload {
  const outcome = outcomeSchema.safeParse(value);
  if (!outcome.success) return unreadable(pasUnreadableReasons.invalidOutcome);
  return {
    kind: "outcome",
    outcome: outcome.data,
    doubt: doubtOf(value),
    test: isMarkedTest(outcome.data.meta),
    live: isMarkedLive(outcome.data.meta),
  };
}

function doubtOf(value: unknown): string | undefined {
  if (hasRules(value)) return pasUnclearReasons.implicitRules;
  return isModified(value) ? pasUnclearReasons.unknownModifier : undefined;
}

function bundleOf(value: unknown): Payload {
  const bundle = responseBundle(value);
  if (bundle) return { kind: "bundle", bundle, test: bundle.test, live: bundle.live };
  const bundles = responseBundles(value);
  if (!bundles) return unreadable(pasUnreadableReasons.notResponseBundle);
  // Nothing found is one thing, and an error or another answer in its place is another.
  if (bundles.length === 0 && resourcesIn(value).some(speaksOtherwise))
    return unreadable(pasUnreadableReasons.otherInstead);
  return { kind: "several", bundles, ...labelsOf(bundles) };
}

function parametersOf(value: unknown): Payload {
  const parameters = parametersSchema.safeParse(value);
  if (!parameters.success) return unreadable(pasUnreadableReasons.invalidParameters);
  const { parameter = [] } = parameters.data;
  if (hasRules(parameters.data)) return unreadable(pasUnclearReasons.implicitRules);
  if (parameter.some(isModifiedItself)) return unreadable(pasUnclearReasons.unknownModifier);
  const resources = parameter.filter(({ resource }) => kindOf(resource) === "Bundle");
  if (parameter.some((each) => !resources.includes(each) && saysMore(each)))
    return unreadable(pasUnreadableReasons.otherInstead);
  const bundles = resources.map(({ resource }) => responseBundle(resource));
  if (!bundles.every((bundle) => bundle !== undefined))
    return unreadable(pasUnreadableReasons.parametersWithOtherBundle);
  const { meta: labels } = parameters.data;
  const own = { test: isMarkedTest(labels), live: isMarkedLive(labels) };
  return {
    kind: "several",
    bundles,
    ...(bundles.length === 0 ? own : labelsOf(bundles)),
  };
}

/** Whether a parameter that is no bundle is an error, or may hold an answer. */
function saysMore({ resource, part = [], valueReference }: Parameter): boolean {
  return part.length > 0 || valueReference !== undefined || speaksOtherwise(resource);
}

function labelsOf(bundles: readonly ResponseBundle[]): DataLabels {
  return {
    test: bundles.some(({ test }) => test),
    live: bundles.some(({ live }) => live),
  };
}

function resourcesIn(value: unknown): readonly unknown[] {
  return (bundleSchema.safeParse(value).data?.entry ?? []).map(({ resource }) => resource);
}

/** The answers of one 2.0.1 bundle, each with everything beside them; undefined where one cannot be read. */
function responseBundles(value: unknown): readonly ResponseBundle[] | undefined {
  const bundle = bundleSchema.safeParse(value);
  if (!bundle.success) return undefined;
  const { entry } = bundle.data;
  const isAnswer = ({ resource }: Entries[number]) => kindOf(resource) === "ClaimResponse";
  const beside = entry.filter((each) => !isAnswer(each));
  const answers = entry.filter(isAnswer);
  const read = answers.map((answer) => {
    const others = addressesOf(
      entry,
      answers.filter((each) => each !== answer).flatMap(({ resource }) => wantedBy(resource)),
    );
    const own = addressesOf(entry, wantedBy(answer.resource));
    const ofOthers = ({ fullUrl }: Entries[number]) =>
      fullUrl !== undefined && others.includes(fullUrl) && !own.includes(fullUrl);
    return responseBundle({ ...bundle.data, entry: [answer, ...beside.filter((each) => !ofOthers(each))] });
  });
  return read.every((each) => each !== undefined) ? read : undefined;
}

/** The addresses of what a ClaimResponse says it wants. */
function wantedBy(resource: unknown): readonly (string | undefined)[] {
  const { communicationRequest = [] } = claimResponseSchema.safeParse(resource).data ?? {};
  return communicationRequest.map(({ reference }) => reference);
}

export function responseBundle(value: unknown): ResponseBundle | undefined {
  const bundle = bundleSchema.safeParse(value);
  if (!bundle.success) return undefined;
  const { entry } = bundle.data;
  const response = claimResponseSchema.safeParse(entry[0]?.resource);
  const kinds = entry.map(({ resource }) => kindOf(resource));
  if (!response.success || kinds.filter((kind) => kind === "ClaimResponse").length !== 1) return undefined;
  const labels = [bundle.data.meta, response.data.meta];
  const contained = containedIn(response.data);
  const brought = [...entry, ...contained];
  const beside = brought.slice(1).map(({ resource }) => resource);
  return {
    identifier: bundle.data.identifier,
    response: response.data,
    patients: patientsIn(brought),
    providers: providersIn(brought),
    coverages: coveragesIn(brought),
    hasRules: [bundle.data, entry[0]?.resource, ...beside].some(hasRules),
    isModified: brought.some((each) => isModifiedItself(each) || isModified(each.resource)),
    speaksTwice: beside.some(speaksOtherwise),
    ...wantedIn(brought, wantedBy(response.data)),
    test: labels.some(isMarkedTest),
    live: labels.some(isMarkedLive),
  };
}

/** What a ClaimResponse contains, by the address under which it refers to it. */
function containedIn({ contained = [] }: ClaimResponse): Entries {
  return contained.map((resource) => ({ fullUrl: `#${idSchema.safeParse(resource).data?.id ?? ""}`, resource }));
}

function patientsIn(entries: Entries): ResponseBundle["patients"] {
  const patients = entries.flatMap(({ fullUrl, resource }) =>
    fullUrl !== undefined && kindOf(resource) === "Patient"
      ? [[fullUrl, patientSchema.safeParse(resource).data] as const]
      : [],
  );
  return new Map(patients);
}

function wantedIn(entries: Entries, named: readonly (string | undefined)[]) {
  const addresses = addressesOf(entries, named);
  const rest = entries.filter(({ fullUrl }) => fullUrl === undefined || !addresses.includes(fullUrl));
  const resourceAt = (address: string | undefined) =>
    entries.find(({ fullUrl }) => fullUrl !== undefined && fullUrl === address)?.resource;
  return {
    communications: addresses.map((each) => communicationSchema.safeParse(resourceAt(each)).data),
    unnamed: rest
      .filter(({ resource }) => kindOf(resource) === "CommunicationRequest")
      .map(({ resource }) => communicationSchema.safeParse(resource).data),
  };
}

/** Where a bundle brings what each of these references leads to. */
function addressesOf(entries: Entries, named: readonly (string | undefined)[]): readonly (string | undefined)[] {
  const urls = entries.flatMap(({ fullUrl }) => fullUrl ?? []);
  return named.map((each) => (each === undefined ? undefined : addressIn(urls, each)));
}

export function isMarkedTest(of: Meta | undefined): boolean {
  const labels = [...(of?.tag ?? []), ...(of?.security ?? [])];
  return labels.some(({ system, code: label }) => system === testMarker.system && label === testMarker.code);
}

/** No code system has a word for live data; these are the plain ones. */
export function isMarkedLive(of: Meta | undefined): boolean {
  const labels = [...(of?.tag ?? []), ...(of?.security ?? [])];
  return labels.some(({ code: label }) => /^(?:live|prod|production)$/i.test(label ?? ""));
}

function unreadable(reason: string): Payload {
  return { kind: "unreadable", reason };
}
