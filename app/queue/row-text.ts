import {
  attentionBadge,
  autoReleasedBadge,
  clockedStateBadge,
  isPayerLate,
  outcomeBadge,
  type BadgeText,
} from "#components/text/case-badges";
import { actionText } from "#lib/messages/reviewer/case";
import { checkBrief } from "#lib/messages/reviewer/checks";
import type { TimeParts } from "#components/text/time-text";
import { spanOf, timeReader, timeParts } from "#components/text/time";
import { lineOf, type Line } from "#components/text/visible-line";
import { connectorText } from "#lib/messages/connector-text";
import type { BulkAct } from "#lib/queue/chosen-cases";
import type { QueueView } from "#lib/queue/model/queue";
import { isSnoozable } from "#lib/queue/model/snooze";
import type { State } from "#lib/task/model/task";
import type { QueueRow } from "#lib/task/views";
import { nowMs } from "#lib/platform/now";

/** When something is due, or by when it was done. */
export type DueText = TimeParts & { readonly is?: "soon" | "late" | undefined };

/** The payer's legal time to decide, in a word, or as the instant it ends. */
export type ClockText =
  | { readonly is: "due"; readonly at: TimeParts }
  | { readonly is: "over"; readonly tone: BadgeText["tone"]; readonly at: TimeParts }
  | { readonly is: "kept" | "unknown"; readonly text: string };

/** Who has a case open, and how many notes it has. */
export type MarkText = {
  readonly reader?: Line | undefined;
  /** Readers beside the one who is named. */
  readonly otherReaders: number;
  readonly notes: number;
};

/**
 * A row of a list in words, ready to be options. Whatever depends on the request, on time zones or on what a character
 * is, is decided here on the server; a row's part of the page is then this and no markup.
 */
export type RowText = {
  readonly taskId: string;
  readonly shortId: string;
  /** Where the list holds both requests that reach a real payer and others. */
  readonly environment?: "live" | "test" | undefined;
  /** What the open gate lets happen, where the list does not say it already. */
  readonly held?: string | undefined;
  readonly badges: readonly BadgeText[];
  readonly warnings?: { readonly text: string; readonly all: string } | undefined;
  /** Why it failed, or how that begins. */
  readonly failure?: Line | undefined;
  readonly recall?: { readonly untilMs: number; readonly nowMs: number } | undefined;
  readonly votes?: { readonly text: string; readonly last?: Line; readonly at?: TimeParts } | undefined;
  readonly assignee?: string | undefined;
  readonly mark?: MarkText | undefined;
  readonly patient?: Line | undefined;
  readonly codes: readonly Line[];
  /** Codes beyond those shown. */
  readonly moreCodes: number;
  readonly payer: Line;
  /** How the payer is reached, and in a list of several practices which of them it is. */
  readonly connection: string;
  readonly due?: DueText | undefined;
  readonly clock?: ClockText | undefined;
  /** What can be done with it together with others. Whether it has to be decided alone is looked at then. */
  readonly acts: readonly BulkAct[];
  /** The reader has opened its current revision. */
  readonly opened: boolean;
};

/** What the rows of a list are drawn from. */
export type RowsText = {
  readonly rows: readonly RowText[];
  /** The list has a column for the payer's deadline. */
  readonly hasDeadlines: boolean;
};

type ListOptions = {
  readonly view: QueueView;
  /** The list holds cases of several practices, so that each says whose it is. */
  readonly practices: boolean;
};

/** The rows of one list, each in words. */
export async function rowTexts(rows: readonly QueueRow[], options: ListOptions): Promise<readonly RowText[]> {
  const reader = await timeReader();
  const mixed = new Set(rows.map(({ environment }) => environment)).size > 1;
  return rows.map((row) => rowText(row, { ...options, reader, mixed }));
}

type RowOptions = ListOptions & {
  readonly reader: Awaited<ReturnType<typeof timeReader>>;
  /** The list has rows of both environments. */
  readonly mixed: boolean;
};

const codesShown = 2;

function rowText(row: QueueRow, options: RowOptions): RowText {
  const { practice, patient, procedureCodes, payer, connector } = row;
  const at = { reader: options.reader, zone: practice.timeZone };
  return {
    taskId: row.taskId,
    shortId: row.shortId,
    environment: options.mixed ? row.environment : undefined,
    held: heldText(row, options.view),
    badges: badgesOf(row, options.view),
    warnings: warningsOf(row),
    failure: failureOf(row),
    ...progressOf(row, at),
    assignee: row.assignee?.name,
    mark: markOf(row),
    patient: patient === undefined ? undefined : lineOf(patient),
    codes: procedureCodes.slice(0, codesShown).map(lineOf),
    moreCodes: Math.max(0, procedureCodes.length - codesShown),
    payer: lineOf(payer.name ?? payer.id),
    connection: connectorText(connector) + (options.practices ? `, ${practice.name}` : ""),
    due: dueOf(row, options.view, at),
    clock: clockOf(row, at),
    acts: actsOf(row),
    opened: row.mark?.opened ?? false,
  };
}

type At = Parameters<typeof timeParts>[2];

function isHeld({ state, action }: QueueRow): boolean {
  return action !== undefined && (state === "transmit-held" || state === "void-held");
}

function actsOf(row: QueueRow): readonly BulkAct[] {
  const rests = row.wakesAt !== undefined || !isSnoozable({ ...row, isPayerLate: isPayerLate(row.clock) });
  const any: readonly BulkAct[] = rests ? ["assign"] : ["assign", "snooze"];
  if (!isHeld(row)) return any;
  const mayRelease = row.mark?.opened === true && (row.progress?.needed ?? 1) === 1;
  return mayRelease ? [...any, "decline", "release"] : [...any, "decline"];
}

/** A list of what is to release says of a row only that it is not a first request. */
function heldText(row: QueueRow, view: QueueView): string | undefined {
  if (!isHeld(row) || !row.action) return undefined;
  const isPlain = row.action === "transmit" && !row.update;
  return isPlain && view === "release" ? undefined : actionText({ action: row.action, update: row.update });
}

/** The state that the name of a view says already. */
const stateShownBy: Readonly<Partial<Record<QueueView, State>>> = {
  "at-payer": "transmitted",
  "payer-wants": "payer-needs-information",
  "sent-back": "needs-information",
  failed: "failed",
};

/** The name of the view says it; that the payer is overdue is said by the column of its deadline, where there is one. */
function isStateShown({ state, clock }: QueueRow, view: QueueView): boolean {
  return stateShownBy[view] === state || (view === "payer-late" && isPayerLate(clock));
}

function badgesOf(row: QueueRow, view: QueueView): readonly BadgeText[] {
  const { state, outcome, attention, urgent, wakesAt, autoReleased, clock } = row;
  const badges: BadgeText[] = [];
  if (!isHeld(row)) {
    if (outcome) badges.push(outcomeBadge(outcome));
    else if (attention !== "unconfirmed" && !isStateShown(row, view)) badges.push(clockedStateBadge(state, clock));
  }
  if (urgent && view !== "urgent") badges.push({ text: "Urgent", tone: "bad" });
  if (attention) badges.push(attentionBadge(attention, state));
  if (autoReleased) badges.push(autoReleasedBadge);
  if (wakesAt && view !== "snoozed") badges.push({ text: "Snoozed", tone: "plain" });
  return badges;
}

function warningsOf({ warnings }: QueueRow): RowText["warnings"] {
  if (warnings.length === 0) return undefined;
  const all = warnings.map(checkBrief).join(", ");
  return { all, text: warnings.length === 1 ? all : `${warnings.length} warnings` };
}

/** As much as three lines of a row show. */
const failureChars = 160;

function failureOf({ failure }: QueueRow): Line | undefined {
  if (failure === undefined) return undefined;
  const all = [...failure];
  return lineOf(
    all.length > failureChars
      ? `${all
          .slice(0, failureChars - 1)
          .join("")
          .trimEnd()}…`
      : failure,
  );
}

/** Who released it so far, or how long its release can still be recalled. */
function progressOf({ progress }: QueueRow, at: At): Pick<RowText, "recall" | "votes"> {
  if (!progress) return {};
  const { needed, released, last, recallUntil } = progress;
  if (recallUntil) return { recall: { untilMs: recallUntil.getTime(), nowMs: nowMs() } };
  if (released === 0 || needed === 1) return {};
  const text = `${released} of ${needed} released`;
  return { votes: last ? { text, last: lineOf(last.name), at: timeParts(last.at, "on", at) } : { text } };
}

function markOf({ mark }: QueueRow): MarkText | undefined {
  if (!mark) return undefined;
  const { readers, notes } = mark;
  const [first] = readers;
  return {
    reader: first === undefined ? undefined : lineOf(first),
    otherReaders: Math.max(0, readers.length - 1),
    notes,
  };
}

const soonMs = 60 * 60 * 1000;

function dueOf(row: QueueRow, view: QueueView, at: At): DueText | undefined {
  if (view === "expiring" && row.expiresAt) return timeParts(row.expiresAt, "until", at);
  if (view === "decided") return timeParts(row.clock?.stoppedAt ?? row.since, "day", at);
  if (view === "snoozed" && row.wakesAt) return timeParts(row.wakesAt, "until", at);
  const dueAt = view === "denied" ? row.actBy : row.dueAt;
  if (!dueAt) return undefined;
  const aheadMs = dueAt.getTime() - nowMs();
  if (aheadMs < 0) return { ...timeParts(dueAt, "late", at), is: "late" };
  return { ...timeParts(dueAt, "until", at), is: aheadMs < soonMs ? "soon" : undefined };
}

/** What is left of the payer's legal time to decide, or how it was kept. */
function clockOf({ clock }: QueueRow, at: At): ClockText | undefined {
  if (!clock) return undefined;
  const { legal, stoppedAt, undecided } = clock;
  if (!legal.known) return { is: "unknown", text: stoppedAt ? "–" : "not configured" };
  const { overdue, dueAt, remainingMs } = legal;
  if (undecided) return { is: "unknown", text: "voided" };
  if (stoppedAt && !overdue) return { is: "kept", text: "met" };
  const due = timeParts(dueAt, "until", at);
  if (stoppedAt) return { is: "over", tone: "warn", at: { ...due, text: "Decided late" } };
  if (overdue) return { is: "over", tone: "bad", at: { ...due, text: `Overdue ${spanOf(remainingMs)}` } };
  return { is: "due", at: due };
}
