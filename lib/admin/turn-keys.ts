import type { Context } from "#lib/context";
import { ok, refuse, type Result } from "#lib/domain/result";
import { listPracticeRecords, lockPractice } from "#lib/store/admin-practices";
import { resealValues } from "#lib/store/reseal";
import { insertSealingKey, type KeyRecord, listKeyRecords, wrapAnew } from "#lib/store/rotate-keys";
import { administer, mayAdminister } from "./administer.ts";
import type { AdminRefusal } from "./refusal.ts";

/** Every process reads the keys again within half of this. */
const activeAfterS = 60;

/** Which keys there are and what wraps them; never a key. */
export async function listKeys({ actor, store }: Context): Promise<Result<readonly KeyRecord[], AdminRefusal>> {
  return mayAdminister(actor, "every-practice") ? ok(await listKeyRecords(store)) : refuse({ type: "not-authorised" });
}

/** Gives a practice a new key, which seals what is written from a minute later on; what is sealed already still opens. */
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

/** Wraps every key by the ring's first, so that its others may be given up; safe to end and to run again. */
export async function wrapKeys(ctx: Context): Promise<Result<{ wrapped: number; ringKey: string }, AdminRefusal>> {
  if (!mayAdminister(ctx.actor, "every-practice")) return refuse({ type: "not-authorised" });
  const { ring } = ctx.store.keys;
  const [wrapped, ringKey] = [await wrapAnew(ctx.store), ring[0].id];
  return administer(ctx, "every-practice", async () => {
    const entries = wrapped === 0 ? [] : [{ act: "keys.wrapped" as const, detail: { wrapped, ringKey } }];
    return ok({ value: { wrapped, ringKey }, chain: "keys", entries });
  });
}

/**
 * Seals under its practice's newest key whatever an older one sealed, of one practice or of all, while everything else
 * goes on; safe to end at any moment and to run again.
 */
export async function resealPractices(
  ctx: Context,
  { practiceId }: { practiceId?: string | undefined },
): Promise<Result<{ resealed: number }, AdminRefusal>> {
  const concern = practiceId === undefined ? "every-practice" : { practiceId };
  if (!mayAdminister(ctx.actor, concern)) return refuse({ type: "not-authorised" });
  const known = (await listPracticeRecords(ctx.store)).map(({ id }) => id);
  const practices = practiceId === undefined ? known : known.filter((id) => id === practiceId);
  if (practiceId !== undefined && practices.length === 0) return refuse({ type: "not-found", what: "practice" });
  const resealed = await resealValues(ctx.store, practices);
  return administer(ctx, concern, async () => {
    const entries = resealed === 0 ? [] : [{ act: "keys.resealed" as const, detail: { resealed } }];
    return ok({ value: { resealed }, chain: practiceId ?? "keys", entries });
  });
}
