import { isUuid } from "#lib/platform/uuid";
import type { Context } from "#lib/access/context";
import type { OperatorActor } from "#lib/access/model/actor";
import {
  findSubmissionFacts,
  readPayerHosts,
  type PayerHostRecord,
  type SubmissionFacts,
} from "#lib/submission/store/explained-submissions";
import { readHeartbeats, stoppedAfterS } from "#lib/submission/store/worker-heartbeats";

export type { PayerHostRecord, SubmissionFacts };

/** A case, and each thing that keeps it from being submitted now, the first to be mended first; none where nothing does. */
export type Explanation = SubmissionFacts & { readonly why: readonly Obstacle[] };

export type Obstacle =
  | { readonly type: "closed" | "held" | "needs-information" | "with-payer" | "manual" | "practice-suspended" }
  | { readonly type: "record-stopped" | "route-changed" | "no-worker" | "worker-not-submitting" | "about-to-leave" }
  | { readonly type: "in-recall-window" | "retry-later" | "being-submitted"; readonly forS: number }
  | { readonly type: "payer-away"; readonly forS: number; readonly reason: string; readonly tryInS: number }
  | { readonly type: "unconfirmed"; readonly inquiryInS: number | undefined };

/** Why a case is not submitted, for an operator: ids, states and times, nothing of a patient. Undefined if there is none. */
export async function explainSubmission(
  { store }: Context<OperatorActor>,
  { taskId }: { readonly taskId: string },
): Promise<Explanation | undefined> {
  const facts = isUuid(taskId) ? await findSubmissionFacts(store, taskId) : undefined;
  if (!facts) return undefined;
  const workers = (await readHeartbeats(store)).filter(({ silentS }) => silentS <= stoppedAfterS);
  return { ...facts, why: obstaclesOf(facts, workers) };
}

/** How each payer host has answered over the last day, those that are away first. */
export async function payerHostRecords({ store }: Context<OperatorActor>): Promise<readonly PayerHostRecord[]> {
  return readPayerHosts(store);
}

const closed = ["determined", "voided", "withdrawn", "declined", "failed"];
const waiting = ["transmit-released", "void-released"];

function obstaclesOf(facts: SubmissionFacts, workers: readonly { readonly maySubmit: boolean }[]): readonly Obstacle[] {
  const { state, gate, submission, nextInquiryInS } = facts;
  if (closed.includes(state)) return [{ type: "closed" }];
  if (state.endsWith("-held")) return [{ type: "held" }];
  if (state === "needs-information" || state === "payer-needs-information") return [{ type: "needs-information" }];
  if (state === "transmitted") return [{ type: "with-payer" }];
  if (gate?.isManual === true) return [{ type: "manual" }];
  if (state.endsWith("-unconfirmed")) return [{ type: "unconfirmed", inquiryInS: nextInquiryInS ?? undefined }];
  if (!waiting.includes(state) || !submission)
    return [{ type: "being-submitted", forS: Math.max(0, submission?.leaseForS ?? 0) }];
  const general: (Obstacle | false)[] = [
    facts.isRecordStopped && { type: "record-stopped" },
    !facts.isPracticeActive && { type: "practice-suspended" },
    facts.isRouteChanged && { type: "route-changed" },
    workers.length === 0 && { type: "no-worker" },
    workers.length > 0 && workers.every(({ maySubmit }) => !maySubmit) && { type: "worker-not-submitting" },
    facts.away !== null && { type: "payer-away", ...facts.away },
    submission.claimableInS > 0 && {
      type: submission.attempt === 0 ? "in-recall-window" : "retry-later",
      forS: submission.claimableInS,
    },
  ];
  const found = general.filter((obstacle) => obstacle !== false);
  return found.length > 0 ? found : [{ type: "about-to-leave" }];
}
