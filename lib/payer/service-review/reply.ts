import { z } from "zod";
import { readStrictJson } from "#lib/payer/strict-json";

/*
 * Narrow readers of what clearinghouses send: only the members a decision rests
 * on. A wrong type is an answer that is not understood; null is absent, and
 * everything else is dropped unread.
 */

const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value: z.output<Schema> | null | undefined) => value ?? undefined);

const text = optional(z.string().max(4000));
/** A code; some senders write those that look like numbers as numbers. */
const code = optional(z.union([z.string().max(100), z.int().transform(String)]));
const list = <Schema extends z.ZodType>(schema: Schema, max: number) =>
  optional(z.array(schema).max(max)).transform((value) => value ?? []);

const note = z.object({ message: text });
const reason = z.object({ code });
const fieldError = z.object({ field: text, code, errorMessage: text, index: optional(z.int()) });

const certification = {
  statusCode: code,
  statusReasons: list(reason, 50),
  certificationNumber: text,
  certificationIssueDate: text,
  certificationEffectiveDate: text,
  certificationExpirationDate: text,
};

const terms = {
  quantity: optional(z.union([z.string().max(20), z.number().transform(String)])),
  quantityTypeCode: text,
  fromDate: text,
  toDate: text,
};

const procedure = z.object({
  ...certification,
  ...terms,
  code: text,
  modifierCode1: text,
  modifierCode2: text,
  modifierCode3: text,
  modifierCode4: text,
  notes: list(note, 100),
});

const person = z.object({
  lastName: text,
  firstName: text,
  middleName: text,
  birthDate: text,
  genderCode: text,
});

const provider = z.object({ npi: code, taxId: code, lastName: text, firstName: text });

const reviewSchema = z.object({
  ...certification,
  ...terms,
  id: z.union([z.string().max(200), z.int().transform(String)]),
  referenceNumber: text,
  updatedDate: text,
  payer: optional(z.object({ id: text, phone: text })),
  subscriber: optional(person.extend({ memberId: text })),
  patient: optional(person),
  requestingProvider: optional(provider),
  renderingProviders: list(provider, 100),
  placeOfServiceCode: code,
  providerNotes: list(note, 500),
  payerNotes: list(note, 500),
  validationMessages: list(fieldError, 500),
  procedures: list(procedure, 500),
});

const pageSchema = z.object({
  totalCount: optional(z.int()),
  links: optional(z.object({ next: z.unknown().optional() })),
  serviceReviews: z.array(z.unknown()).max(1000),
});

const errorSchema = z
  .object({ userMessage: text, developerMessage: text, errors: list(fieldError, 500) })
  .refine(({ userMessage, developerMessage, errors }) =>
    [userMessage, developerMessage, errors[0]].some((part) => part !== undefined),
  );

export type Review = z.output<typeof reviewSchema>;
export type ReviewLine = Review["procedures"][number];
/** A provider as far as it is told apart. */
export type ReplyParty = Partial<z.output<typeof provider>>;
export type FieldError = z.output<typeof fieldError>;
export type Refusal = z.output<typeof errorSchema>;

type Body = { readonly contentType: string; readonly bytes: Uint8Array };

/** The service review a body is, or undefined. Never throws. */
export function readReview(body: Body): Review | undefined {
  return reviewSchema.safeParse(parsed(body)).data;
}

/** What a search answered with; undefined where it is no such list or holds something else. */
export function readPage(body: Body): { reviews: readonly Review[]; isWhole: boolean } | undefined {
  const page = pageSchema.safeParse(parsed(body));
  if (!page.success) return undefined;
  const { serviceReviews, totalCount = 0, links } = page.data;
  const reviews = serviceReviews.map((each) => reviewSchema.safeParse(each).data);
  if (!reviews.every((each) => each !== undefined)) return undefined;
  // The vendor gives relations that are not there as null.
  const hasNext = (links?.next ?? undefined) !== undefined;
  return { reviews, isWhole: !hasNext && totalCount <= reviews.length };
}

/** The error envelope a body is, or undefined. */
export function readRefusal(body: Body): Refusal | undefined {
  return errorSchema.safeParse(parsed(body)).data;
}

function parsed({ contentType, bytes }: Body): unknown {
  return contentType === "application/json" ? readStrictJson(bytes) : undefined;
}
