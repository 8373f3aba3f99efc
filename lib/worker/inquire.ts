import type { Context } from "#lib/access/context";
import type { WorkerActor } from "#lib/access/model/actor";
import type { ConnectorName } from "#lib/payer/model/destination";
import { hasOpenVoid, isAwaited } from "#lib/task/model/task";
import { connectors } from "#lib/payer/connectors";
import type { InquiryRequest, Call } from "#lib/payer/connector";
import { inTransaction } from "#lib/db/db";
import { loadAccess } from "#lib/practice/store/resolved-route";
import { loadSentGate, loadSentGates, openCalls } from "#lib/gate/store/gates";
import { loadTask } from "#lib/task/store/load-task";
import { rowToTask } from "#lib/task/store/task-rows";
import { postponePoll, stopPolling } from "#lib/submission/store/work";
import { openRevision } from "#lib/task/open-revision";
import { recordInquiry } from "#lib/submission/record-inquiry";
import { resubmit, sendDeadlineMs, type SubmitOptions } from "./submit.ts";

type Question = {
  readonly connector: ConnectorName;
  readonly routeId: string;
  readonly asking: InquiryRequest;
  /** By which gate each call that is asked about left. */
  readonly gateIds: ReadonlyMap<Call, string>;
};

/**
 * Asks the payer about one case it may have, by the route it was sent on, and records what it says. What it does not
 * find though it answers goes to it once more, where it honours our identity.
 */
export async function inquire(ctx: Context<WorkerActor>, carrying: SubmitOptions, taskId: string): Promise<void> {
  const { log } = carrying;
  const question = await prepare(ctx, taskId);
  if (question === "never") return stopPolling(ctx.store, taskId);
  if (question === "not-now") return;
  const { connector, routeId, asking, gateIds } = question;
  const access = await loadAccess(ctx.store, routeId);
  const signal = AbortSignal.timeout(sendDeadlineMs);
  const heard = await connectors[connector].inquire(asking, { ...access, signal });
  const { answer } = heard;
  const refused = answer.type === "rejected" ? gateIds.get(answer.of) : undefined;
  const recorded = await recordInquiry(ctx, { taskId, heard, refused });
  if (answer.type === "unknown" && answer.retryAfterMs !== undefined)
    await postponePoll(ctx.store, { taskId, ms: answer.retryAfterMs });
  log.info({ taskId, answer: heard.answer.type, recorded: recorded.ok }, "asked the payer");
  const doubted = recorded.ok && recorded.value.task.motion.kind === "unconfirmed";
  if (doubted && answer.type !== "unknown" && answer.type !== "unclear") await resubmit(ctx, carrying, taskId);
}

/** The question about what was last sent over a wire; a case that is decided, over or only went by hand has none. */
async function prepare({ store }: Context<WorkerActor>, taskId: string): Promise<Question | "never" | "not-now"> {
  return inTransaction(store, async (tx) => {
    const row = await loadTask(tx, { taskId, practices: "every" });
    if (!row) return "never";
    const task = rowToTask(row, store.sealer);
    if (!isAwaited(task)) return "never";
    if (task.motion.kind === "sending") return "not-now";
    const gate = await loadSentGate(tx, { taskId, practiceId: row.practice_id });
    if (!gate?.routeId) return "never";
    const { review, way } = await openRevision({ tx, store }, row);
    // A route that changed since may lead to another payer's door: only a person may ask there.
    if (way.destination.routeId !== gate.routeId) return "not-now";
    const left = await loadSentGates(tx, { taskId, practiceId: row.practice_id });
    const others = left
      .filter(({ id }) => id !== gate.id)
      .map((each) => ({ id: each.id, calls: openCalls(store.sealer, each) }));
    const sent = { id: gate.id, calls: openCalls(store.sealer, gate) };
    const voiding = hasOpenVoid(task) ? others.find(({ id }) => id === row.gate_id) : undefined;
    const asking: InquiryRequest = {
      taskId,
      update: false,
      revision: gate.revision,
      review,
      practice: { id: way.practice.id, name: way.practice.name },
      destination: way.destination,
      openedAt: gate.openedAt,
      payerReference: row.reference ?? undefined,
      sent: sent.calls,
      others: others.flatMap(({ calls }) => calls),
      voiding: voiding?.calls[0],
      doubted: task.motion.kind === "unconfirmed" && task.motion.gate.id === gate.id,
    };
    const gateIds = new Map([...others, sent].flatMap(({ id, calls }) => calls.map((call) => [call, id] as const)));
    // Safe because `freezeGate` writes only names of connectors.
    return { connector: gate.connector as ConnectorName, routeId: gate.routeId, asking, gateIds };
  });
}
