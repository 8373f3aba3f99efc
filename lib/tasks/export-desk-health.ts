import type { Context } from "#lib/context";
import type { PersonActor } from "#lib/domain/actor";
import { ok, refuse, type Result } from "#lib/domain/result";
import { appendAudit } from "#lib/store/audit";
import { inTransaction } from "#lib/store/db";
import { deskHealth, type HealthAsked } from "./desk-health.ts";
import { healthCsv } from "./health-csv.ts";
import { healthTable, isTableId } from "./health-tables.ts";
import type { Refusal } from "./refusal.ts";

/**
 * A table of the health page as CSV, of the reviewer's practices. That it was exported is on record of each practice
 * whose figures it holds before it is given out.
 */
export async function exportDeskHealth(
  ctx: Context<PersonActor>,
  { table, ...asked }: HealthAsked & { readonly table: string },
): Promise<Result<string, Refusal>> {
  if (!isTableId(table)) return refuse({ type: "not-found" });
  const found = await deskHealth(ctx, asked);
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
