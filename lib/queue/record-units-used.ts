import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { appendAudit } from "#lib/audit/shared/append-audit";
import { announce } from "#lib/db/announce";
import { inTransaction } from "#lib/db/db";
import { ok, refuse, type Result } from "#lib/platform/result";
import { saveUnitsUsed } from "#lib/queue/store/units-used";
import { reviewedBy, type DeskRefusal } from "#lib/task/desk-refusal";
import { authorizedUnits, percentUsed, type LineUse } from "#lib/task/model/authorization-progress";
import { reviewTask } from "#lib/task/review-task";
import { caseProblems } from "#lib/messages/problems/reviewer";

const usedMax = 99_999;

export type RecordedUse = {
  readonly taskId: string;
  /** The determination that the page showed. */
  readonly determinationId: string;
  readonly uses: readonly LineUse[];
};

/**
 * Records how many of the authorized units are used, as the practice knows it: no payer says so on its wire. The latest
 * record counts, and only for the determination it was made of. Refused as `invalid` for a line without authorized units.
 */
export async function recordUnitsUsed(
  ctx: Context<PersonActor>,
  { taskId, determinationId, uses }: RecordedUse,
): Promise<Result<"done", DeskRefusal>> {
  const { actor, store } = ctx;
  const found = await reviewTask(ctx, { taskId });
  if (!found.ok || !reviewedBy(actor).includes(found.value.practice.id)) return refuse({ type: "not-found" });
  const { practice, determinations } = found.value;
  const current = determinations.findLast(({ standing }) => standing === "in-force");
  if (current?.id !== determinationId) return refuse({ type: "not-found" });
  const authorized = authorizedUnits(current.lines);
  const wrong = uses.filter(
    ({ sequence, used }) => !(used >= 0 && used <= usedMax) || !authorized.some((line) => line.sequence === sequence),
  );
  if (uses.length === 0 || wrong.length > 0) {
    const path = `used-${wrong[0]?.sequence ?? 1}`;
    return refuse({ type: "invalid", issues: [{ path, problem: caseProblems.unitsUsed }] });
  }
  const percent = percentUsed(current.lines, uses);
  const saved = await inTransaction(store, async (tx) => {
    const use = { taskId, practiceId: practice.id, determinationId, personId: actor.id, uses, percent };
    if (!(await saveUnitsUsed(tx, use))) return false;
    const detail = { determination: determinationId, percent };
    await appendAudit(tx, { chain: practice.id, actor, act: "case.units-recorded", taskId, detail });
    return true;
  });
  if (!saved) return refuse({ type: "not-found" });
  announce(store, "cases", practice.id);
  return ok("done");
}
