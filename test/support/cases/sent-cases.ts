import type { Determination } from "#lib/task/model/determination";
import { stateOf } from "#lib/task/model/task";
import type { PayerAnswer } from "#lib/payer/connector";
import type { Store } from "#lib/db/db";
import { getTask } from "#lib/task/get-task";
import { recordAnswer } from "#lib/submission/record-answer";
import { releaseGate } from "#lib/gate/release-gate";
import { claimTransmission, startTransmission } from "#lib/submission/transmission";
import { aHeldTask, fullReview, theWorker } from "./cases.ts";

/** What a payer's wire said when everything was certified. */
export const approved: Determination = {
  outcome: "approved",
  authorizationNumber: "AUTH-1",
  reference: "REF-1",
  lines: [{ sequence: 1, action: "A1", reasons: [] }],
  notes: [],
  decidedAt: "2026-11-20T12:00:00.000Z",
  source: "connector",
};

/** And when nothing was. */
export const denied: Determination = {
  outcome: "denied",
  reference: "REF-1",
  lines: [{ sequence: 1, action: "A3", reasons: ["0F"] }],
  notes: ["Conservative treatment was not tried."],
  decidedAt: "2026-11-20T12:00:00.000Z",
  source: "connector",
};

/** Bytes a test does not care about. */
export const bytes = Buffer.from("{}");

export async function aReleasedTask(store: Store) {
  const held = await aHeldTask(store, { routed: true, review: fullReview });
  const released = await releaseGate(held.reviewer, { taskId: held.taskId, seen: held.seen });
  if (!released.ok) throw new Error(`The release was refused: ${released.refusal.type}`);
  return held;
}

/** A task whose bytes are on their way, and the claim that holds it. */
export async function aTransmittingTask(store: Store) {
  const released = await aReleasedTask(store);
  const claimed = await claimTransmission(theWorker(store), { taskId: released.taskId });
  if (!claimed.ok || claimed.value === "held-again") throw new Error("The claim failed.");
  await startTransmission(theWorker(store), claimed.value);
  return { ...released, claim: claimed.value };
}

/** A task the payer answered so. */
export async function anAnsweredTask(store: Store, answer: PayerAnswer) {
  const submitting = await aTransmittingTask(store);
  const { taskId, claim } = submitting;
  await recordAnswer(theWorker(store), { taskId, attempt: claim.attempt, response: { answer, bytes } });
  return submitting;
}

type Agents = Pick<Awaited<ReturnType<typeof aHeldTask>>, "channel">;

/** The state the task's own agent reads. */
export async function stateNow(taskId: string, { channel }: Agents): Promise<string> {
  const read = await getTask(channel, { taskId, historyLength: 0 });
  return read.ok ? stateOf(read.value.task) : read.refusal.type;
}
