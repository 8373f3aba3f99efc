import type { Logger } from "pino";
import type { Context } from "#lib/context";
import type { WorkerActor } from "#lib/domain/actor";
import type { ConnectorName } from "#lib/domain/destination";
import { isAwaited } from "#lib/domain/task";
import { connectors } from "#lib/payer/connectors";
import type { Asked } from "#lib/payer/connector";
import { inTransaction } from "#lib/store/db";
import { loadAccess } from "#lib/store/destinations";
import { loadSentGate, loadSentGates, openCalls } from "#lib/store/gates";
import { loadTask } from "#lib/store/load-task";
import { rowToTask } from "#lib/store/task-rows";
import { postponePoll, stopPolling } from "#lib/store/work";
import { openRevision } from "#lib/tasks/open-revision";
import { recordInquiry } from "#lib/tasks/record-inquiry";
import { sendDeadlineMs } from "./carry.ts";

type Question = { readonly connector: ConnectorName; readonly routeId: string; readonly asking: Asked };

/** Asks the payer about one case it may have, by the route it was sent on, and records what it says. */
export async function ask(ctx: Context<WorkerActor>, log: Logger, taskId: string): Promise<void> {
  const question = await prepare(ctx, taskId);
  if (question === "never") return stopPolling(ctx.store, taskId);
  if (question === "not-now") return;
  const { connector, routeId, asking } = question;
  const access = await loadAccess(ctx.store, routeId);
  const signal = AbortSignal.timeout(sendDeadlineMs);
  const heard = await connectors[connector].inquire(asking, { ...access, signal });
  const recorded = await recordInquiry(ctx, { taskId, heard });
  const { answer } = heard;
  if (answer.type === "unknown" && answer.retryAfterMs !== undefined)
    await postponePoll(ctx.store, { taskId, ms: answer.retryAfterMs });
  log.info({ taskId, answer: heard.answer.type, recorded: recorded.ok }, "asked the payer");
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
    const others = left.filter(({ id }) => id !== gate.id).flatMap((other) => openCalls(store.sealer, other));
    const asking: Asked = {
      taskId,
      update: false,
      revision: gate.revision,
      review,
      practice: { id: way.practice.id, name: way.practice.name },
      destination: way.destination,
      openedAt: gate.openedAt,
      payerReference: row.reference ?? undefined,
      sent: openCalls(store.sealer, gate),
      others,
      doubted: task.motion.kind === "unconfirmed" && task.motion.gate.id === gate.id,
    };
    // Safe because `freezeGate` writes only names of connectors.
    return { connector: gate.connector as ConnectorName, routeId: gate.routeId, asking };
  });
}
