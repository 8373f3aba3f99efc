import { addedSince, progressOf, type LineProgress } from "./model/authorization-progress.ts";
import type { Outcome } from "./model/task.ts";
import type { CaseDetermination } from "./views.ts";

/** One determination among those that were in force, and what it added to the one before. */
export type DeterminationStep = {
  readonly id: string;
  readonly at: Date;
  readonly outcome: Outcome;
  readonly added: ReturnType<typeof addedSince>;
  /** How much of each line was authorized then. */
  readonly authorized: readonly LineProgress[];
};

/** The determinations that came into force, one after another, the latest first. Those kept aside are none of them. */
export function determinationSteps(list: readonly CaseDetermination[]): readonly DeterminationStep[] {
  const inForce = list.filter(({ standing }) => standing !== "never-in-force");
  return inForce
    .map(({ id, outcome, lines, decidedAt, receivedAt }, index) => ({
      id,
      at: decidedAt === undefined ? receivedAt : new Date(decidedAt),
      outcome,
      added: addedSince(inForce[index - 1]?.lines ?? [], lines),
      authorized: progressOf(lines),
    }))
    .toReversed();
}
