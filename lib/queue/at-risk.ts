import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { countFailedByPayer, countViews, type FailedPayer } from "#lib/queue/store/queue-counts";
import { listedMax } from "./list-queue.ts";

/** What the home page counts, the most urgent for a patient first; each is a view of the queue. */
export const atRiskViews = [
  "past-target",
  "near-target",
  "payer-late",
  "person",
  "payer-wants",
  "expiring",
  "ending",
  "denied",
] as const;

export type AtRiskView = (typeof atRiskViews)[number];

export type AtRisk = {
  /** How many cases each view lists, at most one more than `listedMax`. */
  readonly counts: Readonly<Record<AtRiskView, number>>;
  /** The payers to which submissions failed in the last days. */
  readonly failed: readonly FailedPayer[];
};

/** What is at risk in the practices that the person reviews for; undefined for a person who reviews for none. */
export async function whatIsAtRisk({ actor, store }: Context<PersonActor>): Promise<AtRisk | undefined> {
  const { id: personId, practices, roles } = actor;
  if (!roles.includes("reviewer") || practices.length === 0) return undefined;
  const [counts, failed] = await Promise.all([
    countViews(store, { practices, personId }, { views: atRiskViews, max: listedMax + 1 }),
    countFailedByPayer(store, { practices, personId }, listedMax + 1),
  ]);
  return { counts, failed };
}
