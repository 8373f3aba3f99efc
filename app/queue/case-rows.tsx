"use client";

import { Fragment, useMemo, type ReactNode } from "react";
import { Badge, EnvironmentMark } from "#components/list/badge";
import { RecallLeft } from "#components/live/recall-left";
import { Cell, Row } from "#components/list/row";
import { Initials } from "#components/text/initials";
import { TimeText } from "#components/text/time-text";
import { VisibleLine } from "#components/text/visible-line";
import { ChooseBox } from "./choose-box.tsx";
import { Mark } from "./desk-mark.tsx";
import type { ClockText, DueText, RowsText, RowText } from "./row-text.ts";

/**
 * The rows of a list from their words. They are drawn here and not on the server alone because a row's words are a
 * sixth of its markup: the server makes the markup once and not twice. They come as one text, which React passes on as
 * it is; of a list it would look at every word, twice.
 */
export function CaseRows({ text }: { readonly text: string }) {
  // Safe because `CaseTable` writes it.
  const { rows, hasDeadlines } = useMemo(() => JSON.parse(text) as RowsText, [text]);
  return rows.map((row) => <CaseRow key={row.taskId} row={row} hasDeadlines={hasDeadlines} />);
}

type RowProps = { readonly row: RowText };

function CaseRow({ row, hasDeadlines }: RowProps & Pick<RowsText, "hasDeadlines">) {
  const { taskId, due, clock } = row;
  return (
    <Row data-row="" data-task={taskId} className="case-row narrow:grid">
      <Cell>
        <Which row={row} />
      </Cell>
      <Cell className="narrow:col-span-2 case-beside">
        <Where row={row} />
      </Cell>
      <Cell className="narrow:col-span-2 case-beside">
        <State row={row} />
      </Cell>
      <Cell className="case-due">
        {due ? <Due due={due} /> : <span className="text-ink-faint narrow:hidden">–</span>}
        {clock && clock.is !== "unknown" && (
          <span className="block text-sm text-ink-soft @min-[60rem]:hidden">
            payer: <Clock clock={clock} />
          </span>
        )}
      </Cell>
      {hasDeadlines && <Cell className="where-wide">{clock ? <Clock clock={clock} /> : <Absent>–</Absent>}</Cell>}
      <Cell className="where-wide">
        <Assignee row={row} />
      </Cell>
    </Row>
  );
}

/** Whose case it is and what it asks for. What the reader has not opened yet stands out, as unread mail does. */
function Which({ row: { taskId, shortId, environment, acts, opened, patient, codes, moreCodes } }: RowProps) {
  return (
    <span className="case-which">
      <ChooseBox taskId={taskId} shortId={shortId} acts={acts} />
      <span className="grid min-w-0">
        <a href={`/tasks/${taskId}`} className={opened ? "case-link" : "case-link font-semibold"}>
          {!opened && (
            <span className="case-unopened" title="You have not opened this version">
              <span className="sr-only">Not opened: </span>
            </span>
          )}
          <span className="wrap-anywhere">
            {patient ? <VisibleLine parts={patient} /> : <Absent>No patient named</Absent>}
          </span>
          <span className="sr-only"> {shortId}</span>
        </a>
        <span className="case-what">
          <span className="font-mono">
            {codes.map((code, index) => (
              <Fragment key={index}>
                {index > 0 && <span className="font-sans">, </span>}
                <VisibleLine parts={code} />
              </Fragment>
            ))}
            {moreCodes > 0 && <span className="font-sans">{` and ${moreCodes} more`}</span>}
          </span>
          <span aria-hidden className="font-mono text-ink-faint">
            {shortId}
          </span>
          {environment && <EnvironmentMark environment={environment} />}
        </span>
      </span>
    </span>
  );
}

function State({ row: { held, badges, warnings, failure, recall, votes, assignee, mark } }: RowProps) {
  return (
    <span className="case-state">
      {held && <span className="font-semibold">{held}</span>}
      {badges.map(({ text, tone }) => (
        <Badge key={text} tone={tone}>
          {text}
        </Badge>
      ))}
      {warnings && (
        <span className="relative z-1 text-sm text-warn" title={warnings.all}>
          {warnings.text}
        </span>
      )}
      {failure && (
        <span className="line-clamp-3 text-sm text-bad">
          <VisibleLine parts={failure} />
        </span>
      )}
      {recall && (
        <span className="text-sm font-semibold">
          <RecallLeft {...recall} />
        </span>
      )}
      {votes && (
        <span className="text-sm text-ink-soft">
          {votes.text}
          {votes.last && votes.at && (
            <>
              , <VisibleLine parts={votes.last} /> <TimeText {...votes.at} />
            </>
          )}
        </span>
      )}
      {mark && <Mark mark={mark} />}
      {assignee && (
        <span className="@min-[60rem]:hidden">
          <Initials name={assignee} label={`Assigned to ${assignee}`} />
        </span>
      )}
    </span>
  );
}

function Assignee({ row: { assignee } }: RowProps) {
  return assignee ? (
    <Initials name={assignee} label={`Assigned to ${assignee}`} />
  ) : (
    <Absent>
      <span aria-hidden>–</span>
      <span className="sr-only">Unassigned</span>
    </Absent>
  );
}

function Where({ row: { payer, connection } }: RowProps) {
  return (
    <span className="case-whom">
      <VisibleLine parts={payer} />
      <span className="text-sm text-ink-faint not-narrow:truncate">{connection}</span>
    </span>
  );
}

const dueLooks = { soon: "font-semibold text-warn", late: "font-semibold text-bad" };

function Due({ due: { is, ...at } }: { readonly due: DueText }) {
  return (
    <span className={is && dueLooks[is]}>
      <TimeText {...at} />
    </span>
  );
}

/** A payer's legal time to decide: what is left of it, or how it was kept. */
function Clock({ clock }: { readonly clock: ClockText }) {
  if (clock.is === "due")
    return (
      <span>
        due <TimeText {...clock.at} />
      </span>
    );
  if (clock.is === "over")
    return (
      <Badge tone={clock.tone}>
        <TimeText {...clock.at} />
      </Badge>
    );
  return <span className={clock.is === "unknown" ? "text-ink-faint" : undefined}>{clock.text}</span>;
}

function Absent({ children }: { readonly children: ReactNode }) {
  return <span className="text-ink-faint">{children}</span>;
}
