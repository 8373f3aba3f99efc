import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { type Determination, decisionInstant, isPostdated, orderAfter, spanOfDay } from "#lib/task/model/determination";
import type { InformationRequest } from "#lib/task/model/information-request";
import type { PayerAnswer } from "#lib/payer/connector";
import { newId } from "#lib/db/new-id";
import { insertReport, type KeptReport } from "#lib/task/store/save-report";
import type { LoadedTask } from "#lib/task/store/load-task";
import { reasons } from "#lib/messages/reasons/case";

/** A determination, the id it is kept under, and the revision of the request that it answers. */
export type NewDetermination = {
  readonly id: string;
  readonly document: Determination;
  readonly revision: number | undefined;
  /** The determination in force that a person says it replaces. */
  readonly replaces?: string | undefined;
};

/** What the payer said, as it is kept with the task. */
export type PayerReport = {
  /** How it came and what it is, for example `inquiry.decided`. */
  readonly kind: string;
  readonly bytes: Uint8Array | undefined;
  readonly determination?: NewDetermination | undefined;
  /** Two reports with the same content are the same report. If absent, the bytes are compared. */
  readonly content?: object | undefined;
  /** The time the payer gives. */
  readonly at?: Date | undefined;
  /** A person must look at the bytes as received. */
  readonly unread?: boolean | undefined;
};

/** How the response came: in answer to a submission, in answer to an inquiry, or as a notification. */
export type ResponseOrigin = { readonly via: "answer" | "inquiry" | "push"; readonly bytes: Uint8Array | undefined };

/** An answer as it is kept. `id` is the id for its determination, if it has one. */
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
      const { informationRequest, receivedAt: at, requestedAt = at } = answer;
      // The names here are part of stored digests, so they stay.
      const content = informationRequest && { wants: informationRequest, at: requestedAt?.toISOString() ?? null };
      return { kind, bytes, content, at };
    }
    case "contact-payer":
      // It is never dated, so about a later revision the same is said anew.
      return { kind, bytes, content: { ...answer, ...(revision === undefined || revision === 1 ? {} : { revision }) } };
    case "cancelled":
      return { kind, bytes, content: answer };
    case "unclear":
    case "unknown":
      return { kind, bytes, unread: true };
    case "rejected":
    case "notSent":
      return { kind, bytes };
  }
}

/** The payer's report and its determination, as they are kept. */
export function keptReport(loaded: LoadedTask, report: PayerReport): KeptReport {
  const event = {
    id: newId(),
    kind: report.kind,
    digest: reportDigest(report),
    payload: report.bytes,
    payerAt: report.at,
    unread: report.unread,
  };
  return { event, determination: report.determination && keptDetermination(loaded, report.determination) };
}

function keptDetermination({ row, task }: LoadedTask, { id, document, revision, replaces }: NewDetermination) {
  const decidedAt = decisionInstant(document, row.now);
  const dated = { decidedAt, receivedAt: row.now };
  const order = orderAfter(task.payer, { id, outcome: document.outcome, revision, ...dated });
  const supersedes = replaces ?? (order === "older" ? undefined : task.payer.determination?.id);
  const determination = boundedDocument(document, dated);
  return { id, determination, decidedAt, environment: row.environment, supersedes, revision };
}

/** The most unreadable answers to inquiries that are kept for one task. */
const unreadMax = 20;

/** Keeps the answer to an inquiry for a person to look at; the same bytes only once. */
export async function keepUnread({ tx, row }: LoadedTask, bytes: Uint8Array): Promise<void> {
  const kind = "inquiry.unknown";
  const known = await tx.payerEvent.count({ where: { taskId: row.id, practiceId: row.practice_id, kind } });
  if (known >= unreadMax) return;
  const digest = createHash("sha256").update(bytes).digest("hex");
  const where = { tx, row };
  await insertReport(where, { event: { id: newId(), kind, digest, payload: bytes, unread: true } });
}

/** A determination as it is shown: dated no later than its receipt. A date that is not believed is noted. */
function boundedDocument(
  document: Determination,
  dated: { decidedAt: Date | undefined; receivedAt: Date },
): Determination {
  const { decidedAt, receivedAt } = dated;
  if (!decidedAt || decidedAt <= receivedAt) return document;
  const note = reasons.decidedAfterReceipt(decidedAt.toISOString());
  const notes = isPostdated(dated) ? [...document.notes, note] : document.notes;
  return { ...document, notes, decidedAt: receivedAt.toISOString() };
}

/**
 * Whether the payer has reported exactly this about the task before, in whatever way it came. The same decision may come
 * with an instant one time, and with its day alone or undated another time.
 */
export async function isReportKnown(loaded: LoadedTask, report: PayerReport): Promise<boolean> {
  const { tx, row } = loaded;
  const kind = { endsWith: report.kind.slice(report.kind.indexOf(".")) };
  const otherwise = report.determination ? await datedOtherwise(loaded, report.determination.document) : [];
  const digests = [report, ...otherwise.map((content) => ({ ...report, determination: undefined, content }))];
  const digest = { in: digests.map(reportDigest) };
  return (await tx.payerEvent.count({ where: { taskId: row.id, kind, digest } })) > 0;
}

const dayMs = 24 * 60 * 60 * 1000;

/** A decision with every other date under which it may be on record. Undated, it may be new while a change is undecided. */
async function datedOtherwise(
  { tx, row, task }: LoadedTask,
  { decidedAt, decidedOn, ...document }: Determination,
): Promise<readonly Determination[]> {
  if (decidedAt !== undefined) {
    return [document, ...daysAround(new Date(decidedAt)).map((day) => ({ ...document, decidedOn: day }))];
  }
  if (decidedOn === undefined && task.payer.undecided) return [];
  const span = decidedOn === undefined ? undefined : spanOfDay(decidedOn);
  const recorded = await tx.determination.findMany({
    where: {
      taskId: row.id,
      practiceId: row.practice_id,
      decidedAt: span ? { gte: span.from, lte: span.to } : { not: null },
    },
    select: { decidedAt: true },
  });
  return recorded.flatMap(({ decidedAt: at }) => {
    if (!at) return [];
    const days = decidedOn === undefined ? daysAround(at) : [];
    return [{ ...document, decidedAt: at.toISOString() }, ...days.map((day) => ({ ...document, decidedOn: day }))];
  });
}

/** The days, YYYY-MM-DD, that an instant may be of, wherever they are counted. */
function daysAround(at: Date): readonly string[] {
  return [-1, 0, 1].map((days) => new Date(at.getTime() + days * dayMs).toISOString().slice(0, 10));
}

/** Whether the last determination on record says exactly this: a form posted twice, or a decision that came twice. */
export async function isLatestReport({ tx, row }: LoadedTask, report: PayerReport): Promise<boolean> {
  const kind = { endsWith: report.kind.slice(report.kind.indexOf(".")) };
  const last = await tx.payerEvent.findFirst({
    where: { taskId: row.id, practiceId: row.practice_id, kind },
    orderBy: [{ receivedAt: "desc" }, { id: "desc" }],
    select: { digest: true },
  });
  return last?.digest === reportDigest(report);
}

/** Equal for equal content, whatever the bytes around it. */
function reportDigest({ bytes, determination, content }: PayerReport): string {
  const meant = determination?.document ?? content;
  const same = meant ? (canonicalize(meant) ?? "") : (bytes ?? newId());
  return createHash("sha256").update(same).digest("hex");
}

/** Whether two information requests ask for the same. */
export function sameInformationRequest(
  one: InformationRequest | undefined,
  other: InformationRequest | undefined,
): boolean {
  return canonicalize(one ?? null) === canonicalize(other ?? null);
}
