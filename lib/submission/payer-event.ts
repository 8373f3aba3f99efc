import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { Determination } from "#lib/task/model/determination";
import type { InformationRequest } from "#lib/task/model/information-request";
import type { PayerAnswer } from "#lib/payer/connector";
import { isPostdated, orderAfter } from "#lib/task/model/decision-order";
import { newId } from "#lib/db/new-id";
import { insertDetermination, insertPayerEvent } from "#lib/task/store/save-task";
import type { LoadedTask } from "#lib/task/loaded-task";

/** A determination, the id it is kept under, and the revision of the request that it answers. */
export type NewDetermination = {
  readonly id: string;
  readonly document: Determination;
  readonly revision: number | undefined;
};

/** What the payer said, as it is kept beside the task. */
export type PayerReport = {
  /** How it was heard, and what it was: `inquiry.decided`. */
  readonly kind: string;
  readonly bytes: Uint8Array | undefined;
  readonly determination?: NewDetermination | undefined;
  /** What makes anything else the same when it is said again; the bytes where absent. */
  readonly content?: object | undefined;
  /** The payer's own instant. */
  readonly at?: Date | undefined;
  /** A person is to look at the bytes as they were received. */
  readonly unread?: boolean | undefined;
};

/** How the payer was heard: in answer to an attempt, when it was asked, or because it spoke by itself. */
export type ResponseOrigin = { readonly via: "answer" | "inquiry" | "push"; readonly bytes: Uint8Array | undefined };

/** An answer as it is kept; `id` is the determination's where it holds one. */
export function payerReport(
  answer: PayerAnswer,
  { via, id, bytes, revision }: ResponseOrigin & Pick<NewDetermination, "id" | "revision">,
): PayerReport {
  const kind = `${via}.${answer.type}`;
  switch (answer.type) {
    case "decided": {
      const { determination: document } = answer;
      const at = document.decidedAt === undefined ? undefined : new Date(document.decidedAt);
      return { kind, bytes, determination: { id, document, revision }, at };
    }
    case "accepted": {
      const { informationRequest, receivedAt: at } = answer;
      // The names here are part of stored digests, so they stay.
      const content = informationRequest && { wants: informationRequest, at: at?.toISOString() ?? null };
      return { kind, bytes, content, at };
    }
    case "cancelled":
    case "contact-payer":
      return { kind, bytes, content: answer };
    case "unclear":
    case "unknown":
      return { kind, bytes, unread: true };
    case "rejected":
    case "notSent":
      return { kind, bytes };
  }
}

/** Keeps the payer's word and its determination. False when the same was kept before. */
export async function saveReport({ tx, store, row, task }: LoadedTask, report: PayerReport): Promise<boolean> {
  const where = { tx, sealer: store.sealer, row };
  if (report.determination) {
    const { id, document, revision } = report.determination;
    const decidedAt = document.decidedAt === undefined ? undefined : new Date(document.decidedAt);
    const dated = { decidedAt, receivedAt: row.now };
    const order = orderAfter(task.payer, { id, outcome: document.outcome, revision, ...dated });
    const supersedes = order === "older" ? undefined : task.payer.determination?.id;
    const determination = boundedDocument(document, dated);
    const { environment } = row;
    await insertDetermination(where, { id, determination, decidedAt, environment, supersedes, revision });
  }
  return insertPayerEvent(where, {
    id: newId(),
    kind: report.kind,
    digest: reportDigest(report),
    payload: report.bytes,
    payerAt: report.at,
    unread: report.unread,
  });
}

/** Most answers to inquiries about one task that are kept although they were not understood. */
const unreadMax = 20;

/** Keeps the answer to an inquiry for a person to look at, the same bytes once. */
export async function keepUnread({ tx, store, row }: LoadedTask, bytes: Uint8Array): Promise<void> {
  const kind = "inquiry.unknown";
  const known = await tx.payerEvent.count({ where: { taskId: row.id, practiceId: row.practice_id, kind } });
  if (known >= unreadMax) return;
  const digest = createHash("sha256").update(bytes).digest("hex");
  const where = { tx, sealer: store.sealer, row };
  await insertPayerEvent(where, { id: newId(), kind, digest, payload: bytes, unread: true });
}

/** A decision as it is shown: made, at the latest, when it was heard. A date that is not believed is told. */
function boundedDocument(
  document: Determination,
  dated: { decidedAt: Date | undefined; receivedAt: Date },
): Determination {
  const { decidedAt, receivedAt } = dated;
  if (!decidedAt || decidedAt <= receivedAt) return document;
  const note = `The payer dates this decision ${decidedAt.toISOString()}, after it was received.`;
  const notes = isPostdated(dated) ? [...document.notes, note] : document.notes;
  return { ...document, notes, decidedAt: receivedAt.toISOString() };
}

/** Whether the payer said exactly this about the task before, however it was heard. */
export async function isReportKnown({ tx, row }: LoadedTask, report: PayerReport): Promise<boolean> {
  const kind = { endsWith: report.kind.slice(report.kind.indexOf(".")) };
  const known = await tx.payerEvent.count({ where: { taskId: row.id, kind, digest: reportDigest(report) } });
  return known > 0;
}

/** Whether the last decision heard of, by whatever way, says exactly this: a form posted twice, or a decision heard twice. */
export async function isLatestReport({ tx, row }: LoadedTask, report: PayerReport): Promise<boolean> {
  const kind = { endsWith: report.kind.slice(report.kind.indexOf(".")) };
  const last = await tx.payerEvent.findFirst({
    where: { taskId: row.id, practiceId: row.practice_id, kind },
    orderBy: [{ receivedAt: "desc" }, { id: "desc" }],
    select: { digest: true },
  });
  return last?.digest === reportDigest(report);
}

/** What says the same is the same, whatever the bytes around it. */
function reportDigest({ bytes, determination, content }: PayerReport): string {
  const meant = determination?.document ?? content;
  const same = meant ? (canonicalize(meant) ?? "") : (bytes ?? newId());
  return createHash("sha256").update(same).digest("hex");
}

/** Whether two requests for more ask for the same. */
export function sameInformationRequest(
  one: InformationRequest | undefined,
  other: InformationRequest | undefined,
): boolean {
  return canonicalize(one ?? null) === canonicalize(other ?? null);
}
