import { actorName } from "#lib/access/model/actor";
import { assert } from "#lib/platform/result";
import { query, type Tx } from "#lib/db/db";
import { lockingChain } from "#lib/db/practice-share";
import { type AuditEntry, auditDetail } from "#lib/audit/model/entry";

/** Appends one link and returns its number. Call it late in the transaction: the chain stays locked until the commit. */
export async function appendAudit(tx: Tx, { chain, actor, act, taskId, detail }: AuditEntry): Promise<number> {
  const text = "SELECT audit_append($1, $2, $3, $4::uuid, $5)::int AS seq";
  const values = [chain, actorName(actor), act, taskId ?? null, auditDetail(detail)];
  const rows = await lockingChain(tx, chain, () => query<{ seq: number }>(tx, { name: "append-audit", text, values }));
  assert(rows[0], "an audit entry that was appended has its number");
  return rows[0].seq;
}

/** Whether the log has exactly this entry under this number. If so, the commit that was to append it was stored. */
export async function hasEntry(
  tx: Tx,
  { chain, actor, act, taskId, detail }: AuditEntry,
  seq: number,
): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM audit_entry
     WHERE chain = ${chain} AND seq = ${seq}::bigint AND actor = ${actorName(actor)} AND act = ${act}
       AND task_id IS NOT DISTINCT FROM ${taskId ?? null}::uuid AND detail = ${auditDetail(detail)}`;
  return rows.length > 0;
}
