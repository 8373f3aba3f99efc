import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { loadAnswerAtGate } from "#lib/gate/store/decided-lately";
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

/** The reader's own answer at a gate, if it still stands. It says nothing of the patient. */
export async function decidedLately(
  { actor, store }: Context<PersonActor>,
  { taskId, gateId }: { readonly taskId: string; readonly gateId: string },
): Promise<LateDecision | undefined> {
  if (!isUuid(taskId) || !isUuid(gateId)) return undefined;
  const practices = reviewedBy(actor);
  const found = await loadAnswerAtGate(store, { taskId, gateId, personId: actor.id, practices });
  const answer = answers[found?.status ?? ""];
  if (!found || !answer) return undefined;
  const { action, revision, digest, claimableAt, now } = found;
  const undoUntil = answer === "released" && claimableAt && claimableAt > now ? claimableAt : undefined;
  return { taskId, shortId: shortIdOf(taskId), action, answer, seen: { gateId, revision, digest }, undoUntil };
}
