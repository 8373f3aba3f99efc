import { z } from "zod";
import type { LineTerms } from "#lib/domain/determination";
import type { Call } from "#lib/payer/connector";
import { traceIn } from "./vocabulary.ts";

/** What our own frozen request says that a reply must echo. */
export type Sent = {
  readonly call: Call;
  readonly kind: "create" | "update" | "void";
  /** The case at the clearinghouse, where the request names it. */
  readonly id: string | undefined;
  readonly trace: string | undefined;
  /** By sequence. */
  readonly lines: ReadonlyMap<number, LineTerms>;
  readonly document: Readonly<Record<string, unknown>>;
};

const kinds: Readonly<Record<string, Sent["kind"]>> = { POST: "create", PUT: "update", DELETE: "void" };

const documentSchema = z.looseObject({
  id: z.string().optional(),
  providerNotes: z.array(z.object({ message: z.string() })),
  fromDate: z.string().optional(),
  toDate: z.string().optional(),
  procedures: z.array(
    z.object({
      code: z.string(),
      quantity: z.string().optional(),
      quantityTypeCode: z.string().optional(),
      fromDate: z.string().optional(),
      toDate: z.string().optional(),
    }),
  ),
});

/** Reads back a request this connector built; undefined for a call of any other kind. */
export function readSent(call: Call): Sent | undefined {
  const { method, url, contentType, body } = call;
  const kind = contentType === "application/json" ? kinds[method] : undefined;
  if (kind === undefined) return undefined;
  if (kind === "void") {
    const id = url.slice(url.lastIndexOf("/") + 1);
    return { call, kind, id, trace: undefined, lines: new Map(), document: {} };
  }
  const document = documentSchema.parse(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)));
  return {
    call,
    kind,
    id: document.id,
    trace: document.providerNotes.flatMap(({ message }) => traceIn(message) ?? []).at(-1),
    lines: new Map(document.procedures.map((procedure, index) => [index + 1, termsOf(procedure, document)])),
    document,
  };
}

type Parsed = z.infer<typeof documentSchema>;

function termsOf(procedure: Parsed["procedures"][number], document: Parsed): LineTerms {
  const { code, quantity, quantityTypeCode, fromDate = document.fromDate, toDate = document.toDate } = procedure;
  return {
    code,
    quantity: quantity === undefined ? undefined : Number(quantity),
    unit: quantityTypeCode,
    from: fromDate,
    to: toDate ?? fromDate,
  };
}
