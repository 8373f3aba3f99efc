import { z } from "zod";

/*
 * Narrow readers of what payers send: only the members a decision rests on, each
 * with the type FHIR R4 gives it. A wrong type is an answer that is not
 * understood; everything else is dropped unread. Extensions are read one level
 * at a time, so that no nesting can exhaust the stack.
 */

const text = z.string().max(4000);
const code = z.string().max(100);
const coding = z.object({ system: text.optional(), code: code.optional() });
const concept = z.object({ coding: z.array(coding).max(50).optional(), text: text.optional() });
const period = z.object({ start: text.optional(), end: text.optional() });
const quantity = z.object({
  value: z.number().optional(),
  comparator: code.optional(),
  unit: text.optional(),
  code: code.optional(),
});
const identifier = z.object({
  system: text.optional(),
  value: text.optional(),
});
const reference = z.object({
  reference: text.optional(),
  identifier: identifier.optional(),
});
const meta = z.object({
  tag: z.array(coding).max(50).optional(),
  security: z.array(coding).max(50).optional(),
});

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
  valueReference: reference.optional(),
});
const branch = leaf.extend({ extension: z.array(leaf).max(100).optional() });
const branches = z.array(branch).max(100).optional();

/** Of primitives, FHIR's JSON has null for one that has only extensions. */
const texts = z
  .array(text.nullable())
  .max(20)
  .transform((list) => list.filter((each) => each !== null));

const adjudication = z
  .array(z.object({ extension: branches }))
  .max(20)
  .optional();

/** Parts of an item, which no request of ours has: that there are any is enough. */
const detail = z.array(z.unknown()).max(500).optional();

const item = z.object({
  itemSequence: z.int(),
  extension: branches,
  adjudication,
  detail,
  noteNumber: z.array(z.int()).max(500).optional(),
});

const addItem = z.object({
  itemSequence: z.array(z.int()).max(99).optional(),
  extension: branches,
  adjudication,
  noteNumber: z.array(z.int()).max(500).optional(),
  provider: z.array(reference).max(100).optional(),
  productOrService: concept.optional(),
  modifier: z.array(concept).max(20).optional(),
  revenue: concept.optional(),
  locationCodeableConcept: concept.optional(),
  quantity: quantity.optional(),
  servicedDate: text.optional(),
  servicedPeriod: period.optional(),
  detail,
});

export const claimResponseSchema = z.object({
  resourceType: z.literal("ClaimResponse"),
  meta: meta.optional(),
  contained: z.array(z.unknown()).max(1000).optional(),
  status: code,
  use: z.literal("preauthorization"),
  outcome: code.optional(),
  disposition: text.optional(),
  extension: branches,
  identifier: z.array(identifier).max(20).optional(),
  patient: reference,
  request: reference.optional(),
  created: text.optional(),
  preAuthRef: text.optional(),
  preAuthPeriod: period.optional(),
  item: z.array(item).max(500).optional(),
  adjudication,
  addItem: z.array(addItem).max(500).optional(),
  error: z
    .array(z.object({ extension: branches, code: concept }))
    .max(500)
    .optional(),
  processNote: z
    .array(z.object({ number: z.int().optional(), text: text.optional() }))
    .max(500)
    .optional(),
  communicationRequest: z.array(reference).max(100).optional(),
  insurance: z
    .array(z.object({ focal: z.boolean().optional(), coverage: reference.optional() }))
    .max(100)
    .optional(),
});

export const coverageSchema = z.object({
  resourceType: z.literal("Coverage"),
  status: code.optional(),
  subscriberId: text.optional(),
  class: z
    .array(z.object({ type: concept.optional(), value: text.optional() }))
    .max(50)
    .optional(),
});

/** PAS "Communication Request": what the payer wants, by PWK01 in `category` or by LOINC or words in `payload`. */
export const communicationSchema = z.object({
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

/** Kept as they are, for whoever asks whether they are there. */
const rules = { implicitRules: z.unknown().optional(), _implicitRules: z.unknown().optional() };
const modifierExtension = z.unknown().optional();

export const bundleSchema = z.object({
  resourceType: z.literal("Bundle"),
  ...rules,
  meta: meta.optional(),
  type: z.literal("collection"),
  identifier: identifier.optional(),
  entry: z
    .array(z.object({ fullUrl: text.optional(), resource: z.unknown(), modifierExtension }))
    .min(1)
    .max(1000),
});

export const parametersSchema = z.object({
  resourceType: z.literal("Parameters"),
  ...rules,
  meta: meta.optional(),
  parameter: z
    .array(
      z.object({
        name: text,
        resource: z.unknown().optional(),
        part: z.array(z.unknown()).optional(),
        valueReference: z.unknown().optional(),
        modifierExtension,
      }),
    )
    .max(200)
    .optional(),
});

export const notificationSchema = z.object({
  resourceType: z.literal("Bundle"),
  ...rules,
  meta: meta.optional(),
  type: z.enum(["history", "subscription-notification"]),
  // Of an id-only notification, what it is about is an entry without a resource.
  entry: z.array(z.object({ resource: z.unknown().optional(), modifierExtension })).max(1000),
});

/** The same of a resource of its own (FHIR R4B). */
export const ownStatusSchema = z.object({
  resourceType: z.literal("SubscriptionStatus"),
  status: code.optional(),
  type: code,
});

export const statusSchema = z.object({
  resourceType: z.literal("Parameters"),
  parameter: z.array(z.object({ name: text, valueCode: code.optional() })).max(100),
});

export const outcomeSchema = z.object({
  resourceType: z.literal("OperationOutcome"),
  meta: meta.optional(),
  issue: z
    .array(
      z.object({
        severity: code,
        code,
        expression: z.array(text).max(20).optional(),
      }),
    )
    .min(1)
    .max(100),
});

export const patientSchema = z.object({
  resourceType: z.literal("Patient"),
  identifier: z.array(identifier).max(50).optional(),
  name: z
    .array(
      z.object({
        family: text.optional(),
        given: texts.optional(),
        text: text.optional(),
      }),
    )
    .max(20)
    .optional(),
  gender: code.optional(),
  birthDate: text.optional(),
});

/** Whom an answer may authorize: a practitioner or organization by its ids, a role by what it leads to. */
export const providerSchema = z.object({
  resourceType: z.enum(["Practitioner", "PractitionerRole", "Organization"]),
  identifier: z.array(identifier).max(50).optional(),
  practitioner: reference.optional(),
  organization: reference.optional(),
});

export const kindSchema = z.object({ resourceType: code });

export const idSchema = z.object({ id: text });

export type Identifier = z.infer<typeof identifier>;
export type Reference = z.infer<typeof reference>;
export type Branch = z.infer<typeof branch>;
export type Leaf = z.infer<typeof leaf>;
export type Concept = z.infer<typeof concept>;
export type Outcome = z.infer<typeof outcomeSchema>;
export type ClaimResponse = z.infer<typeof claimResponseSchema>;
export type CommunicationRequest = z.infer<typeof communicationSchema>;

export type Coverage = z.infer<typeof coverageSchema>;
export type Parameter = NonNullable<z.infer<typeof parametersSchema>["parameter"]>[number];
export type Patient = z.infer<typeof patientSchema>;
export type Meta = z.infer<typeof meta>;
export type Entries = z.infer<typeof bundleSchema>["entry"];

/** The code a concept has in one system; the first where it has several. */
export function codeIn(of: Concept | undefined, system: string): string | undefined {
  return of?.coding?.find((each) => each.system === system)?.code;
}

/** The first extension with this address; where a decision rests on it, `statesTwice` finds a second one. */
export function extensionOf<Kind extends Leaf>(list: readonly Kind[] | undefined, url: string): Kind | undefined {
  return list?.find((each) => each.url === url);
}
