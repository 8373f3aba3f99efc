import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { findPractice } from "#lib/practice/store/admin-practices";
import { appendAudit } from "#lib/audit/store/audit";
import { inTransaction } from "#lib/db/db";
import { listReceipts } from "#lib/gate/store/decision-receipts";
import { mayAdminister } from "#lib/access/administer";
import { denied } from "#lib/access/denied";
import type { AdminRefusal } from "#lib/access/refusal";

/** So many at once that memory stays small. */
const pageLength = 500;

type Asked = { readonly practiceId: string; readonly after: number; readonly since?: Date | undefined };

/**
 * The next receipts of a practice after a number, in their order and exactly as they were issued; none at the end. That
 * they were exported is on record before the first is given.
 */
export async function exportReceipts(
  { actor, store }: Context,
  asked: Asked,
): Promise<Result<readonly { readonly sequence: number; readonly text: string }[], AdminRefusal>> {
  if (!mayAdminister(actor, asked)) return denied({ actor, store }, "receipts");
  if (!(await findPractice(store, asked.practiceId))) return refuse({ type: "not-found", what: "practice" });
  if (asked.after === 0) await recordExport({ actor, store }, asked);
  return ok(await listReceipts(store, { ...asked, limit: pageLength }));
}

function recordExport({ actor, store }: Context, { practiceId, since }: Asked): Promise<number> {
  const detail = { since: since?.toISOString() };
  return inTransaction(store, (tx) => appendAudit(tx, { chain: practiceId, actor, act: "receipts.exported", detail }));
}
