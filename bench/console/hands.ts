import { parseSend } from "#lib/a2a/send-params";
import type { Context } from "#lib/context";
import type { ChannelActor, PersonActor, WorkerActor } from "#lib/domain/actor";
import type { Seen } from "#lib/domain/event";
import type { Result } from "#lib/domain/result";
import { newId } from "#lib/store/new-id";
import { releaseGate } from "#lib/tasks/release-gate";
import { reviewTask } from "#lib/tasks/review-task";
import { sendMessage } from "#lib/tasks/send-message";

/** Everybody who has a hand in a case; each acts through the verbs that serve in earnest. */
export type Hands = {
  readonly agent: Context<ChannelActor>;
  readonly reviewer: Context<PersonActor>;
  readonly worker: Context<WorkerActor>;
};

/** The value; a refusal means that the bench's own script is wrong. */
export async function done<Value>(result: Promise<Result<Value, unknown>>): Promise<Value> {
  const settled = await result;
  if (!settled.ok) throw new Error(`The bench was refused: ${JSON.stringify(settled.refusal)}`);
  return settled.value;
}

type Message = { readonly data: object; readonly note: string; readonly taskId?: string | undefined };

/** What an agent's client does: one message, parsed as the endpoint parses it. Returns the task's id. */
export async function tell({ agent }: Hands, { data, note, taskId }: Message): Promise<string> {
  const parts = [
    { kind: "data", data },
    { kind: "text", text: note },
  ];
  const message = { kind: "message", role: "user", messageId: newId(), parts, ...(taskId ? { taskId } : {}) };
  const sent = await done(Promise.resolve(parseSend({ message })));
  return (await done(sendMessage(agent, sent))).id;
}

/** What a decision made on the page names. */
export async function see({ reviewer }: Hands, taskId: string): Promise<Seen> {
  const { gate } = await done(reviewTask(reviewer, { taskId }));
  if (!gate) throw new Error("The case stands at no gate.");
  return { gateId: gate.id, revision: gate.revision, digest: gate.digest };
}

export async function release(hands: Hands, taskId: string): Promise<void> {
  const { checks } = await done(reviewTask(hands.reviewer, { taskId }));
  const shown = checks.filter(({ needsReason }) => needsReason).map(({ key }) => key);
  const why = "Confirmed with the patient's chart.";
  await done(releaseGate(hands.reviewer, { taskId, seen: await see(hands, taskId), shown, why }));
}
