import { z } from "zod";
import { readStrictJson } from "#lib/payer/strict-json";
import { decidesElsewhere, isErrorBeside } from "./elsewhere.ts";

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
/** Words beside a code; some senders write a number. */
const wording = optional(z.union([z.string().max(4000), z.number().transform(String)]));
const reason = z.object({ code, value: wording });
const fieldError = z.object({ field: text, code, errorMessage: text, index: optional(z.int()) });

const certification = {
  statusCode: code,
  status: wording,
  statusReasons: list(reason, 50),
  certificationNumber: text,
  certificationIssueDate: text,
  certificationEffectiveDate: text,
  certificationExpirationDate: text,
};

const terms = {
  quantity: optional(z.union([z.string().max(20), z.number().transform(String)])),
  quantityTypeCode: text,
  quantityType: wording,
  fromDate: text,
  toDate: text,
};

const procedure = z.object({
  ...certification,
  ...terms,
  code: text,
  qualifierCode: code,
  revenueCode: code,
  modifierCode1: text,
  modifierCode2: text,
  modifierCode3: text,
  modifierCode4: text,
  modifier1: wording,
  modifier2: wording,
  modifier3: wording,
  modifier4: wording,
  notes: list(note, 100),
});

const person = z.object({
  lastName: text,
  firstName: text,
  middleName: text,
  birthDate: text,
  genderCode: text,
  subscriberRelationshipCode: code,
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
  requestTypeCode: code,
  serviceTypeCode: code,
  admissionTypeCode: code,
  placeOfServiceCode: code,
  diagnoses: list(z.object({ code: text }), 500),
  providerNotes: list(note, 500),
  payerNotes: list(note, 500),
  validationMessages: list(fieldError, 500),
  procedures: list(procedure, 500),
});

const pageSchema = z.object({
  totalCount: optional(z.int()),
  count: optional(z.int()),
  offset: optional(z.int()),
  limit: optional(z.int()),
  links: optional(z.object({ next: z.unknown().optional(), prev: z.unknown().optional() })),
  serviceReviews: z.array(z.unknown()).max(1000),
});

const errorSchema = z
  .object({ userMessage: text, developerMessage: text, errors: list(fieldError, 500) })
  .refine(({ userMessage, developerMessage, errors }) =>
    [userMessage, developerMessage, errors[0]].some((part) => part !== undefined),
  );

export type Review = z.output<typeof reviewSchema> & {
  /** Whether a decision, a quantity or an error stands where the contract has none, or where our request left the place empty. */
  readonly decidesElsewhere: boolean;
};
export type ReviewLine = Review["procedures"][number];
/** A provider as far as it is told apart. */
export type ReplyParty = Partial<z.output<typeof provider>>;
export type FieldError = z.output<typeof fieldError>;
export type Refusal = z.output<typeof errorSchema>;

type Body = { readonly contentType: string; readonly bytes: Uint8Array };

/** The service review a body is, or undefined. Never throws. */
export function readReview(body: Body): Review | undefined {
  return reviewIn(parsed(body));
}

function reviewIn(value: unknown): Review | undefined {
  const review = reviewSchema.safeParse(value);
  return review.success ? { ...review.data, decidesElsewhere: decidesElsewhere(value) } : undefined;
}

/** What a search answered with; undefined where it is no such list, holds something else or an error beside it. */
export function readPage(body: Body): { reviews: readonly Review[]; isWhole: boolean } | undefined {
  const value = parsed(body);
  const page = pageSchema.safeParse(value);
  if (!page.success || isErrorBeside(value)) return undefined;
  const reviews = page.data.serviceReviews.map(reviewIn);
  if (!reviews.every((each) => each !== undefined)) return undefined;
  return { reviews, isWhole: isWhole(page.data) };
}

/** Whether a page is all there is. The vendor gives relations that are not there as null. */
function isWhole({ serviceReviews, totalCount, count = 0, offset = 0, limit, links }: z.output<typeof pageSchema>) {
  const { length } = serviceReviews;
  const hasNeighbor = [links?.next, links?.prev].some((each) => (each ?? undefined) !== undefined);
  const mayGoOn = totalCount === undefined && limit !== undefined && limit <= length;
  return !hasNeighbor && offset === 0 && Math.max(count, totalCount ?? 0) <= length && !mayGoOn;
}

/** The error envelope a body is, or undefined. */
export function readRefusal(body: Body): Refusal | undefined {
  return errorSchema.safeParse(parsed(body)).data;
}

function parsed({ contentType, bytes }: Body): unknown {
  return contentType === "application/json" ? readStrictJson(bytes) : undefined;
}
