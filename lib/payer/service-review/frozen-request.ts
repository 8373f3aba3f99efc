import { z } from "zod";
import type { StatedTerms } from "#lib/payer/model/authorization-conflicts";
import type { Call } from "#lib/payer/connector";
import { traceIn } from "./vocabulary.ts";

/** What our own frozen request says that a reply must echo. */
export type FrozenRequest = {
  readonly call: Call;
  readonly kind: "create" | "update" | "void";
  /** The case at the clearinghouse, where the request names it. */
  readonly id: string | undefined;
  readonly trace: string | undefined;
  /** The payer's id, where the request names it. */
  readonly payerId: string | undefined;
  /** By sequence. */
  readonly lines: ReadonlyMap<number, StatedTerms>;
  /** What was asked for the whole. */
  readonly whole: StatedTerms;
  readonly document: Readonly<Record<string, unknown>>;
};

const kinds: Readonly<Record<string, FrozenRequest["kind"]>> = { POST: "create", PUT: "update", DELETE: "void" };

const text = z.string().optional();
const terms = { quantity: text, quantityTypeCode: text, fromDate: text, toDate: text };

const documentSchema = z.looseObject({
  ...terms,
  id: text,
  payer: z.object({ id: text }).optional(),
  providerNotes: z.array(z.object({ message: z.string() })),
  procedures: z.array(
    z.object({
      ...terms,
      code: z.string(),
      modifierCode1: text,
      modifierCode2: text,
      modifierCode3: text,
      modifierCode4: text,
    }),
  ),
});

/** Reads back a request this connector built; undefined for a call of any other kind. */
export function readFrozenRequest(call: Call): FrozenRequest | undefined {
  const { method, url, contentType, body } = call;
  const kind = contentType === "application/json" ? kinds[method] : undefined;
  if (kind === undefined) return undefined;
  if (kind === "void") {
    const id = url.slice(url.lastIndexOf("/") + 1);
    return { call, kind, id, trace: undefined, payerId: undefined, lines: new Map(), whole: {}, document: {} };
  }
  const document = documentSchema.parse(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)));
  return {
    call,
    kind,
    id: document.id,
    trace: document.providerNotes.flatMap(({ message }) => traceIn(message) ?? []).at(-1),
    payerId: document.payer?.id,
    lines: new Map(document.procedures.map((procedure, index) => [index + 1, termsOf(procedure, document)])),
    whole: statedIn(document),
    document,
  };
}

type ReviewDocument = z.infer<typeof documentSchema>;

/** What was asked on one line; where it leaves quantity or dates out, those of the request hold. */
function termsOf(procedure: ReviewDocument["procedures"][number], document: ReviewDocument): StatedTerms {
  const { modifierCode1, modifierCode2, modifierCode3, modifierCode4 } = procedure;
  const counted = procedure.quantity === undefined ? document : procedure;
  const from = procedure.fromDate ?? document.fromDate;
  const to = procedure.toDate ?? procedure.fromDate ?? document.toDate;
  return {
    code: procedure.code,
    modifiers: [modifierCode1, modifierCode2, modifierCode3, modifierCode4].flatMap((each) => each ?? []),
    quantity: numeral(counted.quantity),
    unit: procedure.quantityTypeCode ?? counted.quantityTypeCode,
    from,
    to: to ?? from,
  };
}

function statedIn({ quantity, quantityTypeCode, fromDate, toDate }: Partial<ReviewDocument>): StatedTerms {
  return {
    quantity: numeral(quantity),
    unit: quantityTypeCode,
    from: fromDate,
    to: toDate,
  };
}

function numeral(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
