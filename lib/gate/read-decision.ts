import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { codeSystemOf } from "#lib/task/model/formats";
import { ok, refuse, type Result, assert } from "#lib/platform/result";
import { stateOf, type Action, type Digest } from "#lib/task/model/task";
import type { UnopenedReceipt } from "#lib/gate/read-receipt";
import { receiptHash, type Receipt } from "#lib/gate/receipt/receipt";
import { loadAttachments } from "#lib/task/store/attachments";
import { findReceipt } from "#lib/gate/store/decision-receipts";
import { loadConnectedPayer, resolveRoute } from "#lib/practice/shared/resolved-route";
import { gateReason, loadGate } from "#lib/gate/shared/gates";
import { loadRevision, loadTask } from "#lib/task/store/load-task";
import { recordReading } from "#lib/task/shared/readings";
import type { Store } from "#lib/db/db";
import { rowToTask, type TaskRow } from "#lib/task/store/task-rows";
import { loadDeterminations } from "#lib/task/store/case";
import { withStanding } from "#lib/task/superseded";
import { practicesOf } from "#lib/task/change";
import { recordCaseDenial } from "#lib/access/record-case-denial";
import type { Refusal } from "#lib/task/refusal";
import { shortIdOf } from "#lib/task/model/short-id";
import type { CaseDetermination, CaseView } from "#lib/task/views";

/** The request and the decision on it, for one printed page. */
export type DecisionRecord = Pick<
  CaseView,
  "taskId" | "shortId" | "practice" | "payer" | "revision" | "review" | "codeSystems"
> & {
  readonly environment: "live" | "test";
  /** Who receives the request where that is not its payer, which has them review it: by their payer connection as frozen. */
  readonly receiver?: string | undefined;
  /** What the payer decided last, as it stands now; undefined as long as the payer has not decided. */
  readonly determination?:
    | {
        readonly of: CaseDetermination;
        readonly voided: boolean;
        readonly mayBeVoided: boolean;
        readonly undecided: CaseView["undecided"];
      }
    | undefined;
  readonly attachments: readonly Omit<CaseView["attachments"][number], "isNew">[];
  readonly gate?:
    | {
        readonly id: string;
        readonly action: Action;
        readonly update: boolean;
        readonly digest: Digest;
        readonly documentDigests: readonly Digest[];
        readonly openedAt: Date;
        /** No person decided it, so it has no receipt. */
        readonly autoReleased: boolean;
      }
    | undefined;
  readonly decision?:
    | {
        readonly receipt: Receipt;
        /** The hash that the next receipt names, or will name. */
        readonly hash: Digest;
        /** What the reviewer wrote to the agent with the decision. */
        readonly reason?: string | undefined;
      }
    | undefined;
};

/**
 * A decision on a case, with the revision it was made on, for a reviewer of its practice; anyone else gets `not-found`.
 * The last decision unless a receipt is named. A case without a decision is shown with its current revision. The
 * reading is put in the audit log first.
 */
export async function readDecision(
  ctx: Context<PersonActor>,
  { taskId, receiptId }: { taskId: string; receiptId?: string | undefined },
): Promise<Result<DecisionRecord, Refusal | UnopenedReceipt>> {
  const { store } = ctx;
  const row = await loadTask(store, { taskId, practices: practicesOf(ctx) });
  if (!row) {
    await recordCaseDenial(ctx, taskId);
    return refuse({ type: "not-found" });
  }
  const place = { taskId: row.id, practiceId: row.practice_id };
  const found = await findReceipt(store, { taskId: row.id, receiptId, practices: [row.practice_id] });
  if (receiptId !== undefined && !found) return refuse({ type: "not-found" });
  if (found && !found.text) return refuse({ type: "unopened-receipt", sequence: found.sequence });
  // Safe because only `issueReceipt` writes it, from this type.
  const kept = found?.text ? { text: found.text, receipt: JSON.parse(found.text) as Receipt } : undefined;
  const number = kept?.receipt.revision ?? row.revision;
  const { review, digest, createdAt } = await loadRevision(store, { ...place, number });
  const route = await resolveRoute(store.prisma, row.practice_id, review.payer.id);
  assert(route, "a task's practice exists");
  const gate = await gateOf(store, row, kept?.receipt.gateId ?? row.gate_id);
  const connected = gate?.routeId
    ? await loadConnectedPayer(store, { practiceId: place.practiceId, routeId: gate.routeId })
    : undefined;
  await recordReading(store, {
    actor: ctx.actor,
    ...place,
    part: kept ? `decision:${kept.receipt.id}` : `undecided:${number}`,
    act: "case.decision-opened",
    detail: { revision: number, receipt: kept?.receipt.id },
  });
  return ok({
    taskId: row.id,
    shortId: shortIdOf(row.id),
    environment: kept?.receipt.environment ?? row.environment,
    practice: { id: route.practice.id, name: route.practice.name, timeZone: route.practice.timeZone },
    payer: { id: review.payer.id, name: route.payer.name, configured: route.configured },
    receiver: connected && connected.payerId !== review.payer.id ? (connected.name ?? connected.payerId) : undefined,
    revision: { number, digest, receivedAt: createdAt },
    review,
    codeSystems: Object.fromEntries(review.procedures.map(({ code }) => [code, codeSystemOf(code)])),
    determination: await determinationOf(store, row),
    attachments: await loadAttachments(store, { ...place, revision: number }),
    gate: gate?.shown,
    decision: kept && { receipt: kept.receipt, hash: receiptHash(kept.text), reason: gate?.reason },
  });
}

async function determinationOf(store: Store, row: TaskRow): Promise<DecisionRecord["determination"]> {
  const all = await loadDeterminations(store, { taskId: row.id, practiceId: row.practice_id });
  const of = withStanding(row, all).findLast(({ standing }) => standing === "in-force");
  if (!of) return undefined;
  const task = rowToTask(store, row);
  const { voided, undecided } = task.payer;
  return { of, undecided, voided: voided !== undefined, mayBeVoided: stateOf(task) === "void-unconfirmed" };
}

async function gateOf(store: Store, row: TaskRow, gateId: string | null) {
  if (!gateId) return undefined;
  const gate = await loadGate(store, { gateId, practiceId: row.practice_id });
  const { id, action, isUpdate: update, digest, documentDigests, openedAt, autoReleased, routeId } = gate;
  return {
    shown: { id, action, update, digest, documentDigests, openedAt, autoReleased },
    routeId,
    reason: gateReason(store, gate),
  };
}
