import type { Determination } from "#lib/task/model/determination";
import { gateOf, type Task } from "#lib/task/model/task";
import type { Inquiry, Unclear } from "#lib/payer/connector";
import { newId } from "#lib/db/new-id";
import { unchanged, type Change, type LoadedTask } from "#lib/task/change";
import { answeredRevision } from "./answered-revision.ts";
import { determinationCommand } from "./determination-command.ts";
import {
  isReportKnown,
  payerReport,
  sameInformationRequest,
  type NewDetermination,
  type ResponseOrigin,
} from "./payer-event.ts";
import { nextPoll, noPoll } from "./polling.ts";

/** What a payer said of a case outside an attempt. */
export type MatchedAnswer = Extract<Inquiry, { type: "match" }>["answer"];

/**
 * How a word was heard; it `settles` doubt where it names the very request that is in doubt, and is `late` where it
 * names one that was refused.
 */
export type ReportContext = ResponseOrigin & { readonly settles: boolean; readonly late?: boolean | undefined };

/**
 * What a payer's word about a case changes. The same word again changes
 * nothing, however it was heard before, unless it settles doubt.
 */
export async function answerChange(
  loaded: LoadedTask,
  answer: MatchedAnswer,
  { via, bytes, settles, late = false }: ReportContext,
): Promise<Change> {
  const { row, task } = loaded;
  const id = newId();
  const revision = answer.type === "decided" ? await revisionOf(loaded, answer.determination, settles) : undefined;
  const report = payerReport(answer, { via, id, bytes, revision });
  // What was heard before the payer said that it has a change may be the answer to it.
  const isAnswer = revision !== undefined && revision === task.payer.undecided?.revision;
  const repeated = isNoNews(task, answer) || (!isAnswer && (await isReportKnown(loaded, report)));
  if (repeated && !settles) return unchanged();
  const { commands, prepared }: Said = late
    ? { commands: [{ type: "record-late-answer" }] }
    : await answerCommands(loaded, answer, { id, revision });
  const document = answer.type === "decided" ? answer.determination : undefined;
  const reference = answer.type === "decided" ? answer.determination.reference : answer.reference;
  const settled = settles ? [{ type: "resolve-unconfirmed", payerHas: true, reference } as const] : [];
  return {
    commands: [...settled, ...commands],
    prepared,
    detail: { gateId: row.gate_id, via, answer: answer.type, outcome: document?.outcome ?? null, settled: settles },
    writes: late ? {} : { poll: isSettled(task, answer, isAnswer) ? noPoll : nextPoll(row.now, row.polls) },
    records: [{ type: "payer-report", report: { ...report, unread: late } }],
  };
}

type Said = Pick<Change, "commands" | "prepared">;

/** A word that is not understood: nothing moves, and a person is asked once. */
export function unreadableChange({ task }: LoadedTask, reason: string): Change {
  if (task.attention === "unreadable-answer") return unchanged();
  return { commands: [{ type: "record-unreadable-answer", reason }] };
}

/** A word that leaves only what was decided to a person: it proves that the payer has what it names. */
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
    writes: { poll: nextPoll(row.now, row.polls) },
  };
}

/** Still pended, with nothing wanted that was not wanted before. A payer that is asked leaves requests for more out, so none is not "no more". */
function isNoNews({ payer }: Task, answer: MatchedAnswer): boolean {
  return (
    answer.type === "accepted" &&
    (answer.informationRequest === undefined ||
      sameInformationRequest(answer.informationRequest, payer.informationRequest))
  );
}

/** Nothing more is owed by the payer: neither what became of a void it took, nor a decision on a change. */
function isSettled({ payer }: Task, answer: MatchedAnswer, isAnswer: boolean): boolean {
  if (answer.type !== "decided") return answer.type === "cancelled";
  return !payer.voidPending && (!payer.undecided || isAnswer);
}

/** What settles doubt names the very request that was in doubt. */
async function revisionOf(loaded: LoadedTask, determination: Determination, settles: boolean) {
  return settles ? gateOf(loaded.task)?.revision : answeredRevision(loaded, determination);
}

async function answerCommands(
  loaded: LoadedTask,
  answer: MatchedAnswer,
  { id, revision }: Pick<NewDetermination, "id" | "revision">,
): Promise<Said> {
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
