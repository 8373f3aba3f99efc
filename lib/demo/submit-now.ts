import { assert } from "#lib/platform/result";
import { createLog } from "#lib/platform/log";
import { recordAnswer } from "#lib/submission/record-answer";
import { claimTransmission, startTransmission } from "#lib/submission/transmission";
import { submit, sendDeadlineMs, type SubmitOptions } from "#lib/worker/submit";
import { inquire } from "#lib/worker/inquire";
import { done, look, type DemoActors } from "./demo-actors.ts";

const log = createLog("demo");

/** A guard that allows everything, because a new database with a simulated payer cannot have lost anything. */
const guard: SubmitOptions["guard"] = {
  fence: async () => ({ isTrusted: true, heldBefore: new Date(0) }),
  noteStart: async () => true,
};

/** Submits a release like the worker, over HTTP to the payer simulator. */
export async function submitNow({ worker }: DemoActors, taskId: string): Promise<void> {
  await submit(worker, { log, deadlineMs: sendDeadlineMs, guard }, taskId);
}

/** Inquires about an undecided case like the worker. */
export async function askPayer({ worker }: DemoActors, taskId: string): Promise<void> {
  await inquire(worker, { log, deadlineMs: 20_000, guard }, taskId);
}

/** Submits a release and loses the reply: the transmission is claimed, started and then unconfirmed. */
export async function loseAnswer(hands: DemoActors, taskId: string): Promise<void> {
  const { worker } = hands;
  const claim = await done(claimTransmission(worker, { taskId }));
  assert(claim !== "held-again", "what was just released may leave");
  await done(startTransmission(worker, claim));
  await doubt(hands, taskId);
}

/** Records that the payer's reply was not understood. */
async function doubt(hands: DemoActors, taskId: string): Promise<void> {
  const { attempt } = await look(hands, taskId);
  assert(attempt !== undefined, "something is being sent");
  const reason = "The request left, but no whole reply came in time.";
  await done(
    recordAnswer(hands.worker, {
      taskId,
      attempt,
      response: { answer: { type: "unknown", reason }, bytes: undefined },
    }),
  );
}
