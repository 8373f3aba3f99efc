import { attentionWord, outcomeWord, stateWord, type Word } from "#components/text/case-badges";
import { actionText } from "#lib/messages/reviewer/case";
import { checkBrief } from "#lib/messages/reviewer/checks";
import type { TimeWords } from "#components/text/time-text";
import { spanOf, timeReader, timeWords } from "#components/text/time";
import { lineOf, type Line } from "#components/text/visible-line";
import { connectorText } from "#lib/payer/model/connector-text";
import type { QueueView } from "#lib/queue/model/queue";
import type { QueueRow } from "#lib/task/views";
import { nowMs } from "#lib/platform/now";

/** When something is due, or by when it was done. */
export type DueWords = TimeWords & { readonly is?: "soon" | "late" | undefined };

/** The payer's legal time to decide, in a word, or as the instant it ends. */
export type ClockWords =
  | { readonly is: "due"; readonly at: TimeWords }
  | { readonly is: "over"; readonly tone: Word["tone"]; readonly at: TimeWords }
  | { readonly is: "kept" | "unknown"; readonly text: string };

/** Who has a case on their desk. */
export type MarkWords = {
  readonly claimedBy?: Line | "you" | undefined;
  readonly reader?: Line | undefined;
  /** Readers beside the one who is named. */
  readonly otherReaders: number;
  readonly notes: number;
};

/**
 * A row of a list in words, ready to be drawn. Whatever depends on the request, on time zones or on what a character
 * is, is decided here on the server; a row's part of the page is then this and no markup.
 */
export type RowWords = {
  readonly taskId: string;
  readonly shortId: string;
  readonly environment: "live" | "test";
  /** What the open gate lets happen. */
  readonly held?: string | undefined;
  readonly badges: readonly Word[];
  readonly warnings?: { readonly text: string; readonly all: string } | undefined;
  readonly recall?: { readonly untilMs: number; readonly nowMs: number } | undefined;
  readonly votes?: { readonly text: string; readonly last?: Line; readonly at?: TimeWords } | undefined;
  readonly assignee?: string | undefined;
  readonly mark?: MarkWords | undefined;
  readonly patient?: Line | undefined;
  readonly codes: readonly Line[];
  /** Codes beyond those shown. */
  readonly moreCodes: number;
  readonly payer: Line;
  readonly way: string;
  readonly due?: DueWords | undefined;
  readonly clock?: ClockWords | undefined;
  readonly since: TimeWords;
};

type Asked = {
  readonly view: QueueView;
  /** The list holds cases of several practices, so that each says whose it is. */
  readonly practices: boolean;
};

/** The rows of one list, each in words. */
export async function wordsOf(rows: readonly QueueRow[], asked: Asked): Promise<readonly RowWords[]> {
  const reader = await timeReader();
  return rows.map((row) => rowWords(row, { ...asked, reader }));
}

type Drawn = Asked & { readonly reader: Awaited<ReturnType<typeof timeReader>> };

const codesShown = 2;

function rowWords(row: QueueRow, drawn: Drawn): RowWords {
  const { practice, patient, procedureCodes, payer, connector } = row;
  const at = { reader: drawn.reader, zone: practice.timeZone };
  return {
    taskId: row.taskId,
    shortId: row.shortId,
    environment: row.environment,
    held: isHeld(row) && row.action ? actionText({ action: row.action, update: row.update }) : undefined,
    badges: badgesOf(row),
    warnings: warningsOf(row),
    ...progressOf(row, at),
    assignee: row.assignee?.name,
    mark: markOf(row),
    patient: patient === undefined ? undefined : lineOf(patient),
    codes: procedureCodes.slice(0, codesShown).map(lineOf),
    moreCodes: Math.max(0, procedureCodes.length - codesShown),
    payer: lineOf(payer.name ?? payer.id),
    way: connectorText(connector) + (drawn.practices ? `, ${practice.name}` : ""),
    due: dueOf(row, drawn.view, at),
    clock: clockOf(row, at),
    since: timeWords(row.since, "age", at),
  };
}

type At = Parameters<typeof timeWords>[2];

function isHeld({ state, action }: QueueRow): boolean {
  return action !== undefined && (state === "transmit-held" || state === "void-held");
}

function badgesOf(row: QueueRow): readonly Word[] {
  const { state, outcome, attention, urgent } = row;
  const badges: Word[] = [];
  if (!isHeld(row)) {
    if (outcome) badges.push(outcomeWord(outcome));
    else if (attention !== "unconfirmed") badges.push(stateWord(state));
  }
  if (urgent) badges.push({ text: "Urgent", tone: "bad" });
  if (attention) badges.push(attentionWord(attention));
  return badges;
}

function warningsOf({ warnings }: QueueRow): RowWords["warnings"] {
  if (warnings.length === 0) return undefined;
  const all = warnings.map(checkBrief).join(", ");
  return { all, text: warnings.length === 1 ? all : `${warnings.length} warnings` };
}

/** Who released it so far, or how long its release can still be recalled. */
function progressOf({ progress }: QueueRow, at: At): Pick<RowWords, "recall" | "votes"> {
  if (!progress) return {};
  const { needed, released, last, recallUntil } = progress;
  if (recallUntil) return { recall: { untilMs: recallUntil.getTime(), nowMs: nowMs() } };
  if (released === 0 || needed === 1) return {};
  const text = `${released} of ${needed} released`;
  return { votes: last ? { text, last: lineOf(last.name), at: timeWords(last.at, "clock", at) } : { text } };
}

function markOf({ mark }: QueueRow): MarkWords | undefined {
  if (!mark) return undefined;
  const { claim, readers, notes } = mark;
  const others = readers.filter((name) => name !== claim?.name);
  const [first] = others;
  return {
    claimedBy: claim && (claim.mine ? "you" : lineOf(claim.name)),
    reader: first === undefined ? undefined : lineOf(first),
    otherReaders: Math.max(0, others.length - 1),
    notes,
  };
}

const soonMs = 60 * 60 * 1000;

function dueOf(row: QueueRow, view: QueueView, at: At): DueWords | undefined {
  if (view === "expiring" && row.expiresAt) return timeWords(row.expiresAt, "until", at);
  if (view === "decided") return timeWords(row.clock?.stoppedAt ?? row.since, "day", at);
  if (!row.dueAt) return undefined;
  const aheadMs = row.dueAt.getTime() - nowMs();
  if (aheadMs < 0) return { ...timeWords(row.dueAt, "late", at), is: "late" };
  return { ...timeWords(row.dueAt, "until", at), is: aheadMs < soonMs ? "soon" : undefined };
}

/** What is left of the payer's legal time to decide, or how it was kept. */
function clockOf({ clock }: QueueRow, at: At): ClockWords | undefined {
  if (!clock) return undefined;
  const { legal, stoppedAt } = clock;
  if (!legal.known) return { is: "unknown", text: stoppedAt ? "–" : "none known" };
  const { overdue, dueAt, remainingMs } = legal;
  if (stoppedAt && !overdue) return { is: "kept", text: "in time" };
  const due = timeWords(dueAt, "until", at);
  if (stoppedAt) return { is: "over", tone: "warn", at: { ...due, text: "Decided late" } };
  if (overdue) return { is: "over", tone: "bad", at: { ...due, text: `Overdue ${spanOf(remainingMs)}` } };
  return { is: "due", at: due };
}
