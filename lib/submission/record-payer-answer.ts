import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import type { ReceivedFile } from "#lib/task/model/attachment";
import { requestedLines } from "#lib/task/model/requested-lines";
import { orderAfter, type Determination, type LearnedBy } from "#lib/task/model/determination";
import { isAuthorization } from "#lib/task/model/renewal";
import { appealTerms } from "#lib/task/model/recourse";
import { ok, refuse, type Result } from "#lib/platform/result";
import { isAdverse, isDecided, stateOf, type State } from "#lib/task/model/task";
import { newId } from "#lib/db/new-id";
import { changeTask, practicesOf, unchanged, type LoadedTask } from "#lib/task/change";
import { payersRevision } from "#lib/task/open-revision";
import { caseProblems } from "#lib/messages/problems/reviewer";
import { reasons } from "#lib/messages/reasons/case";
import { determinationCommand } from "./determination-command.ts";
import { isLatestReport } from "./payer-event.ts";
import { readDocument, type GivenDocument } from "#lib/task/payer-document";
import { nextPoll, noPoll } from "./polling.ts";
import { recordedLines, type RecordedAnswers } from "./recorded-lines.ts";
import type { Issue, Refusal } from "#lib/task/refusal";

type StateResult = Promise<Result<{ state: State }, Refusal>>;

export type RecordedDetermination = RecordedAnswers & {
  readonly taskId: string;
  /** The revision whose lines the page showed. If absent, the one the payer has. */
  readonly revision?: number | undefined;
  readonly authorizationNumber?: string | undefined;
  /** Days, YYYY-MM-DD. */
  readonly validFrom?: string | undefined;
  readonly validTo?: string | undefined;
  readonly decidedAt?: Date | undefined;
  /** The determination in effect that this corrects or overturns, whatever their dates. */
  readonly replaces?: string | undefined;
  readonly note?: string | undefined;
  /** The last day to contest it, and how, as the payer says. */
  readonly appealBy?: string | undefined;
  readonly howToAppeal?: string | undefined;
  readonly learned?: LearnedBy | undefined;
  /** What the record is based on: a letter, a call, a portal page. */
  readonly evidence: string;
  /** The payer's letter. */
  readonly document?: GivenDocument | undefined;
};

/**
 * Records what the payer decided, as a person learned it. States and audit log are the same as for an electronic
 * answer; the record names its source and evidence. Refused as `invalid` if it contradicts itself, or is not
 * later than the determination in effect and does not replace it; and as `changed` if the payer has received another revision
 * since, or another determination than the one that it replaces is in effect. The same record twice is recorded once.
 */
export async function recordDetermination(ctx: Context<PersonActor>, recorded: RecordedDetermination): StateResult {
  return personChange(ctx, recorded.taskId, async (loaded) => {
    const wrong = impossible(recorded, loaded.row);
    if (wrong.length > 0) return refuse({ type: "invalid", issues: wrong });
    const { number, review } = await payersRevision(loaded.tx, loaded.row);
    if (recorded.revision !== undefined && recorded.revision !== number) {
      const why = reasons.answeredOtherRevision;
      return refuse({ type: "changed", changes: [], why });
    }
    const read = recordedLines(requestedLines(review), recorded);
    if (!read.ok) return read;
    const letter = recorded.document && readDocument(recorded.document);
    if (letter && !letter.ok) return letter;
    const document = documentOf(recorded, read.value, letter?.value);
    const id = newId();
    const { replaces } = recorded;
    const determination = { id, document, revision: number, replaces };
    const report = { kind: "person.decided", bytes: undefined, determination };
    // With a change undecided, the same text may be the answer to the change, so it is not taken for a repetition.
    if (!loaded.task.payer.undecided && (await isLatestReport(loaded, report))) return ok(unchanged());
    if (replaces !== undefined && replaces !== loaded.task.payer.determination?.id)
      return refuse({ type: "changed", changes: [], why: reasons.decidedAgain });
    const misplaced = replaces === undefined ? outOfOrder(loaded, { recorded, revision: number }) : [];
    if (misplaced.length > 0) return refuse({ type: "invalid", issues: misplaced });
    return ok({
      ...(await determinationCommand(loaded, determination)),
      detail: {
        outcome: document.outcome,
        source: "person",
        learned: recorded.learned?.by ?? null,
        document: document.document?.sha256 ?? null,
      },
      writes: { poll: noPoll },
      records: [
        ...(letter ? [{ type: "letter", letter: letter.value } as const] : []),
        { type: "payer-report", report: report },
      ],
    });
  });
}

type OrderedRecord = { readonly recorded: RecordedDetermination; readonly revision: number };

/** Of two determinations on one revision, the later one counts: what would not count is refused, and not put aside. */
function outOfOrder({ task, row }: LoadedTask, { recorded, revision }: OrderedRecord): readonly Issue[] {
  const { payer, stage } = task;
  if (!payer.determination || payer.voided || stage.kind === "ended") return [];
  const { decidedAt } = recorded;
  if (!decidedAt && isDecided(payer)) return [{ path: "decidedAt", problem: caseProblems.givenBesideOther }];
  const order = orderAfter(payer, {
    id: "",
    outcome: payer.determination.outcome,
    decidedAt,
    receivedAt: row.now,
    revision,
  });
  return order === "older" || order === "unknown" ? [{ path: "decidedAt", problem: caseProblems.notAfterOther }] : [];
}

function impossible(
  { validFrom, validTo, decidedAt, learned, ...appeal }: RecordedDetermination,
  { now, created_at: createdAt }: LoadedTask["row"],
): readonly Issue[] {
  return [
    ...(validFrom && validTo && validFrom > validTo
      ? [{ path: "validTo", problem: caseProblems.notBeforeFirstDay }]
      : []),
    ...(decidedAt && decidedAt > now ? [{ path: "decidedAt", problem: caseProblems.notFuture }] : []),
    ...(learned?.by === "phone" && !learned.from ? [{ path: "learnedFrom", problem: caseProblems.spokeWith }] : []),
    ...(appeal.appealBy && endsBefore(appeal.appealBy, decidedAt ?? createdAt)
      ? [{ path: "appealBy", problem: caseProblems.notBeforeDetermination }]
      : []),
  ];
}

/** Whether a last day was over before this instant, wherever it is counted. A payer without a date decided after it was asked. */
export function endsBefore(day: string, at: Date): boolean {
  return day < new Date(at.getTime() - 12 * 60 * 60 * 1000).toISOString().slice(0, 10);
}

type DeterminationReading = Pick<Determination, "outcome" | "lines">;

function documentOf(
  recorded: RecordedDetermination,
  { outcome, lines }: DeterminationReading,
  letter: ReceivedFile | undefined,
): Determination {
  const { authorizationNumber, validFrom, validTo, decidedAt, note, learned, evidence } = recorded;
  const appeal = appealTerms({ by: recorded.appealBy, how: recorded.howToAppeal });
  // Of services that were decided one by one, none may be authorized.
  const isApproval = isAuthorization(outcome);
  return {
    outcome,
    ...(isApproval && authorizationNumber ? { authorizationNumber } : {}),
    ...(isApproval && validFrom ? { validFrom } : {}),
    ...(isApproval && validTo ? { validTo } : {}),
    ...(decidedAt ? { decidedAt: decidedAt.toISOString() } : {}),
    lines,
    notes: note ? [note] : [],
    source: "person",
    ...(learned ? { learned } : {}),
    ...(appeal && isAdverse(outcome) ? { appeal } : {}),
    evidence,
    ...(letter ? { document: { sha256: letter.sha256, contentType: letter.contentType, size: letter.size } } : {}),
  };
}

/** Records that the payer requests information before it decides. The same request twice is recorded once. */
export async function recordInformationRequest(
  ctx: Context<PersonActor>,
  { taskId, informationRequest }: { taskId: string; informationRequest: string },
): StateResult {
  return personChange(ctx, taskId, async ({ task }) => {
    if (task.payer.informationRequest?.text === informationRequest) return ok(unchanged());
    return ok({
      commands: [{ type: "record-information-request", informationRequest: { text: informationRequest, items: [] } }],
      detail: { source: "person" },
    });
  });
}

/** Records that the payer canceled the case without a request. For a case that is void already this changes nothing. */
export async function recordVoided(
  ctx: Context<PersonActor>,
  { taskId, evidence }: { taskId: string; evidence: string },
): StateResult {
  return personChange(ctx, taskId, async ({ task }) => {
    if (task.payer.voided) return ok(unchanged());
    return ok({
      commands: [{ type: "record-payer-void" }],
      detail: { source: "person" },
      writes: { poll: noPoll },
      records: [{ type: "note", kind: "voided", text: evidence }],
    });
  });
}

/**
 * Records that the payer will not do a void that it had accepted. Refused as `changed` if another void was submitted
 * since the page showed the one of this gate.
 */
export async function recordVoidRefused(
  ctx: Context<PersonActor>,
  { taskId, reason, gateId }: { taskId: string; reason: string; gateId?: string | undefined },
): StateResult {
  return personChange(ctx, taskId, async ({ row, task }) => {
    if (gateId !== undefined && gateId !== row.gate_id)
      return refuse({ type: "changed", changes: [], why: reasons.otherVoid });
    return ok({
      commands: [{ type: "record-void-refusal", gateId: row.gate_id ?? "", reason }],
      detail: { source: "person" },
      writes: { poll: isDecided(task.payer) ? noPoll : nextPoll(row.now, 0) },
    });
  });
}

/**
 * A person has dealt with what the task asked their attention for. Refused as `changed` if the case did so since it was
 * shown, because it may ask for something else now.
 */
export async function attend(
  ctx: Context<PersonActor>,
  { taskId, changedAt }: { taskId: string; changedAt?: string | undefined },
): StateResult {
  return personChange(ctx, taskId, async ({ row }) => {
    const isOther = changedAt !== undefined && changedAt !== row.changed_at.toISOString();
    if (row.attention && isOther) return refuse({ type: "changed", changes: [], why: reasons.happenedSince });
    return ok({ commands: [{ type: "attend" }], detail: { attention: row.attention } });
  });
}

export async function personChange(
  ctx: Context<PersonActor>,
  taskId: string,
  decide: (loaded: LoadedTask) => ReturnType<Parameters<typeof changeTask>[2]>,
): StateResult {
  const changed = await changeTask(ctx, { taskId, practices: practicesOf(ctx) }, decide);
  return changed.ok ? ok({ state: stateOf(changed.value.task) }) : changed;
}
