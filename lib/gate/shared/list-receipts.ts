import type { Store } from "#lib/db/db";
import { openReceipt } from "#lib/gate/receipt/packed-receipt";

/** `text`: undefined where the receipt cannot be opened. */
export type ListedReceipt = { readonly sequence: number; readonly text: string | undefined };

/** A practice's receipts in order, as issued: after a number, since an instant, at most `limit`. */
export async function listReceipts(
  { prisma }: Store,
  { practiceId, after, since, limit }: { practiceId: string; after: number; since?: Date | undefined; limit: number },
): Promise<readonly ListedReceipt[]> {
  const rows = await prisma.decisionReceipt.findMany({
    where: { practiceId, seq: { gt: after }, ...(since ? { decidedAt: { gte: since } } : {}) },
    orderBy: { seq: "asc" },
    take: limit,
    select: { seq: true, document: true, packed: true },
  });
  return rows.map((row) => ({ sequence: row.seq, text: openReceipt(row) }));
}
