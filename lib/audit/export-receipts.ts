import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { findPractice } from "#lib/practice/shared/practices";
import { appendAudit } from "#lib/audit/shared/append-audit";
import { inTransaction } from "#lib/db/db";
import { type ListedReceipt, listReceipts } from "#lib/gate/shared/list-receipts";
import { mayAdminister } from "#lib/access/administer";
import { deny } from "#lib/access/deny";
import type { AdminRefusal } from "#lib/access/refusal";

/** Small enough that a page of receipts needs little memory. */
const pageLength = 500;

type ReceiptQuery = { readonly practiceId: string; readonly after: number; readonly since?: Date | undefined };

/**
 * The next receipts of a practice after a sequence number, in order and exactly as issued; empty at the end. One
 * that cannot be opened has its number alone. The export
 * is in the audit log before the first receipt is returned.
 */
export async function exportReceipts(
  { actor, store }: Context,
  query: ReceiptQuery,
): Promise<Result<readonly ListedReceipt[], AdminRefusal>> {
  if (!mayAdminister(actor, query)) return deny({ actor, store }, "receipts");
  if (!(await findPractice(store, query.practiceId))) return refuse({ type: "not-found", what: "practice" });
  if (query.after === 0) await recordExport({ actor, store }, query);
  return ok(await listReceipts(store, { ...query, limit: pageLength }));
}

function recordExport({ actor, store }: Context, { practiceId, since }: ReceiptQuery): Promise<number> {
  const detail = { since: since?.toISOString() };
  return inTransaction(store, (tx) => appendAudit(tx, { chain: practiceId, actor, act: "receipts.exported", detail }));
}
