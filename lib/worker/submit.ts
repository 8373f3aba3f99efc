import type { Logger } from "pino";
import type { Context } from "#lib/access/context";
import type { WorkerActor } from "#lib/access/model/actor";
import { connectors } from "#lib/payer/connectors";
import type { Guard } from "#lib/submission/ledger/guard";
import { loadAccess } from "#lib/practice/store/resolved-route";
import { loadGate } from "#lib/gate/store/gates";
import type { CrashPoint } from "#lib/platform/process/crash-point";
import { recordAnswer } from "#lib/submission/record-answer";
import { claimAgain, claimTransmission, startTransmission, type Claim } from "#lib/submission/transmission";

/** The outcome when the ledger could not be written; nothing was submitted. */
const ledgerFailure = {
  answer: { type: "notSent", reason: "The submission could not be noted outside the database." },
  bytes: undefined,
} as const;

/** Longest that one exchange with a payer may take, reply included; shorter than the lease of a claim. */
export const sendDeadlineMs = 60_000;

export type SubmitOptions = {
  readonly log: Logger;
  readonly deadlineMs: number;
  /** Detects a database that has lost entries, and notes each submission in the ledger outside it. */
  readonly guard: Pick<Guard, "fence" | "noteStart">;
  /** Called at each named moment, for tests that end the worker there. */
  readonly onPoint?: ((point: CrashPoint) => void) | undefined;
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
  const claimed = await claimTransmission(ctx, {
    taskId,
    fence: guard.fence,
    onWritten: () => onPoint("claiming"),
  });
  if (!claimed.ok) return log.debug({ taskId, refusal: claimed.refusal.type }, "claim lost");
  if (claimed.value === "held-again") return log.info({ taskId }, "held again before sending");
  await deliver(ctx, { ...options, notAfter }, claimed.value);
}

/**
 * Submits an unconfirmed request again with the same bytes, if the route declares that its payer treats that as the same
 * request; else does nothing.
 */
export async function resubmit(ctx: Context<WorkerActor>, options: SubmitOptions, taskId: string): Promise<void> {
  const { log, deadlineMs, guard } = options;
  const notAfter = performance.now() + deadlineMs;
  const claimed = await claimAgain(ctx, { taskId, fence: guard.fence });
  if (!claimed.ok) return log.debug({ taskId, refusal: claimed.refusal.type }, "not sent again");
  await deliver(ctx, { ...options, notAfter }, claimed.value);
}

async function deliver(
  ctx: Context<WorkerActor>,
  { log, deadlineMs, guard, onPoint = () => undefined, notAfter }: SubmitOptions & { readonly notAfter: number },
  claim: Claim,
): Promise<void> {
  onPoint("claimed");
  const { taskId } = claim;
  const { connector, access } = await openRoute(ctx, claim);
  onPoint("opened");
  const started = await startTransmission(ctx, {
    ...claim,
    fence: guard.fence,
    onWritten: () => onPoint("starting"),
  });
  if (!started.ok) return log.warn({ taskId, refusal: started.refusal.type }, "claim lapsed before sending");
  if (started.value === "taken-back") return log.info({ taskId }, "taken back before sending");
  // Before the first byte, and outside the database, so that a restored database can be compared with the ledger.
  const noted = await guard
    .noteStart(claim)
    .catch((error: unknown) => log.error({ err: error }, "the ledger cannot be written"));
  if (!noted) {
    log.error({ taskId }, "not sent: its start is not in the database, or not in the ledger");
    await recordAnswer(ctx, { taskId, attempt: claim.attempt, response: ledgerFailure });
    return;
  }
  onPoint("started");
  const signal = AbortSignal.timeout(deadlineMs);
  const response = await connectors[connector].send(claim.calls, { ...access, signal, notAfter, onMoment: onPoint });
  onPoint("received");
  const onWritten = () => onPoint("recording");
  const recorded = await recordAnswer(ctx, { taskId, attempt: claim.attempt, response, onWritten });
  onPoint("recorded");
  const outcome = recorded.ok ? response.answer.type : recorded.refusal.type;
  log.info({ taskId, gateId: claim.gateId, attempt: claim.attempt, outcome }, "sent to the payer");
}

async function openRoute({ store }: Context, { gateId, practiceId, routeId }: Claim) {
  const gate = await loadGate(store, { gateId, practiceId });
  const access = routeId === "" ? {} : await loadAccess(store, routeId);
  return { connector: gate.connector, access };
}
