import { contextOf, currentPerson } from "#lib/person/session/person";
import { readReceipt } from "#lib/gate/read-receipt";

type Params = { readonly params: Promise<{ readonly id: string; readonly receiptId: string }> };

/** A decision's receipt to a reviewer of its practice, to save; to anyone else there is none. */
export async function GET(_: Request, { params }: Params): Promise<Response> {
  const { id, receiptId } = await params;
  const person = await currentPerson();
  const found = person && (await readReceipt(contextOf(person), { taskId: id, receiptId }));
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
