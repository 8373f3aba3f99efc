import { z } from "zod";
import { testMarker } from "./vocabulary.ts";

/*
 * Narrow readers of what payers send: only the members a decision rests on, each
 * with the type FHIR R4 gives it. A wrong type is an answer that is not
 * understood; everything else is dropped unread. Extensions are read one level
 * at a time, so that no nesting can exhaust the stack.
 */

const text = z.string().max(4000);
const code = z.string().max(100);
const coding = z.object({ system: text.optional(), code: code.optional() });
const concept = z.object({ coding: z.array(coding).max(50).optional() });
const period = z.object({ start: text.optional(), end: text.optional() });
const quantity = z.object({ value: z.number().optional(), unit: text.optional(), code: code.optional() });
const identifier = z.object({ system: text.optional(), value: text.optional() });
const reference = z.object({ reference: text.optional(), identifier: identifier.optional() });
const meta = z.object({ tag: z.array(coding).max(50).optional(), security: z.array(coding).max(50).optional() });

const leaf = z.object({
  url: text,
  valueString: text.optional(),
  valueBoolean: z.boolean().optional(),
  valueCodeableConcept: concept.optional(),
  valuePeriod: period.optional(),
  valueDate: text.optional(),
  valueDateTime: text.optional(),
  valueQuantity: quantity.optional(),
  valuePositiveInt: z.int().positive().optional(),
  valueIdentifier: identifier.optional(),
});
const branch = leaf.extend({ extension: z.array(leaf).max(100).optional() });
const branches = z.array(branch).max(100).optional();

const adjudication = z
  .array(z.object({ extension: branches }))
  .max(20)
  .optional();

const item = z.object({ itemSequence: z.int(), extension: branches, adjudication });

const addItem = z.object({
  itemSequence: z.array(z.int()).max(99).optional(),
  adjudication,
  productOrService: concept.optional(),
  quantity: quantity.optional(),
  servicedDate: text.optional(),
  servicedPeriod: period.optional(),
});

const claimResponseSchema = z.object({
  resourceType: z.literal("ClaimResponse"),
  meta: meta.optional(),
  status: code,
  use: z.literal("preauthorization"),
  extension: branches,
  identifier: z.array(identifier).max(20).optional(),
  patient: reference,
  request: reference.optional(),
  created: text.optional(),
  preAuthRef: text.optional(),
  preAuthPeriod: period.optional(),
  item: z.array(item).max(500).optional(),
  addItem: z.array(addItem).max(500).optional(),
  error: z
    .array(z.object({ extension: branches, code: concept }))
    .max(500)
    .optional(),
  processNote: z
    .array(z.object({ text: text.optional() }))
    .max(500)
    .optional(),
  communicationRequest: z.array(reference).max(100).optional(),
});

/** PAS "Communication Request": what the payer wants, by PWK01 in `category` or by LOINC or words in `payload`. */
const communicationSchema = z.object({
  resourceType: z.literal("CommunicationRequest"),
  status: code,
  identifier: z.array(identifier).max(20).optional(),
  extension: branches,
  category: z.array(concept).max(50).optional(),
  occurrenceDateTime: text.optional(),
  occurrencePeriod: period.optional(),
  payload: z
    .array(z.object({ extension: branches, contentString: text.optional() }))
    .max(100)
    .optional(),
});

const bundleSchema = z.object({
  resourceType: z.literal("Bundle"),
  meta: meta.optional(),
  type: z.literal("collection"),
  identifier: identifier.optional(),
  entry: z
    .array(z.object({ fullUrl: text.optional(), resource: z.unknown() }))
    .min(1)
    .max(1000),
});

const parametersSchema = z.object({
  resourceType: z.literal("Parameters"),
  meta: meta.optional(),
  parameter: z
    .array(z.object({ name: text, resource: z.unknown().optional() }))
    .max(200)
    .optional(),
});

const notificationSchema = z.object({
  resourceType: z.literal("Bundle"),
  meta: meta.optional(),
  type: z.enum(["history", "subscription-notification"]),
  entry: z.array(z.object({ resource: z.unknown() })).max(1000),
});

const statusSchema = z.object({
  resourceType: z.literal("Parameters"),
  parameter: z.array(z.object({ name: text, valueCode: code.optional() })).max(100),
});

const outcomeSchema = z.object({
  resourceType: z.literal("OperationOutcome"),
  meta: meta.optional(),
  issue: z
    .array(z.object({ severity: code, code, expression: z.array(text).max(20).optional() }))
    .min(1)
    .max(100),
});

const patientSchema = z.object({
  resourceType: z.literal("Patient"),
  identifier: z.array(identifier).max(50).optional(),
});
const kindSchema = z.object({ resourceType: code });

type Identifier = z.infer<typeof identifier>;
export type Branch = z.infer<typeof branch>;
export type Leaf = z.infer<typeof leaf>;
export type Concept = z.infer<typeof concept>;
export type Outcome = z.infer<typeof outcomeSchema>;
export type ClaimResponse = z.infer<typeof claimResponseSchema>;
export type CommunicationRequest = z.infer<typeof communicationSchema>;

/** One answer bundle: its single ClaimResponse, which comes first, and the patients that came with it. */
export type ResponseBundle = {
  readonly identifier: Identifier | undefined;
  readonly response: ClaimResponse;
  readonly patients: ReadonlyMap<string, readonly Identifier[]>;
  /** What the ClaimResponse refers to as wanted; undefined for what the bundle does not bring in readable form. */
  readonly communications: readonly (CommunicationRequest | undefined)[];
  readonly test: boolean;
};

/** What a body turned out to be; `unreadable` covers everything else. */
export type Payload =
  | { readonly kind: "outcome"; readonly outcome: Outcome; readonly test: boolean }
  | { readonly kind: "bundle"; readonly bundle: ResponseBundle; readonly test: boolean }
  | { readonly kind: "parameters"; readonly bundles: readonly ResponseBundle[]; readonly test: boolean }
  | { readonly kind: "unreadable"; readonly reason: string };

export type Notification = {
  readonly bundles: readonly ResponseBundle[];
  readonly test: boolean;
  /** Something happened, whatever it brings of that; a handshake or a heartbeat is none. */
  readonly isEvent: boolean;
};

const types = new Set(["application/fhir+json", "application/json"]);

/** A notification's response bundles (R4 backport, rest-hook with full resources); undefined where it is none. */
export function readNotification(bytes: Uint8Array): Notification | undefined {
  const notification = notificationSchema.safeParse(parsed(bytes));
  if (!notification.success) return undefined;
  const { meta: labels, entry } = notification.data;
  const bundles = entry.filter(({ resource }) => kindOf(resource) === "Bundle");
  return {
    test: marked(labels),
    isEvent: entry.some(({ resource }) => typeOf(resource) === "event-notification"),
    bundles: bundles.flatMap(({ resource }) => responseBundle(resource) ?? []),
  };
}

/** What kind of notification a status entry says it is (R4 backport). */
function typeOf(resource: unknown): string | undefined {
  const { parameter = [] } = statusSchema.safeParse(resource).data ?? {};
  return parameter.find(({ name }) => name === "type")?.valueCode;
}

/** Reads a reply's body. Never throws; reasons never carry contents. */
export function readPayload({
  contentType,
  bytes,
}: {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}): Payload {
  if (!types.has(contentType)) return unreadable("is not FHIR JSON by its content type");
  const value = parsed(bytes);
  if (value === undefined) return unreadable("is not JSON in strict UTF-8");
  switch (kindOf(value)) {
    case "OperationOutcome":
      return outcomeOf(value);
    case "Bundle":
      return bundleOf(value);
    case "Parameters":
      return parametersOf(value);
    default:
      return unreadable("is not a resource that this operation answers with");
  }
}

function kindOf(resource: unknown): string {
  return kindSchema.safeParse(resource).data?.resourceType ?? "";
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function outcomeOf(value: unknown): Payload {
  const outcome = outcomeSchema.safeParse(value);
  if (!outcome.success) return unreadable("is not a valid OperationOutcome");
  return { kind: "outcome", outcome: outcome.data, test: marked(outcome.data.meta) };
}

function bundleOf(value: unknown): Payload {
  const bundle = responseBundle(value);
  if (!bundle) return unreadable("is not a response bundle with one ClaimResponse first");
  return { kind: "bundle", bundle, test: bundle.test };
}

function parametersOf(value: unknown): Payload {
  const parameters = parametersSchema.safeParse(value);
  if (!parameters.success) return unreadable("is not a valid Parameters");
  const resources = (parameters.data.parameter ?? []).filter(({ resource }) => kindOf(resource) === "Bundle");
  const bundles = resources.map(({ resource }) => responseBundle(resource));
  if (!bundles.every((bundle) => bundle !== undefined))
    return unreadable("holds a bundle that is not a response bundle");
  const test = bundles.length === 0 ? marked(parameters.data.meta) : bundles.every((bundle) => bundle.test);
  return { kind: "parameters", bundles, test };
}

function responseBundle(value: unknown): ResponseBundle | undefined {
  const bundle = bundleSchema.safeParse(value);
  if (!bundle.success) return undefined;
  const response = claimResponseSchema.safeParse(bundle.data.entry[0]?.resource);
  const kinds = bundle.data.entry.map(({ resource }) => kindOf(resource));
  if (!response.success || kinds.filter((kind) => kind === "ClaimResponse").length !== 1) return undefined;
  const patients = bundle.data.entry.flatMap(({ fullUrl, resource }) => {
    const patient = patientSchema.safeParse(resource);
    return patient.success && fullUrl !== undefined ? [[fullUrl, patient.data.identifier ?? []] as const] : [];
  });
  const communications = (response.data.communicationRequest ?? []).map(
    ({ reference: named }) => communicationSchema.safeParse(resourceAt(bundle.data.entry, named)).data,
  );
  const test = marked(bundle.data.meta) || marked(response.data.meta);
  const { identifier: identity } = bundle.data;
  return { identifier: identity, response: response.data, patients: new Map(patients), communications, test };
}

function resourceAt(entries: z.infer<typeof bundleSchema>["entry"], named: string | undefined): unknown {
  if (named === undefined) return undefined;
  return entries.find(({ fullUrl }) => fullUrl === named || fullUrl?.endsWith(`/${named}`))?.resource;
}

function marked(of: z.infer<typeof meta> | undefined): boolean {
  const labels = [...(of?.tag ?? []), ...(of?.security ?? [])];
  return labels.some(({ system, code: label }) => system === testMarker.system && label === testMarker.code);
}

function unreadable(problem: string): Payload {
  return { kind: "unreadable", reason: `The payer's reply ${problem}.` };
}

/** The code a concept has in one system. */
export function codeIn(of: Concept | undefined, system: string): string | undefined {
  return of?.coding?.find((each) => each.system === system)?.code;
}

/** The one extension with this address. */
export function extensionOf<Kind extends Leaf>(list: readonly Kind[] | undefined, url: string): Kind | undefined {
  return list?.find((each) => each.url === url);
}
