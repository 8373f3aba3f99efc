import { z } from "zod";

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
  certificationEffectiveDate: text,
  certificationExpirationDate: text,
};

const procedure = z.object({
  ...certification,
  code: text,
  quantity: optional(z.union([z.string().max(20), z.number().transform(String)])),
  quantityTypeCode: text,
  fromDate: text,
  toDate: text,
  notes: list(note, 100),
});

const reviewSchema = z.object({
  ...certification,
  id: z.union([z.string().max(200), z.int().transform(String)]),
  referenceNumber: text,
  updatedDate: text,
  payer: optional(z.object({ id: text, phone: text })),
  subscriber: optional(z.object({ memberId: text })),
  providerNotes: list(note, 500),
  payerNotes: list(note, 500),
  validationMessages: list(fieldError, 500),
  procedures: list(procedure, 500),
});

const pageSchema = z.object({ serviceReviews: z.array(z.unknown()).max(1000) });

const errorSchema = z
  .object({ userMessage: text, developerMessage: text, errors: list(fieldError, 500) })
  .refine(({ userMessage, developerMessage, errors }) =>
    [userMessage, developerMessage, errors[0]].some((part) => part !== undefined),
  );

export type Review = z.output<typeof reviewSchema>;
export type ReviewLine = Review["procedures"][number];
export type FieldError = z.output<typeof fieldError>;
export type Refusal = z.output<typeof errorSchema>;

type Body = { readonly contentType: string; readonly bytes: Uint8Array };

/** The service review a body is, or undefined. Never throws. */
export function readReview(body: Body): Review | undefined {
  return reviewSchema.safeParse(parsed(body)).data;
}

/** The service reviews a search answered with; undefined where it is no such list or holds something else. */
export function readPage(body: Body): readonly Review[] | undefined {
  const page = pageSchema.safeParse(parsed(body));
  if (!page.success) return undefined;
  const reviews = page.data.serviceReviews.map((each) => reviewSchema.safeParse(each).data);
  return reviews.every((each) => each !== undefined) ? reviews : undefined;
}

/** The error envelope a body is, or undefined. */
export function readRefusal(body: Body): Refusal | undefined {
  return errorSchema.safeParse(parsed(body)).data;
}

function parsed({ contentType, bytes }: Body): unknown {
  if (contentType !== "application/json") return undefined;
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
