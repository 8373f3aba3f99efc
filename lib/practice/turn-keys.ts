import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { listPracticeRecords } from "#lib/practice/store/admin-practices";
import { lockPractice } from "#lib/practice/shared/practices";
import { appendAudit } from "#lib/audit/shared/append-audit";
import { serviceChain, type AuditEntry } from "#lib/audit/model/entry";
import { inTransaction } from "#lib/db/db";
import { type ResealReport, resealValues } from "#lib/db/reseal";
import { findNewKey, insertSealingKey, type KeyRecord, listKeyRecords, wrapBatch } from "#lib/db/rotate-keys";
import { administer, mayAdminister } from "#lib/access/administer";
import { deny } from "#lib/access/deny";
import type { AdminRefusal } from "#lib/access/refusal";

/** Every process reads the keys again within half of this time. */
const activeAfterS = 60;

/** The sealing keys and what wraps them; never a key itself. */
export async function listKeys({ actor, store }: Context): Promise<Result<readonly KeyRecord[], AdminRefusal>> {
  if (!mayAdminister(actor, "every-practice")) return deny({ actor, store }, "keys");
  return ok(await listKeyRecords(store));
}

/**
 * Creates a new sealing key for a practice. It seals what is written from one minute later on; older values still open.
 */
export async function rotatePracticeKey(
  ctx: Context,
  { practiceId, inSeconds = activeAfterS }: { practiceId: string; inSeconds?: number },
): Promise<Result<{ version: number }, AdminRefusal>> {
  const { ring } = ctx.store.keys;
  await ctx.store.keys.ready([]);
  return administer(ctx, { practiceId }, async (tx) => {
    if (!(await lockPractice(tx, practiceId))) return refuse({ type: "not-found", what: "practice" });
    const version = await insertSealingKey({ tx, ring }, { practiceId, inSeconds });
    const detail = { version, ringKey: ring[0].id };
    return ok({ value: { version }, chain: practiceId, entries: [{ act: "practice.key-rotated", detail }] });
  });
}

/**
 * Wraps every sealing key with the key ring's first key, so that its other keys can be removed. It may be interrupted
 * and run again. Each batch of keys is in the audit log, in the batch's own transaction.
 */
export async function wrapKeys(ctx: Context): Promise<Result<{ wrapped: number; ringKey: string }, AdminRefusal>> {
  const { actor, store } = ctx;
  if (!mayAdminister(actor, "every-practice")) return deny(ctx, "keys");
  const ringKey = store.keys.ring[0].id;
  for (let wrapped = 0; ;) {
    const batch = await inTransaction(store, async (tx) => {
      const count = await wrapBatch({ tx, ring: store.keys.ring });
      const detail = { wrapped: count, ringKey };
      if (count > 0) await appendAudit(tx, { chain: serviceChain, actor, act: "keys.wrapped", detail });
      return count;
    });
    if (batch === 0) return ok({ wrapped, ringKey });
    wrapped += batch;
  }
}

/**
 * Seals again, with each practice's newest key, every value that an older key sealed, for one practice or all of them,
 * while the service runs. It may be interrupted and run again. The audit log has the start before the first value is
 * sealed again, so that an interrupted run is recorded too. Refused where some process may not seal under the newest key
 * yet: what that one seals meanwhile would be left.
 */
export async function resealPractices(
  ctx: Context,
  { practiceId }: { practiceId?: string | undefined },
): Promise<Result<ResealReport, AdminRefusal>> {
  const { actor, store } = ctx;
  if (!mayAdminister(actor, practiceId === undefined ? "every-practice" : { practiceId })) return deny(ctx, "keys");
  const known = (await listPracticeRecords(store)).map(({ id }) => id);
  const practices = practiceId === undefined ? known : known.filter((id) => id === practiceId);
  if (practiceId !== undefined && practices.length === 0) return refuse({ type: "not-found", what: "practice" });
  const newKey = await findNewKey(store, practices);
  if (newKey) return refuse({ type: "key-too-new", ...newKey });
  const chain = practiceId ?? serviceChain;
  const note = (act: "keys.resealing" | "keys.resealed", detail: AuditEntry["detail"]) =>
    inTransaction(store, (tx) => appendAudit(tx, { chain, actor, act, detail }));
  await note("keys.resealing", { practices: practices.length });
  const report = await resealValues(store, practices);
  const { resealed, unopened } = report;
  await note("keys.resealed", { resealed, ...(unopened.length > 0 && { unopened: unopened.length }) });
  return ok(report);
}
