import { parseSend } from "#lib/a2a/params/send-params";
import type { Context } from "#lib/access/context";
import type { ChannelActor, PersonActor, WorkerActor } from "#lib/access/model/actor";
import { assert, type Result } from "#lib/platform/result";
import type { ShownGate } from "#lib/task/model/lifecycle/command";
import { newId } from "#lib/db/new-id";
import { releaseGate } from "#lib/gate/release-gate";
import { reviewTask } from "#lib/task/review-task";
import { sendMessage } from "#lib/task/send-message";
import type { DemoDocument } from "./documents.ts";
import type { CaseView } from "#lib/task/views";

/** The actors of the demo cases; each acts through the same verbs as in production. */
export type DemoActors = {
  readonly agent: Context<ChannelActor>;
  readonly reviewer: Context<PersonActor>;
  readonly worker: Context<WorkerActor>;
};

/** The value of a result; throws on a refusal, because the demo script is wrong then. */
export async function done<Value>(result: Promise<Result<Value, unknown>>): Promise<Value> {
  const settled = await result;
  assert(settled.ok, `the script was refused: ${settled.ok ? "" : JSON.stringify(settled.refusal)}`);
  return settled.value;
}

type Message = {
  readonly data: object;
  readonly note?: string | undefined;
  readonly taskId?: string | undefined;
  readonly documents?: readonly DemoDocument[] | undefined;
};

/** Sends one message as an agent, parsed like at the endpoint. Returns the id of the task. */
export async function sendAsAgent(
  { agent }: DemoActors,
  { data, note, taskId, documents = [] }: Message,
): Promise<string> {
  const files = documents.map(({ name, mimeType, bytes }) => ({
    kind: "file",
    file: { name, mimeType, bytes: Buffer.from(bytes).toString("base64") },
  }));
  const parts = [{ kind: "data", data }, ...(note === undefined ? [] : [{ kind: "text", text: note }]), ...files];
  const message = { kind: "message", role: "user", messageId: newId(), parts, ...(taskId ? { taskId } : {}) };
  const parsed = parseSend({ message });
  assert(parsed.ok, `the script's message is malformed: ${parsed.ok ? "" : JSON.stringify(parsed.refusal)}`);
  return (await done(sendMessage(agent, parsed.value))).id;
}

/** The case as the reviewer's page shows it. */
export function look({ reviewer }: DemoActors, taskId: string): Promise<CaseView> {
  return done(reviewTask(reviewer, { taskId }));
}

/** The open gate of a case, as a decision on its page names it. */
export async function see(hands: DemoActors, taskId: string): Promise<ShownGate> {
  const { gate } = await look(hands, taskId);
  assert(gate, "the case stands at a gate");
  return { gateId: gate.id, revision: gate.revision, digest: gate.digest };
}

export async function release(hands: DemoActors, taskId: string): Promise<void> {
  const { checks } = await look(hands, taskId);
  const shown = checks.filter(({ needsReason }) => needsReason).map(({ key }) => key);
  const why = "Confirmed with the patient's chart.";
  await done(releaseGate(hands.reviewer, { taskId, seen: await see(hands, taskId), shown, why }));
}
