import { reasons } from "#lib/messages/reasons/case";
import type { Logger } from "pino";
import type { Context } from "#lib/access/context";
import type { WorkerActor } from "#lib/access/model/actor";
import { connectors } from "#lib/payer/connectors";
import type { Guard } from "#lib/submission/ledger/guard";
import { loadAccess } from "#lib/practice/shared/resolved-route";
import { inGateTrace } from "#lib/gate/shared/gate-traces";
import type { CrashPoint } from "#lib/platform/process/crash-point";
import { isUnavailable } from "#lib/db/unavailable";
import type { HostOutcome } from "#lib/platform/outbound/exchange";
import { giveBackRelease } from "#lib/submission/store/reserve-releases";
import { recordAnswer, type RecordedAnswer } from "#lib/submission/record-answer";
import { claimAgain, claimTransmission, leaseMs, startTransmission, type Claim } from "#lib/submission/transmission";
import type { Span } from "#lib/platform/tracing/tracing";
import { instruments } from "#lib/platform/metrics/instruments";
import { setTimeout } from "node:timers/promises";

/** The outcome when the ledger could not be written; nothing was submitted. */
const ledgerFailure = {
  answer: { type: "notSent", reason: reasons.notNoted },
  bytes: undefined,
} as const;

/** The outcome when the database could not be reached before the first byte left. */
const databaseFailure = {
  answer: { type: "notSent", reason: reasons.databaseAway },
  bytes: undefined,
} as const;

/** How long before the end of a lease nothing of its attempt is recorded any more. */
const leaseMarginMs = 5_000;

/** Longest that one exchange with a payer may take, reply included; shorter than the lease of a claim. */
export const sendDeadlineMs = 60_000;

export type SubmitOptions = {
  readonly log: Logger;
  readonly deadlineMs: number;
  /** Detects a database that has lost entries, and notes each submission in the ledger outside it. */
  readonly guard: Pick<Guard, "fence" | "noteStart">;
  /** Called at each named moment, for tests that end the worker there. */
  readonly onPoint?: ((point: CrashPoint) => void) | undefined;
  /** Called with what each exchange says of the payer's host. */
  readonly onOutcome?: ((outcome: HostOutcome) => void) | undefined;
};

/**
 * Submits one released action to its payer: claims it, commits that it is about to be sent, sends exactly the frozen bytes,
 * and records the answer. If this worker stops at any point, another one sees in the rows what is certain and what is not.
 */
export async function submit(ctx: Context<WorkerActor>, options: SubmitOptions, taskId: string): Promise<void> {
  const { log, deadlineMs, guard, onPoint = () => undefined } = options;
  onPoint("found");
  // Measured from before the claim, so that a worker that was suspended past its lease sends nothing when it resumes.
  const notAfter = performance.now() + deadlineMs;
  const heldUntil = performance.now() + leaseMs - leaseMarginMs;
  const claimed = await claimTransmission(ctx, {
    taskId,
    fence: guard.fence,
    onWritten: () => onPoint("claiming"),
  });
  if (!claimed.ok) {
    // Otherwise it would wait until its reservation is over, long after the database may be submitted from again.
    if (claimed.refusal.type === "record-stopped") await giveBackRelease(ctx.store, taskId);
    return log.debug({ taskId, refusal: claimed.refusal.type }, "claim lost");
  }
  if (claimed.value === "held-again") return log.info({ taskId }, "held again before sending");
  await deliver(ctx, { ...options, notAfter, heldUntil }, claimed.value);
}

/**
 * Submits an unconfirmed request again with the same bytes, if the route declares that its payer treats that as the same
 * request; else does nothing.
 */
export async function resubmit(ctx: Context<WorkerActor>, options: SubmitOptions, taskId: string): Promise<void> {
  const { log, deadlineMs, guard } = options;
  const notAfter = performance.now() + deadlineMs;
  const heldUntil = performance.now() + leaseMs - leaseMarginMs;
  const claimed = await claimAgain(ctx, { taskId, fence: guard.fence });
  if (!claimed.ok) return log.debug({ taskId, refusal: claimed.refusal.type }, "not sent again");
  await deliver(ctx, { ...options, notAfter, heldUntil }, claimed.value);
}

type Delivery = SubmitOptions & {
  readonly notAfter: number;
  /** By `performance.now()`: until when this worker may record what came of the attempt. */
  readonly heldUntil: number;
};

function deliver(ctx: Context<WorkerActor>, options: Delivery, claim: Claim): Promise<void> {
  const { taskId, practiceId, gateId, attempt } = claim;
  const part = { name: "submission", gateId, "pa.task": taskId, "pa.practice": practiceId, "pa.attempt": attempt };
  return inGateTrace(ctx.store, part, (span) => deliverTraced(ctx, { ...options, span }, claim));
}

async function deliverTraced(
  ctx: Context<WorkerActor>,
  options: Delivery & { readonly span: Span },
  claim: Claim,
): Promise<void> {
  const { log, span, deadlineMs, onPoint = () => undefined, onOutcome, notAfter, heldUntil } = options;
  onPoint("claimed");
  const { taskId, attempt } = claim;
  const record = (response: RecordedAnswer["response"], more: Pick<RecordedAnswer, "isHostAway" | "onWritten"> = {}) =>
    onceDatabaseIsBack(() => recordAnswer(ctx, { taskId, attempt, response, ...more }), heldUntil);
  const ready = await prepare(ctx, options, claim).catch(async (error: unknown) => {
    // Nothing has left, so the attempt goes back at once, and not only when its lease is over.
    if (isUnavailable(error)) await record(databaseFailure);
    throw error;
  });
  if (ready === "not-noted") await record(ledgerFailure);
  if (ready === "not-noted" || ready === "not-ours") return;
  onPoint("started");
  const [signal, began] = [AbortSignal.timeout(deadlineMs), performance.now()];
  const exchange = span.child("payer exchange", { "pa.connector": ready.connector });
  const response = await connectors[ready.connector].send(claim.calls, {
    ...ready.access,
    ...{ signal, notAfter, onMoment: onPoint, onOutcome },
  });
  exchange.end({ "pa.answer": response.answer.type });
  onPoint("received");
  const { host } = response;
  const away = host === undefined || host.type === "answered" ? undefined : host.reason;
  const recorded = await record(response, { isHostAway: away !== undefined, onWritten: () => onPoint("recording") });
  onPoint("recorded");
  const outcome = recorded.ok ? response.answer.type : recorded.refusal.type;
  const { connector } = ready;
  instruments().submissions.inc({ connector, outcome: response.answer.type });
  const ms = Math.round(performance.now() - began);
  const ids = { taskId, practice: claim.practiceId, gateId: claim.gateId, connection: claim.routeId };
  // Of what was not taken the reason is a sentence of ours, never the payer's words.
  const reason = response.answer.type === "notSent" ? response.answer.reason : undefined;
  log.info({ ...ids, connector, attempt, outcome, away, reason, ms }, "sent to the payer");
}

/** Everything before the first byte: that the submission starts is committed, with the route opened, and noted. */
async function prepare(ctx: Context<WorkerActor>, options: Delivery, claim: Claim) {
  const { log, guard, onPoint = () => undefined } = options;
  const { taskId } = claim;
  const { connector, routeId } = claim;
  let access: Awaited<ReturnType<typeof loadAccess>> | undefined;
  onPoint("opened");
  const started = await startTransmission(ctx, {
    ...claim,
    fence: guard.fence,
    onWritten: () => onPoint("starting"),
    beside: async (tx) => void (access = routeId === "" ? undefined : await loadAccess(tx, routeId)),
  });
  if (!started.ok) {
    log.warn({ taskId, refusal: started.refusal.type }, "claim lapsed before sending");
    return "not-ours";
  }
  if (started.value === "taken-back") {
    log.info({ taskId }, "taken back before sending");
    return "not-ours";
  }
  // Before the first byte, and outside the database, so that a restored database can be compared with the ledger.
  const noted = await guard
    .noteStart(claim)
    .catch((error: unknown) => log.error({ err: error }, "the ledger cannot be written"));
  if (noted) return { connector, access };
  log.error({ taskId }, "not sent: its start is not in the database, or not in the ledger");
  return "not-noted";
}

const everyMs = 500;

/**
 * Does what `work` does, again for as long as the database cannot be reached, but not after `until` (by
 * `performance.now()`): what a payer answered is to be recorded once the database is back, while the lease holds.
 */
export async function onceDatabaseIsBack<Value>(work: () => Promise<Value>, until: number): Promise<Value> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error) || performance.now() + everyMs > until) throw error;
      await setTimeout(everyMs);
    }
  }
}
