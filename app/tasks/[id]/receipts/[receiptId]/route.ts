import { contextOf, currentPerson } from "#lib/person/session/person";
import { unopenedReceiptText } from "#lib/messages/reviewer/receipt";
import { readReceipt } from "#lib/gate/read-receipt";

type Params = { readonly params: Promise<{ readonly id: string; readonly receiptId: string }> };

/** A decision's receipt to a reviewer of its practice, to save; to anyone else there is none. */
export async function GET(_: Request, { params }: Params): Promise<Response> {
  const { id, receiptId } = await params;
  const person = await currentPerson();
  const found = person && (await readReceipt(contextOf(person), { taskId: id, receiptId }));
  if (found?.ok === false && found.refusal.type === "unopened-receipt") return unopened(found.refusal.sequence);
  if (!found?.ok) return new Response("Not found", { status: 404, headers: { "cache-control": "no-store" } });
  const { sequence, text } = found.value;
  return new Response(text, {
    headers: {
      "content-type": "application/json",
      "content-disposition": `attachment; filename="receipt-${String(sequence).padStart(6, "0")}.json"`,
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-store",
    },
  });
}

function unopened(sequence: number): Response {
  return new Response(`${unopenedReceiptText(sequence)}\n`, {
    status: 500,
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    },
  });
}
