import type { Context } from "#lib/access/context";
import type { WorkerActor } from "#lib/access/model/actor";
import type { CommandType } from "#lib/task/model/lifecycle/command";
import { ArchivedValueLostError } from "#lib/db/archived";
import { ok, type Result } from "#lib/platform/result";
import { decidedWithin, isPostdated } from "#lib/task/model/determination";
import { isForeign } from "#lib/task/model/lifecycle/consequences";
import type { Call, Inquiry, Rejection, Unclear } from "#lib/payer/connector";
import { connectors } from "#lib/payer/connectors";
import { loadRefusedGates, loadSentGate, loadSentGates, openCalls } from "#lib/gate/shared/gates";
import { lastAnswerAt, nextPush } from "#lib/payer/inbox/store/pushes";
import { changeTask, tryChange, unchanged, type Change, type LoadedTask } from "#lib/task/change";
import { rejectionChange } from "#lib/submission/payer-rejection";
import { unclearChange, unreadableChange, answerChange, type MatchedAnswer } from "#lib/submission/payer-report";
import type { Refusal } from "#lib/task/refusal";
import { payerReasons } from "#lib/messages/reasons/payer";

/**
 * The result for the notifications about one task: nothing waits, the worker must finish first, or how the last one was
 * read.
 */
export type PushOutcome = "none-waits" | "later" | Inquiry["type"] | "stale";

/**
 * Acts on the oldest notification about a task that is not handled yet. While the worker is submitting, the
 * notification waits. What the payer says about an earlier request counts only if it is dated after its answer to the
 * current one. Where the archive lost what was submitted, a person reads the notification.
 */
export async function recordPush(
  ctx: Context<WorkerActor>,
  { taskId }: { taskId: string },
): Promise<Result<PushOutcome, Refusal>> {
  try {
    return await recordNext(ctx, { taskId, readAbout });
  } catch (error) {
    if (!(error instanceof ArchivedValueLostError)) throw error;
    return recordNext(ctx, { taskId, readAbout: async () => uncompared });
  }
}

type Next = {
  readonly taskId: string;
  readonly readAbout: (loaded: LoadedTask, body: Uint8Array) => Promise<Reading>;
};

async function recordNext(
  ctx: Context<WorkerActor>,
  { taskId, readAbout: read }: Next,
): Promise<Result<PushOutcome, Refusal>> {
  const changed = await changeTask<Result<PushOutcome, Refusal>>(
    ctx,
    { taskId, practices: "every" },
    async (loaded) => {
      const { row, task } = loaded;
      const push = await nextPush(loaded.tx, { taskId, practiceId: row.practice_id });
      if (!push) return ok(unchanged(ok("none-waits")));
      const { stage } = task;
      if (stage.kind === "submitting" && !stage.gate.manual) return ok(unchanged(ok("later")));
      const reading = await read(loaded, push.body);
      const change = await changeOf(loaded, reading);
      const isForPerson = await asksForPerson(loaded, reading, change);
      const unread = reading.type === "unknown" || reading.type === "unclear" || isForPerson;
      const handled = { type: "heard-push", push: { id: push.id, unread } } as const;
      const tried = tryChange(loaded, change);
      // If the lifecycle refuses, the task is unchanged, and the notification is handled all the same.
      if (!tried.ok) return ok({ ...unchanged(tried), records: [handled] });
      return ok({ ...change, records: [...(change.records ?? []), handled], value: ok(reading.type) });
    },
  );
  if (changed.ok) return changed.value.value ?? ok("none-waits");
  return changed.refusal.type === "not-found" ? ok("none-waits") : changed;
}

/** Commands that leave an answer to a person, who must then see it as received. */
const forPerson: readonly CommandType[] = ["record-unreadable-answer", "record-late-answer"];

/** Where the case asks for a person already, another answer that is for one changes nothing of it, and has to be seen too. */
async function asksForPerson(loaded: LoadedTask, reading: Reading, change: Change): Promise<boolean> {
  const { attention } = loaded.task;
  const calm = { ...loaded, task: { ...loaded.task, attention: undefined } };
  const first = attention && attention !== "channel-revoked" ? await changeOf(calm, reading) : change;
  return [...change.commands, ...first.commands].some(({ type }) => forPerson.includes(type));
}

type Reading =
  | { readonly type: "none" | "stale" }
  | { readonly type: "unknown"; readonly reason: string }
  | { readonly type: "unclear"; readonly answer: Unclear; readonly settles: boolean }
  | { readonly type: "rejected"; readonly rejection: Rejection; readonly gateId: string | undefined }
  | {
      readonly type: "match";
      readonly answer: MatchedAnswer;
      readonly settles: boolean;
      readonly late?: boolean;
      readonly ofGate?: string | undefined;
      readonly isNamed?: boolean | undefined;
    };

async function changeOf(loaded: LoadedTask, reading: Reading): Promise<Change> {
  if (isForeign(loaded.task)) return foreignChange(loaded, reading);
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
 * The payer speaks of what it was said not to have, or had rejected: a person must know before it is sent again. That it
 * rejects it is no news.
 */
async function foreignChange(loaded: LoadedTask, reading: Reading): Promise<Change> {
  switch (reading.type) {
    case "none":
    case "stale":
    case "rejected":
      return unchanged();
    case "unknown":
    case "unclear":
      return { commands: [{ type: "record-late-answer" }] };
    case "match":
      return answerChange(loaded, reading.answer, { via: "push", bytes: undefined, settles: false, late: true });
  }
}

/**
 * Reads a notification as an answer to what was submitted for the case, else to what the payer rejected. It is known to
 * be about this case, so if it fits neither, it is for a person.
 */
async function readAbout(loaded: LoadedTask, body: Uint8Array): Promise<Reading> {
  const reading = await readStanding(loaded, body);
  return reading.type === "none" ? readRefused(loaded, body) : reading;
}

const uncompared: Reading = { type: "unknown", reason: payerReasons.requestLost };

const unfitting: Reading = {
  type: "unknown",
  reason: payerReasons.notificationFitsNothing,
};

/** If the payer decides something it had rejected, a person must see that; anything else about it no longer matters. */
async function readRefused({ tx, row }: LoadedTask, body: Uint8Array): Promise<Reading> {
  const refused = await loadRefusedGates(tx, { taskId: row.id, practiceId: row.practice_id });
  for (const gate of refused) {
    const pushed = connectors[gate.connector].onPush?.(body);
    const read = pushed?.ok ? pushed.value.match(await openCalls(tx, gate), false) : undefined;
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

/** Reads a notification as an answer to the current request, or to an earlier one. */
async function readStanding(loaded: LoadedTask, body: Uint8Array): Promise<Reading> {
  const { tx, row, task } = loaded;
  const of = { taskId: row.id, practiceId: row.practice_id };
  const standing = await loadSentGate(tx, of);
  const pushed = standing && connectors[standing.connector].onPush?.(body);
  if (!standing || !pushed?.ok) return { type: "none" };
  const { match } = pushed.value;
  const others = (await loadSentGates(tx, of)).filter(({ id }) => id !== standing.id);
  const gates = [...others, standing];
  const opened = await Promise.all(gates.map((gate) => openCalls(tx, gate)));
  const left = gates.flatMap(({ id: gateId }, index) => (opened[index] ?? []).map((call) => ({ gateId, call })));
  const calls = left.map(({ call }) => call);
  const { stage } = task;
  const doubted = stage.kind === "unconfirmed" && stage.gate.id === standing.id;
  const gateOf = (of: Call | undefined) => left.find(({ call }) => call === of)?.gateId;
  const rejected = (rejection: Rejection): Reading => ({ type: "rejected", rejection, gateId: gateOf(rejection.of) });
  const current = match(calls, true);
  if (current.type === "rejected") return rejected(current);
  if (current.type === "match") return { ...current, settles: doubted, ofGate: standing.id };
  if (current.type === "unclear") return { type: "unclear", answer: current, settles: doubted };
  if (current.type === "unknown") return current;
  // The payer's reference names the case but no request, so it says nothing about one of unknown outcome.
  const earlier = match(calls, false, doubted ? undefined : task.payer.reference);
  if (earlier.type === "rejected") return rejected(earlier);
  const ordered = await orderedBehind(loaded, { earlier, standing: standing.id, doubted });
  if (ordered.type !== "match" || earlier.type !== "match") return ordered;
  return { ...ordered, ofGate: gateOf(earlier.of) ?? standing.id };
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
  // An answer that ends the case or asks for a person needs no order, and before an outcome is known there is none.
  const orderless = doubted || answer.type === "cancelled" || answer.type === "contact-payer";
  if (orderless) return { type: "match", answer, settles: false };
  const since = await lastAnswerAt(tx, { taskId: row.id, gateId: standing });
  const at = instantOf(answer, row.now);
  if (!since || !at)
    return {
      type: "unknown",
      reason: payerReasons.notificationUndated,
    };
  return at > since ? { type: "match", answer, settles: false } : { type: "stale" };
}

/** The payer's date of an answer, by its day alone the first instant of it; a date in the future is ignored. */
function instantOf(answer: Extract<MatchedAnswer, { type: "accepted" | "decided" }>, now: Date): Date | undefined {
  if (answer.type === "decided") return decidedWithin(answer.determination, now)?.from;
  const { receivedAt: at } = answer;
  return at && isPostdated({ decidedAt: at, receivedAt: now }) ? undefined : at;
}
