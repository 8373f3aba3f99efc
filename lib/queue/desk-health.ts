import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { decisionTimes } from "#lib/task/model/decision-times";
import { ok, refuse, type Result } from "#lib/platform/result";
import { loadFigures, type Figures } from "#lib/queue/store/desk-figures";
import { practiceNames } from "#lib/queue/store/practice-names";
import { practicesOf } from "#lib/task/change";
import type { Refusal } from "#lib/task/refusal";

/** The windows of the figures in days, each with the length of its periods in days. */
export const healthWindows = { "7": 1, "30": 1, "90": 7 } as const;
export type HealthWindow = keyof typeof healthWindows;

export type DeskHealth = Figures & {
  readonly window: HealthWindow;
  readonly periodDays: number;
  /** The reviewer's practices. */
  readonly practices: readonly { readonly id: string; readonly name: string }[];
  readonly practiceId?: string | undefined;
};

export type HealthQuery = {
  readonly window: HealthWindow;
  /** Limits the figures to one practice. */
  readonly practiceId?: string | undefined;
  /** The IANA time zone of the calendar days. */
  readonly zone: string;
};

/**
 * Figures about the work of a reviewer's practices: counts and durations, with no patient data. A practice that is not the
 * reviewer's is `not-found`.
 */
export async function deskHealth(
  ctx: Context<PersonActor>,
  { window, practiceId, zone }: HealthQuery,
): Promise<Result<DeskHealth, Refusal>> {
  const own = practicesOf(ctx);
  if (own === "every" || (practiceId !== undefined && !own.includes(practiceId))) return refuse({ type: "not-found" });
  const practices = await practiceNames(ctx.store, own);
  const periodDays = healthWindows[window];
  const query = { practices: practiceId === undefined ? own : [practiceId], days: Number(window), periodDays, zone };
  const figures = await loadFigures(ctx.store, { ...query, rules: decisionTimes });
  return ok({ ...figures, window, periodDays, practices, practiceId });
}
