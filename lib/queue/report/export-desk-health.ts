import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { ok, refuse, type Result } from "#lib/platform/result";
import { appendAudit } from "#lib/audit/store/audit";
import { inTransaction } from "#lib/db/db";
import { deskHealth, type HealthQuery } from "#lib/queue/desk-health";
import { healthCsv } from "./health-csv.ts";
import { healthTable, isTableId } from "#lib/messages/reviewer/health-tables";
import type { Refusal } from "#lib/task/refusal";

/**
 * A table of the health page as CSV, for the reviewer's practices. The export is in the audit log of each of these practices
 * before the table is returned.
 */
export async function exportDeskHealth(
  ctx: Context<PersonActor>,
  { table, ...query }: HealthQuery & { readonly table: string },
): Promise<Result<string, Refusal>> {
  if (!isTableId(table)) return refuse({ type: "not-found" });
  const found = await deskHealth(ctx, query);
  if (!found.ok) return found;
  const { practices, practiceId, window } = found.value;
  const { actor, store } = ctx;
  const chains = practiceId === undefined ? practices.map(({ id }) => id).sort() : [practiceId];
  await inTransaction(store, async (tx) => {
    for (const chain of chains)
      await appendAudit(tx, { chain, actor, act: "desk-health.exported", detail: { table, days: Number(window) } });
  });
  return ok(healthCsv(healthTable(table, found.value)));
}
