import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { administer, type ActResult, type Entry } from "#lib/access/administer";
import { validate } from "#lib/access/validate";
import type { AdminRefusal } from "#lib/access/refusal";
import type { Tx } from "#lib/db/db";
import type { Support } from "#lib/payer/model/support";
import { lockPractice } from "#lib/practice/shared/practices";
import { deletePayer, listPayerRecords, putPayer } from "#lib/practice/store/payers";
import { findPayer } from "#lib/practice/shared/find-payer";
import type { ListedPayer } from "#lib/practice/model/listed-payer";
import { rerouteTasks, rechooseRoutes } from "#lib/submission/reroute-tasks";
import { problems } from "#lib/messages/problems/field";
import { payerInput } from "./payer-input.ts";

/** Most payers that a practice's directory lists. */
export const payersMax = 1_000;

export type SetPayer = {
  readonly practiceId: string;
  readonly payerId: string;
  readonly name: string;
  readonly aliases?: readonly string[] | undefined;
  readonly connector?: string | undefined;
  /** What the payer takes over its connection; left out, all that the connector has. */
  readonly supports?: readonly string[] | undefined;
  readonly requiredFields?: readonly string[] | undefined;
};

/**
 * Adds a payer to the practice's directory, or changes it; its rules stay as they are. Where it takes something else over
 * its connection than before, requests awaiting release there are prepared again.
 */
export async function setPayer(
  ctx: Context,
  { practiceId, ...input }: SetPayer,
): Promise<Result<{ readonly superseded: number }, AdminRefusal>> {
  const set = await administer(ctx, { practiceId }, async (tx) => {
    const read = validate(payerInput, input);
    if (!read.ok) return read;
    if (!(await lockPractice(tx, practiceId))) return refuse({ type: "not-found", what: "practice" });
    const before = await findPayer(tx, { practiceId, payerId: read.value.payerId });
    if (!before && (await listPayerRecords(tx, practiceId)).length >= payersMax)
      return refuse({
        type: "invalid",
        issues: [{ field: "payerId", problem: problems.oneMoreThan(payersMax) }],
      });
    return ok(await writePayer(tx, practiceId, { before, next: { ...read.value, rules: before?.rules ?? [] } }));
  });
  if (!set.ok) return set;
  const worker = { actor: { kind: "worker" }, store: ctx.store } as const;
  const { payerId } = input;
  return ok({ superseded: set.value.changesSupport ? await rerouteTasks(worker, { practiceId, payerId }) : 0 });
}

export type PayerChange = { readonly before: ListedPayer | undefined; readonly next: ListedPayer };

type SupportChange = { readonly changesSupport: boolean };

/** Writes a payer of the directory that was checked. The caller has locked the practice. */
export async function writePayer(
  tx: Tx,
  practiceId: string,
  { before, next }: PayerChange,
): Promise<ActResult<SupportChange>> {
  const changesSupport = isOtherSupport(before?.supports, next.supports);
  const detail = detailOf(next);
  if (before && JSON.stringify(detailOf(before)) === JSON.stringify(detail))
    return { value: { changesSupport }, chain: practiceId, entries: [] };
  await putPayer(tx, practiceId, next);
  const entry: Entry = { act: "payer.set", detail };
  return { value: { changesSupport }, chain: practiceId, entries: [entry] };
}

function detailOf({ payerId, rules: _, ...payer }: ListedPayer) {
  const { name, aliases, connector, supports, requiredFields } = payer;
  return { payer: payerId, name, aliases, connector: connector ?? null, supports, requiredFields };
}

/** A payer that is not listed takes all that its connector has. */
function isOtherSupport(before: readonly Support[] | undefined, next: readonly Support[]): boolean {
  return before === undefined ? next.length < 4 : before.join() !== next.join();
}

/**
 * Removes a payer with its rules from the directory; its payer connection stays. Requests awaiting release that a rule sent
 * elsewhere are prepared for the connection they go over now.
 */
export async function removePayer(
  ctx: Context,
  { practiceId, payerId }: { readonly practiceId: string; readonly payerId: string },
): Promise<Result<{ readonly superseded: number }, AdminRefusal>> {
  const removed = await administer(ctx, { practiceId }, async (tx) => {
    if (!(await lockPractice(tx, practiceId))) return refuse({ type: "not-found", what: "practice" });
    const before = await findPayer(tx, { practiceId, payerId });
    if (!before) return refuse({ type: "not-found", what: "payer" });
    await deletePayer(tx, { practiceId, payerId });
    const entry: Entry = { act: "payer.removed", detail: { payer: payerId, name: before.name } };
    return ok({ value: before, chain: practiceId, entries: [entry] });
  });
  if (!removed.ok) return removed;
  const worker = { actor: { kind: "worker" }, store: ctx.store } as const;
  const { supports, rules } = removed.value;
  const prepared = supports.length < 4 ? await rerouteTasks(worker, { practiceId, payerId }) : 0;
  const chosen = rules.length > 0 ? await rechooseRoutes(worker, { practiceId, payerId }) : 0;
  return ok({ superseded: prepared + chosen });
}
