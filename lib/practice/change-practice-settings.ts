import { z } from "zod";
import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { lockPractice, payersWithoutRoute, updatePractice } from "#lib/practice/store/admin-practices";
import { recountPayerClocks } from "#lib/task/store/payer-clocks";
import { rerouteTasks } from "#lib/submission/reroute-tasks";
import { administer } from "#lib/access/administer";
import { checked, environmentWord, npiText, taxIdText, timeZoneText } from "#lib/access/checked";
import type { AdminRefusal } from "#lib/access/refusal";

export const practiceSettings = z.object({
  /** Seconds. */
  recallWindowS: z
    .number("must be a number")
    .int("must be whole seconds")
    .min(0, "must be 0 to 3600 seconds")
    .max(3600, "must be 0 to 3600 seconds"),
  /** Days. */
  gateExpiryDays: z
    .number("must be a number")
    .int("must be whole days")
    .min(1, "must be 1 to 365 days")
    .max(365, "must be 1 to 365 days"),
  environment: environmentWord,
  /** IANA name; a payer's calendar days are counted in it. */
  timeZone: timeZoneText,
  /** The organisation's own; an empty one takes it away, one left out stays. */
  npi: npiText.optional(),
  taxId: taxIdText.optional(),
});

export type PracticeSettings = z.input<typeof practiceSettings>;

/**
 * Changes what shapes the practice's gates. Open gates keep their expiry. Where
 * the environment changes, gates to payers without a route of their own are
 * superseded, for they follow the practice's.
 */
export async function changePracticeSettings(
  ctx: Context,
  { practiceId, ...input }: PracticeSettings & { practiceId: string },
): Promise<Result<undefined, AdminRefusal>> {
  const changed = await administer(ctx, { practiceId }, async (tx) => {
    const settings = checked(practiceSettings, input);
    if (!settings.ok) return settings;
    const practice = await lockPractice(tx, practiceId);
    if (!practice) return refuse({ type: "not-found", what: "practice" });
    const to = settings.value;
    const { environment, timeZone } = practice;
    // Safe because an object's own names are of its type here, where zod made it.
    const names = Object.keys(to) as (keyof typeof to)[];
    const from = Object.fromEntries(names.map((name) => [name, practice[name] ?? null]));
    const moved = environment === to.environment ? [] : await payersWithoutRoute(tx, practiceId);
    if (names.every((name) => from[name] === to[name])) return ok({ value: moved, chain: practiceId, entries: [] });
    await updatePractice(tx, practiceId, to);
    if (timeZone !== to.timeZone) await recountPayerClocks(tx, { practiceId });
    const entries = [{ act: "practice.settings-changed", detail: { from, to } }] as const;
    return ok({ value: moved, chain: practiceId, entries });
  });
  if (!changed.ok) return changed;
  const worker = { actor: { kind: "worker" }, store: ctx.store } as const;
  for (const payerId of changed.value) await rerouteTasks(worker, { practiceId, payerId });
  return ok(undefined);
}
