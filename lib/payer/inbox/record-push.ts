import type { Context } from "#lib/access/context";
import type { WorkerActor } from "#lib/access/model/actor";
import type { CommandType } from "#lib/task/model/lifecycle/command";
import { ok, type Result } from "#lib/platform/result";
import { isPostdated } from "#lib/task/model/decision-order";
import type { Inquiry, Rejection, Unclear } from "#lib/payer/connector";
import { connectors } from "#lib/payer/connectors";
import { loadRefusedGates, loadSentGate, loadSentGates, openCalls } from "#lib/gate/store/gates";
import { lastAnswerAt, nextPush } from "#lib/payer/inbox/store/pushes";
import { changeTask, tryChange, unchanged, type Change, type LoadedTask } from "#lib/task/change";
import { rejectionChange } from "#lib/submission/payer-rejection";
import { unclearChange, unreadableChange, answerChange, type MatchedAnswer } from "#lib/submission/payer-report";
import type { Refusal } from "#lib/task/refusal";

/** What became of the pushes about one task: how many were acted on, and what the last was. */
export type PushOutcome = "none-waits" | "later" | Inquiry["type"] | "stale";

/**
 * Acts on the first thing that was pushed about a task and not heard yet.
 * While the worker's attempt is under way it waits for the end of it. What speaks of an
 * earlier request than the one that stands counts only if the payer said it
 * later than it answered that one.
 */
export async function recordPush(
  ctx: Context<WorkerActor>,
  { taskId }: { taskId: string },
): Promise<Result<PushOutcome, Refusal>> {
  const changed = await changeTask<Result<PushOutcome, Refusal>>(
    ctx,
    { taskId, practices: "every" },
    async (loaded) => {
      const { row, task } = loaded;
      const push = await nextPush(loaded, { taskId, practiceId: row.practice_id });
      if (!push) return ok(unchanged(ok("none-waits")));
      const { stage } = task;
      if (stage.kind === "submitting" && !stage.gate.manual) return ok(unchanged(ok("later")));
      const reading = await readAbout(loaded, push.body);
      const change = await changeOf(loaded, reading);
      const isForPerson = change.commands.some(({ type }) => forPerson.includes(type));
      const unread = reading.type === "unknown" || reading.type === "unclear" || isForPerson;
      const handled = { type: "heard-push", push: { id: push.id, unread } } as const;
      const tried = tryChange(loaded, change);
      // What the lifecycle refuses leaves the task as it was, and the push is heard all the same.
      if (!tried.ok) return ok({ ...unchanged(tried), records: [handled] });
      return ok({ ...change, records: [...(change.records ?? []), handled], value: ok(reading.type) });
    },
  );
  if (changed.ok) return changed.value.value ?? ok("none-waits");
  return changed.refusal.type === "not-found" ? ok("none-waits") : changed;
}

/** What leaves an answer to a person, who then has to see it as it was received. */
const forPerson: readonly CommandType[] = ["record-unreadable-answer", "record-late-answer"];

type Reading =
  | { readonly type: "none" | "stale" }
  | { readonly type: "unknown"; readonly reason: string }
  | { readonly type: "unclear"; readonly answer: Unclear; readonly settles: boolean }
  | { readonly type: "rejected"; readonly rejection: Rejection; readonly gateId: string | undefined }
  | { readonly type: "match"; readonly answer: MatchedAnswer; readonly settles: boolean; readonly late?: boolean };

async function changeOf(loaded: LoadedTask, reading: Reading): Promise<Change> {
  switch (reading.type) {
    case "none":
    case "stale":
      return unchanged();
    case "unknown":
      return unreadableChange(loaded, reading.reason);
    case "unclear":
      return unclearChange(loaded, reading.answer, { via: "push", settles: reading.settles });
    case "rejected":
      return rejectionChange(loaded, reading.rejection, { via: "push", bytes: undefined, gateId: reading.gateId });
    case "match":
      return answerChange(loaded, reading.answer, { ...reading, via: "push", bytes: undefined });
  }
}

/**
 * Reads a push against what left for the case, and where it speaks of none of that, against what the payer refused. It
 * was found to be about this case, so what fits nothing is a person's.
 */
async function readAbout(loaded: LoadedTask, body: Uint8Array): Promise<Reading> {
  const reading = await readStanding(loaded, body);
  return reading.type === "none" ? readRefused(loaded, body) : reading;
}

const unfitting: Reading = {
  type: "unknown",
  reason: "The payer's notification names this case and fits no request that was sent for it.",
};

/** A payer that decides what it had refused says something a person must see; whatever else it says of it is past. */
async function readRefused({ tx, store, row }: LoadedTask, body: Uint8Array): Promise<Reading> {
  const refused = await loadRefusedGates(tx, { taskId: row.id, practiceId: row.practice_id });
  for (const gate of refused) {
    const pushed = connectors[gate.connector].onPush?.(body);
    const read = pushed?.ok ? pushed.value.match(openCalls(store.sealer, gate), false) : undefined;
    if (!read || read.type === "none") continue;
    if (read.type === "unknown" || read.type === "unclear") return { type: "unknown", reason: read.reason };
    if (read.type === "rejected") return { type: "none" };
    const { answer } = read;
    if (answer.type === "decided" || answer.type === "contact-payer")
      return { type: "match", answer, settles: false, late: true };
    return { type: "none" };
  }
  return unfitting;
}

/** Reads a push as an answer to the request that stands, or to an earlier one. */
async function readStanding(loaded: LoadedTask, body: Uint8Array): Promise<Reading> {
  const { tx, store, row, task } = loaded;
  const of = { taskId: row.id, practiceId: row.practice_id };
  const standing = await loadSentGate(tx, of);
  const pushed = standing && connectors[standing.connector].onPush?.(body);
  if (!standing || !pushed?.ok) return { type: "none" };
  const { match } = pushed.value;
  const others = (await loadSentGates(tx, of)).filter(({ id }) => id !== standing.id);
  const left = [...others, standing].flatMap((gate) =>
    openCalls(store.sealer, gate).map((call) => ({ gateId: gate.id, call })),
  );
  const calls = left.map(({ call }) => call);
  const { stage } = task;
  const doubted = stage.kind === "unconfirmed" && stage.gate.id === standing.id;
  const rejected = (rejection: Rejection): Reading => ({
    type: "rejected",
    rejection,
    gateId: left.find(({ call }) => call === rejection.of)?.gateId,
  });
  const current = match(calls, true);
  if (current.type === "rejected") return rejected(current);
  if (current.type === "match") return { type: "match", answer: current.answer, settles: doubted };
  if (current.type === "unclear") return { type: "unclear", answer: current, settles: doubted };
  if (current.type === "unknown") return current;
  // The payer's reference names the case and no request, so it is no word about one that is in doubt.
  const earlier = match(calls, false, doubted ? undefined : task.payer.reference);
  if (earlier.type === "rejected") return rejected(earlier);
  return orderedBehind(loaded, { earlier, standing: standing.id, doubted });
}

type Earlier = {
  readonly earlier: Exclude<Inquiry, Rejection>;
  readonly standing: string;
  readonly doubted: boolean;
};

async function orderedBehind({ tx, row }: LoadedTask, { earlier, standing, doubted }: Earlier): Promise<Reading> {
  if (earlier.type === "unclear") return { type: "unknown", reason: earlier.reason };
  if (earlier.type !== "match") return earlier;
  const answer = earlier.answer;
  // What ends the case or asks for a person needs no order; nor is there an answer yet to what is in doubt.
  const orderless = doubted || answer.type === "cancelled" || answer.type === "contact-payer";
  if (orderless) return { type: "match", answer, settles: false };
  const since = await lastAnswerAt(tx, { taskId: row.id, gateId: standing });
  const at = instantOf(answer, row.now);
  if (!since || !at)
    return {
      type: "unknown",
      reason: "The payer's notification names an earlier request, and not when it was written.",
    };
  return at > since ? { type: "match", answer, settles: false } : { type: "stale" };
}

/** The payer's own instant of a word; one that lies ahead of us says nothing. */
function instantOf(answer: Extract<MatchedAnswer, { type: "accepted" | "decided" }>, now: Date): Date | undefined {
  const instant = answer.type === "accepted" ? answer.receivedAt?.toISOString() : answer.determination.decidedAt;
  const at = instant === undefined ? undefined : new Date(instant);
  return at && isPostdated({ decidedAt: at, receivedAt: now }) ? undefined : at;
}
