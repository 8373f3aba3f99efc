import type { Context } from "#lib/context";
import { isAdmin } from "#lib/domain/actor";
import { ok, type Result } from "#lib/domain/result";
import { appendAudit, type AdminAct, type AuditEntry } from "#lib/store/audit";
import { inTransaction, type Tx } from "#lib/store/db";
import { denied } from "./denied.ts";
import type { AdminRefusal } from "./refusal.ts";

/** What an act came to, and what the record says of it. No entries where there was nothing to do. */
export type Acted<Value> = {
  readonly value: Value;
  readonly chain: string;
  readonly entries: readonly { readonly act: AdminAct; readonly detail: AuditEntry["detail"] }[];
};

/**
 * Runs one administrative act for an admin, with its audit entries in the same
 * transaction. Anyone else is `not-authorised` before anything is read. An act
 * refuses before it writes.
 */
export async function administer<Value>(
  { actor, store }: Context,
  act: (tx: Tx) => Promise<Result<Acted<Value>, AdminRefusal>>,
): Promise<Result<Value, AdminRefusal>> {
  if (!isAdmin(actor)) return denied({ actor, store }, "change");
  return inTransaction(store, async (tx) => {
    const acted = await act(tx);
    if (!acted.ok) return acted;
    const { value, chain, entries } = acted.value;
    for (const entry of entries) await appendAudit(tx, { ...entry, chain, actor });
    return ok(value);
  });
}
