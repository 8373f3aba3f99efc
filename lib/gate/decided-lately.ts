import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { loadAnswersAtGates, type AnswerAtGate } from "#lib/gate/store/decided-lately";
import { reviewedBy } from "#lib/task/desk-refusal";
import type { ShownGate } from "#lib/task/model/lifecycle/command";
import { shortIdOf } from "#lib/task/model/short-id";
import type { Action } from "#lib/task/model/task";
import { isUuid } from "#lib/platform/uuid";

/** A decision of the reader's own that was made a moment ago. */
export type LateDecision = {
  readonly taskId: string;
  readonly shortId: string;
  readonly action: Action;
  /** `voted`: a release that needs others. */
  readonly answer: "released" | "voted" | "declined" | "sent-back";
  /** The gate it was made at. */
  readonly seen: ShownGate;
  /** Until when the release can be undone; undefined for every other answer. */
  readonly undoUntil?: Date | undefined;
};

const answers: Readonly<Record<string, LateDecision["answer"]>> = {
  released: "released",
  open: "voted",
  declined: "declined",
  "sent-back": "sent-back",
};

type Place = { readonly taskId: string; readonly gateId: string };

/** The reader's own answers at these gates that still stand, in the order of the gates. They say nothing of the patients. */
export async function decidedLately(
  { actor, store }: Context<PersonActor>,
  { places }: { readonly places: readonly Place[] },
): Promise<readonly LateDecision[]> {
  const known = places.filter(({ taskId, gateId }) => isUuid(taskId) && isUuid(gateId));
  if (known.length === 0) return [];
  const found = await loadAnswersAtGates(store, { places: known, personId: actor.id, practices: reviewedBy(actor) });
  const byGate = new Map(found.map((one) => [one.gateId, one]));
  return known.flatMap(({ gateId }) => lateDecisionOf(byGate.get(gateId)) ?? []);
}

function lateDecisionOf(found: AnswerAtGate | undefined): LateDecision | undefined {
  const answer = answers[found?.status ?? ""];
  if (!found || !answer) return undefined;
  const { taskId, gateId, action, revision, digest, claimableAt, now } = found;
  const undoUntil = answer === "released" && claimableAt && claimableAt > now ? claimableAt : undefined;
  return { taskId, shortId: shortIdOf(taskId), action, answer, seen: { gateId, revision, digest }, undoUntil };
}
