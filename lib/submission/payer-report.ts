import { decidedWithin, type Determination } from "#lib/task/model/determination";
import { gateOf, type Task } from "#lib/task/model/task";
import type { Inquiry, Unclear } from "#lib/payer/connector";
import { newId } from "#lib/db/new-id";
import { unchanged, type Change, type LoadedTask } from "#lib/task/change";
import { determinationCommand, reusedNumber, type ReusedNumber } from "./determination-command.ts";
import {
  isReportKnown,
  payerReport,
  sameInformationRequest,
  type NewDetermination,
  type ResponseOrigin,
} from "./payer-event.ts";
import { nextPoll, noPoll } from "./polling.ts";
import { lastReceivedRevision, receivedSince } from "#lib/gate/shared/gates";
import { modifiersOf, requestedLines } from "#lib/task/model/requested-lines";
import { loadRevision } from "#lib/task/store/load-task";

/** What a payer says about a case outside a submission. */
export type MatchedAnswer = Extract<Inquiry, { type: "match" }>["answer"];

/**
 * How an answer came. It `settles` an unknown outcome if it names that very request, and is `late` if it names one that
 * the payer had rejected or was said not to have.
 */
type ReportContext = ResponseOrigin & {
  readonly settles: boolean;
  readonly late?: boolean | undefined;
  /** The gate of the submission that it was read as an answer to. */
  readonly ofGate?: string | undefined;
  /** Whether it names that submission itself, and not only the case. */
  readonly isNamed?: boolean | undefined;
};

/**
 * What a payer's answer about a case changes. The same answer again changes nothing, unless it settles an unknown
 * outcome.
 */
export async function answerChange(
  loaded: LoadedTask,
  answer: MatchedAnswer,
  { via, bytes, settles, late = false, ofGate, isNamed }: ReportContext,
): Promise<Change> {
  const { row, task } = loaded;
  const reused = answer.type === "decided" && !late ? await reusedNumber(loaded, answer.determination) : undefined;
  if (reused) return reusedChange(loaded, answer, { via, bytes, settles, reused });
  const id = newId();
  const revision = await revisionOf(loaded, answer, { settles, ofGate, isNamed });
  const report = payerReport(answer, { via, id, bytes, revision });
  // An answer that came before the payer confirmed a change may be the answer to that change.
  const isAnswer = answer.type === "decided" && revision !== undefined && revision === task.payer.undecided?.revision;
  const isNews = late || !isNoNews(task, answer);
  const repeated = !isNews || (!isAnswer && (await isReportKnown(loaded, report)));
  if (repeated && !settles) return unchanged();
  const { commands, prepared }: ReportCommands = late
    ? { commands: [{ type: "record-late-answer" }] }
    : await answerCommands(loaded, answer, { id, revision });
  const document = answer.type === "decided" ? answer.determination : undefined;
  const reference = answer.type === "decided" ? answer.determination.reference : answer.reference;
  const settled = settles ? [{ type: "resolve-unconfirmed", payerHas: true, reference } as const] : [];
  return {
    commands: [...settled, ...commands],
    prepared,
    detail: { gateId: row.gate_id, via, answer: answer.type, outcome: document?.outcome ?? null, settled: settles },
    writes: late ? {} : { poll: isSettled(task, answer, isAnswer) ? noPoll : nextPoll(row.now, row.inquiries ?? 0) },
    records: [{ type: "payer-report", report: { ...report, unread: late } }],
  };
}

/** A decision under the number of another case: nothing is taken from it, and a person is asked to read it. */
function reusedChange(
  loaded: LoadedTask,
  answer: MatchedAnswer,
  { via, bytes, settles, reused }: ReportContext & { readonly reused: ReusedNumber },
): Change {
  const reference = answer.type === "decided" ? answer.determination.reference : undefined;
  const unclear = unclearChange(loaded, { type: "unclear", reference, reason: reused.reason }, { via, settles });
  return {
    ...unclear,
    detail: { ...unclear.detail, sameNumberAs: reused.taskId },
    records: bytes === undefined ? [] : [{ type: "unread-answer", bytes }],
  };
}

type ReportCommands = Pick<Change, "commands" | "prepared">;

/** An answer that is not understood: nothing changes, and a person is asked to look, if nothing else asks them yet. */
export function unreadableChange({ task }: LoadedTask, reason: string): Change {
  if (task.attention !== undefined && task.attention !== "channel-revoked") return unchanged();
  return { commands: [{ type: "record-unreadable-answer", reason }] };
}

/** An answer whose decision a person must read: it only proves that the payer has what it names. */
export function unclearChange(
  loaded: LoadedTask,
  { reference, reason }: Unclear,
  { via, settles }: Pick<ReportContext, "via" | "settles">,
): Change {
  if (!settles) return unreadableChange(loaded, reason);
  const { row } = loaded;
  return {
    commands: [
      { type: "resolve-unconfirmed", payerHas: true, reference },
      { type: "record-unreadable-answer", reason },
    ],
    detail: { gateId: row.gate_id, via, settled: true },
    writes: { poll: nextPoll(row.now, row.inquiries ?? 0) },
  };
}

/**
 * Still pended, with no new information request. A payer that is asked may leave its requests out, so no request does
 * not mean no more requests.
 */
function isNoNews({ payer }: Task, answer: MatchedAnswer): boolean {
  return (
    answer.type === "accepted" &&
    (answer.informationRequest === undefined ||
      sameInformationRequest(answer.informationRequest, payer.informationRequest))
  );
}

/** The payer owes nothing more: no outcome of a void it accepted, and no decision on a change. */
function isSettled({ payer }: Task, answer: MatchedAnswer, isAnswer: boolean): boolean {
  if (answer.type !== "decided") return answer.type === "cancelled";
  return !payer.voidPending && (!payer.undecided || isAnswer);
}

/** The revision that an answer is about. One that settles an unknown outcome names that very request. */
async function revisionOf(
  loaded: LoadedTask,
  answer: MatchedAnswer,
  { settles, ...naming }: Pick<ReportContext, "settles" | "ofGate" | "isNamed">,
): Promise<number | undefined> {
  if (settles) return gateOf(loaded.task)?.revision;
  if (answer.type === "decided") return decidedRevision(loaded, answer.determination, naming);
  const { row, tx } = loaded;
  return answer.type === "contact-payer"
    ? lastReceivedRevision(tx, { taskId: row.id, practiceId: row.practice_id })
    : undefined;
}

/**
 * The revision that a decision is about, by its date and by the request that it names. Between revisions that ask for the
 * same, the date decides. Otherwise a decision is on none later than the one it names; where a later one went by hand, which
 * no answer can name, nobody knows.
 */
async function decidedRevision(
  loaded: LoadedTask,
  determination: Determination,
  { ofGate, isNamed }: Pick<ReportContext, "ofGate" | "isNamed">,
): Promise<number | undefined> {
  const { tx, row } = loaded;
  const of = { taskId: row.id, practiceId: row.practice_id, action: "transmit" };
  const byDate = await answeredRevision(loaded, determination);
  const named = ofGate && (await tx.gate.findFirst({ where: { ...of, id: ofGate }, select: { revision: true } }));
  const isOfUndecided = isNamed && named && named.revision === loaded.task.payer.undecided?.revision;
  // A payer that names a request had it when it decided.
  if (byDate === undefined && determination.decidedAt === undefined && isOfUndecided) return named.revision;
  if (byDate === undefined || !named || byDate <= named.revision) return byDate;
  if (await asksTheSame(loaded, named.revision, byDate)) return byDate;
  const later = { ...of, revision: byDate, isManual: false };
  return (await tx.gate.count({ where: later })) > 0 ? named.revision : undefined;
}

/** Whether two revisions ask the same payer for the same services: a payer says of both with one answer. */
async function asksTheSame({ tx, row }: LoadedTask, ...numbers: readonly number[]): Promise<boolean> {
  const place = { taskId: row.id, practiceId: row.practice_id };
  const requests = new Set<string>();
  for (const number of numbers) {
    const { review } = await loadRevision(tx, { ...place, number });
    requests.add(JSON.stringify([review.payer.id, requestedLines(review), review.procedures.map(modifiersOf)]));
  }
  return requests.size === 1;
}

async function answerCommands(
  loaded: LoadedTask,
  answer: MatchedAnswer,
  { id, revision }: Pick<NewDetermination, "id" | "revision">,
): Promise<ReportCommands> {
  switch (answer.type) {
    case "accepted": {
      const { informationRequest } = answer;
      return { commands: informationRequest ? [{ type: "record-information-request", informationRequest }] : [] };
    }
    case "cancelled":
      return { commands: [{ type: "record-payer-void" }] };
    case "contact-payer":
      return { commands: [{ type: "record-contact-request", text: answer.text }] };
    case "decided":
      return determinationCommand(loaded, { id, document: answer.determination, revision });
  }
}

/**
 * The revision that a determination answers when it comes by notification or inquiry: the last revision the payer has,
 * unless the payer decided before that revision was sent. Undefined while the payer has an undecided change for a
 * determination that is undated, or dated by the very day on which the change was sent, because it may answer either.
 */
async function answeredRevision(
  { tx, row, task }: LoadedTask,
  determination: Determination,
): Promise<number | undefined> {
  const place = { taskId: row.id, practiceId: row.practice_id };
  const { undecided } = task.payer;
  const last = (await lastReceivedRevision(tx, place)) ?? row.revision;
  if (!undecided) return last;
  const decided = decidedWithin(determination, row.now);
  if (!decided) return undefined;
  const sentAt = await receivedSince(tx, { ...place, revision: undecided.revision });
  if (!sentAt || decided.from >= sentAt) return undecided.revision;
  return decided.to < sentAt ? lastReceivedRevision(tx, { ...place, before: undecided.revision }) : undefined;
}
