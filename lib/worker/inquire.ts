import type { Context } from "#lib/access/context";
import type { WorkerActor } from "#lib/access/model/actor";
import { type ConnectorName, isSameServer } from "#lib/payer/model/destination";
import { hasOpenVoid, isAwaited } from "#lib/task/model/task";
import { connectors } from "#lib/payer/connectors";
import type { InquiryRequest, Call } from "#lib/payer/connector";
import { inTransaction, type Tx } from "#lib/db/db";
import { assert } from "#lib/platform/result";
import { loadAccess, loadServer, type ResolvedRoute } from "#lib/practice/shared/resolved-route";
import { inGateTrace } from "#lib/gate/shared/gate-traces";
import { loadSentGate, loadSentGates, openCalls } from "#lib/gate/shared/gates";
import { loadTask } from "#lib/task/store/load-task";
import { rowToTask } from "#lib/task/store/task-rows";
import { postponePoll, stopPolling } from "#lib/submission/shared/work";
import { openRevision } from "#lib/task/open-revision";
import { recordInquiry } from "#lib/submission/record-inquiry";
import { instruments } from "#lib/platform/metrics/instruments";
import { onceDatabaseIsBack, resubmit, sendDeadlineMs, type SubmitOptions } from "./submit.ts";

/** How long an answer is kept that cannot be recorded; after that the payer is asked again. */
const recordMs = 60_000;

type PreparedInquiry = {
  readonly connector: ConnectorName;
  readonly routeId: string;
  readonly request: InquiryRequest;
  /** The gate of the last submission. */
  readonly gateId: string;
  /** The gate under which each of the calls was submitted. */
  readonly gateIds: ReadonlyMap<Call, string>;
};

/**
 * Asks the payer about one case that it may have, where it was submitted, and records the answer. If the
 * payer answers and does not find the case, the same bytes are submitted again when the payer recognizes our identifiers.
 */
export async function inquire(ctx: Context<WorkerActor>, options: SubmitOptions, taskId: string): Promise<void> {
  const { log, onOutcome } = options;
  const prepared = await prepare(ctx, taskId);
  if (prepared === "never") return stopPolling(ctx.store, taskId);
  if (prepared === "not-now") return;
  const { connector, routeId, request, gateId, gateIds } = prepared;
  const practiceId = request.practice.id;
  const access = await loadAccess(ctx.store, routeId);
  const [signal, began] = [AbortSignal.timeout(sendDeadlineMs), performance.now()];
  const part = { name: "inquiry", gateId, "pa.task": taskId, "pa.practice": practiceId, "pa.connector": connector };
  let away: string | undefined;
  const noteOutcome: SubmitOptions["onOutcome"] = (outcome) => {
    away = outcome.type === "answered" ? undefined : outcome.reason;
    onOutcome?.(outcome);
  };
  const response = await inGateTrace(ctx.store, part, () =>
    connectors[connector].inquire(request, { ...access, signal, onOutcome: noteOutcome }),
  );
  const ms = Math.round(performance.now() - began);
  const { answer } = response;
  const call = answer.type === "rejected" || answer.type === "match" ? answer.of : undefined;
  const ofGate = (call && gateIds.get(call)) ?? gateId;
  const about = { gateId, isUnconfirmed: request.unconfirmed === true };
  const until = performance.now() + recordMs;
  const recorded = await onceDatabaseIsBack(() => recordInquiry(ctx, { taskId, response, ofGate, about }), until);
  if (answer.type === "unknown" && answer.retryAfterMs !== undefined)
    await postponePoll(ctx.store, { taskId, ms: answer.retryAfterMs });
  instruments().inquiries.inc({ connector, answer: answer.type });
  const ids = { taskId, practice: practiceId, connection: routeId };
  log.info({ ...ids, connector, answer: answer.type, recorded: recorded.ok, away, ms }, "asked the payer");
  const isUnconfirmed = recorded.ok && recorded.value.task.stage.kind === "unconfirmed";
  if (isUnconfirmed && answer.type !== "unknown" && answer.type !== "unclear") await resubmit(ctx, options, taskId);
}

/** Whether the connection reaches the server that this version of it reached. */
async function isSameConnection(tx: Tx, routeId: string, { practice, destination }: ResolvedRoute): Promise<boolean> {
  if (destination.routeId === routeId) return true;
  const server = await loadServer(tx, { routeId, practiceId: practice.id });
  return server !== undefined && isSameServer(server, destination);
}

/** The inquiry about the last electronic submission; none for a case that is decided, closed or only submitted manually. */
async function prepare(
  { store }: Context<WorkerActor>,
  taskId: string,
): Promise<PreparedInquiry | "never" | "not-now"> {
  return inTransaction(store, async (tx) => {
    const row = await loadTask(tx, { taskId, practices: "every" });
    if (!row) return "never";
    const task = rowToTask(store, row);
    if (!isAwaited(task)) return "never";
    if (task.stage.kind === "submitting") return "not-now";
    const gate = await loadSentGate(tx, { taskId, practiceId: row.practice_id });
    if (!gate?.routeId) return "never";
    // What was submitted, and not what the agent or a reviewer made of it since.
    const { review, route } = await openRevision(tx, { ...row, revision: gate.revision });
    const { routeId } = route.destination;
    // A new version of the connection goes on asking where the last one did. Elsewhere may be another payer: a person asks.
    if (routeId === undefined || !(await isSameConnection(tx, gate.routeId, route))) return "not-now";
    const left = await loadSentGates(tx, { taskId, practiceId: row.practice_id });
    const opened = async (each: Pick<typeof gate, "id" | "practiceId" | "calls">) => ({
      id: each.id,
      calls: await openCalls(tx, each),
    });
    const [sent, ...others] = await Promise.all([gate, ...left.filter(({ id }) => id !== gate.id)].map(opened));
    assert(sent, "the gate itself is the first of them");
    const voiding = hasOpenVoid(task) ? others.find(({ id }) => id === row.gate_id) : undefined;
    const request: InquiryRequest = {
      taskId,
      update: false,
      revision: gate.revision,
      review,
      practice: { id: route.practice.id, name: route.practice.name, timeZone: route.practice.timeZone },
      destination: route.destination,
      openedAt: gate.openedAt,
      payerReference: row.reference ?? undefined,
      sent: sent.calls,
      others: others.flatMap(({ calls }) => calls),
      voiding: voiding?.calls[0],
      unconfirmed: task.stage.kind === "unconfirmed" && task.stage.gate.id === gate.id,
      sentAt: gate.transmission?.startedAt ?? undefined,
    };
    const gateIds = new Map([...others, sent].flatMap(({ id, calls }) => calls.map((call) => [call, id] as const)));
    return { connector: gate.connector, routeId, request, gateId: gate.id, gateIds };
  });
}
