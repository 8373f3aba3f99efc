import { z } from "zod";
import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { lockPractice, payersWithoutRoute, updatePractice } from "#lib/practice/store/admin-practices";
import { recountPayerClocks } from "#lib/task/store/payer-clocks";
import { rerouteTasks } from "#lib/submission/reroute-tasks";
import { administer } from "#lib/access/administer";
import { validate, environmentWord, npiText, taxIdText, timeZoneText } from "#lib/access/validate";
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
  /** IANA name. A payer's calendar days are counted in this time zone. */
  timeZone: timeZoneText,
  /** The organization's identifiers; an empty text removes one, undefined leaves it as it is. */
  npi: npiText.optional(),
  taxId: taxIdText.optional(),
});

export type PracticeSettings = z.input<typeof practiceSettings>;

/**
 * Changes the settings that new gates take. Open gates keep their expiry. When the environment changes, gates to payers
 * without a payer connection of their own are superseded, because those payers use the practice's environment.
 */
export async function changePracticeSettings(
  ctx: Context,
  { practiceId, ...input }: PracticeSettings & { practiceId: string },
): Promise<Result<undefined, AdminRefusal>> {
  const changed = await administer(ctx, { practiceId }, async (tx) => {
    const settings = validate(practiceSettings, input);
    if (!settings.ok) return settings;
    const practice = await lockPractice(tx, practiceId);
    if (!practice) return refuse({ type: "not-found", what: "practice" });
    const to = settings.value;
    const { environment, timeZone } = practice;
    // Safe because zod returns exactly the properties of its schema.
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
