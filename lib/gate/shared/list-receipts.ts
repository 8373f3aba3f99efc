import type { Store } from "#lib/db/db";
import { textOfReceipt } from "#lib/gate/receipt/packed-receipt";

/** A practice's receipts in order, as issued: after a number, since an instant, at most `limit`. */
export async function listReceipts(
  { prisma }: Store,
  { practiceId, after, since, limit }: { practiceId: string; after: number; since?: Date | undefined; limit: number },
): Promise<readonly { readonly sequence: number; readonly text: string }[]> {
  const rows = await prisma.decisionReceipt.findMany({
    where: { practiceId, seq: { gt: after }, ...(since ? { decidedAt: { gte: since } } : {}) },
    orderBy: { seq: "asc" },
    take: limit,
    select: { seq: true, document: true, packed: true },
  });
  return rows.map((row) => ({ sequence: row.seq, text: textOfReceipt(row) }));
}
