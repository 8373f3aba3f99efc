import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { appendAudit } from "#lib/audit/shared/append-audit";
import { announce } from "#lib/db/announce";
import { inTransaction, type Tx } from "#lib/db/db";
import { ok, refuse, type Result } from "#lib/platform/result";
import { isSnoozable, wakesAt, waitOf, type SnoozeInput } from "#lib/queue/model/snooze";
import { endSnooze, findSnoozable, loadSnooze, saveSnooze } from "#lib/queue/store/snoozes";
import { reviewedBy } from "#lib/task/desk-refusal";

/** Why a case was not snoozed. It stays where it is. */
export type SnoozeRefusal =
  | { readonly type: "not-found" }
  /** It is due within four hours. */
  | { readonly type: "near" }
  /** The time is none, past, or more than thirty days away. */
  | { readonly type: "invalid" }
  /** Nothing on it waits for anybody here. */
  | { readonly type: "nothing-to-do" }
  /** Something has happened to it since it was shown. */
  | { readonly type: "changed-meanwhile" }
  /** Somebody has snoozed it meanwhile. */
  | { readonly type: "snoozed-meanwhile"; readonly by: string };

export type CaseSnooze = SnoozeInput & {
  readonly taskId: string;
  /** When the case had last changed, as the page showed it. */
  readonly changedAt: string;
};

/**
 * Leaves a case out of To release and Action required, for everybody of its practice, until it is to wake. It wakes
 * earlier where anything happens to it, or a deadline comes near. The case itself does not change.
 */
export async function snoozeCase(
  { actor, store }: Context<PersonActor>,
  snooze: CaseSnooze,
): Promise<Result<"done", SnoozeRefusal>> {
  const snoozed = await inTransaction(store, (tx) => snoozeIn(tx, actor, snooze));
  if (!snoozed.ok) return snoozed;
  announce(store, "cases", snoozed.value);
  return ok("done");
}

async function snoozeIn(tx: Tx, actor: PersonActor, snooze: CaseSnooze): Promise<Result<string, SnoozeRefusal>> {
  const { taskId, choice, changedAt } = snooze;
  const found = await findSnoozable(tx, { taskId, practices: reviewedBy(actor) });
  if (!found) return refuse({ type: "not-found" });
  const { practiceId, version } = found;
  if (found.changedAt.toISOString() !== changedAt) return refuse({ type: "changed-meanwhile" });
  if (!isSnoozable(found)) return refuse({ type: "nothing-to-do" });
  const until = wakesAt(snooze, found);
  if (typeof until === "string") return refuse({ type: until });
  const waitsFor = waitOf(choice);
  if (!(await saveSnooze(tx, { taskId, practiceId, personId: actor.id, version, waitsFor, until }))) {
    const now = await loadSnooze(tx, { taskId, practiceId });
    return refuse(now ? { type: "snoozed-meanwhile", by: now.by } : { type: "changed-meanwhile" });
  }
  const detail = { until: until.toISOString(), waitsFor };
  await appendAudit(tx, { chain: practiceId, actor, act: "case.snoozed", taskId, detail });
  return ok(practiceId);
}

/** Wakes a snoozed case; nothing if it is awake. Anybody who may review it may. */
export async function wakeCase(
  { actor, store }: Context<PersonActor>,
  { taskId }: { readonly taskId: string },
): Promise<Result<"done" | "nothing", { readonly type: "not-found" }>> {
  const practices = reviewedBy(actor);
  const woken = await inTransaction(store, async (tx) => {
    if (!(await findSnoozable(tx, { taskId, practices }))) return refuse({ type: "not-found" });
    const ended = await endSnooze(tx, { taskId, practices });
    if (!ended) return ok(undefined);
    const { practiceId: chain, until } = ended;
    await appendAudit(tx, { chain, actor, act: "case.woken", taskId, detail: { until: until.toISOString() } });
    return ok(chain);
  });
  if (!woken.ok) return woken;
  if (woken.value === undefined) return ok("nothing");
  announce(store, "cases", woken.value);
  return ok("done");
}
