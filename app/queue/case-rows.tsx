"use client";

import { Fragment, useMemo } from "react";
import { Badge, EnvironmentMark } from "#components/list/badge";
import { RecallLeft } from "#components/live/recall-left";
import { Cell, Row } from "#components/list/row";
import { Initials } from "#components/text/initials";
import { TimeText } from "#components/text/time-text";
import { VisibleLine } from "#components/text/visible-line";
import { ChooseBox } from "./choose-box.tsx";
import { Mark } from "./desk-mark.tsx";
import type { ClockText, DueText, RowText } from "./row-text.ts";

/**
 * The rows of a list from their words. They are drawn here and not on the server alone because a row's words are a
 * sixth of its markup: the server makes the markup once and not twice. They come as one text, which React passes on as
 * it is; of a list it would look at every word, twice.
 */
export function CaseRows({ text }: { readonly text: string }) {
  // Safe because `CaseTable` writes it.
  const rows = useMemo(() => JSON.parse(text) as readonly RowText[], [text]);
  return rows.map((row) => <CaseRow key={row.taskId} row={row} />);
}

type RowProps = { readonly row: RowText };

function CaseRow({ row }: RowProps) {
  const { taskId, due, clock, since } = row;
  return (
    <Row data-row="" data-task={taskId} className="case-row narrow:grid">
      <Cell>
        <Which row={row} />
      </Cell>
      <Cell className="narrow:col-span-2">
        <What row={row} />
      </Cell>
      <Cell className="narrow:col-span-2">
        <Whom row={row} />
      </Cell>
      <Cell className="narrow:col-span-2">
        <Where row={row} />
      </Cell>
      <Cell className="case-due">
        {due ? <Due due={due} /> : <Absent>–</Absent>}
        {clock && clock.is !== "unknown" && (
          <span className="block text-sm text-ink-soft @min-[56rem]:hidden">
            payer: <Clock clock={clock} />
          </span>
        )}
      </Cell>
      <Cell className="where-wide">{clock ? <Clock clock={clock} /> : <Absent>–</Absent>}</Cell>
      <Cell className="where-wide text-ink-soft">
        <TimeText {...since} />
      </Cell>
    </Row>
  );
}

function Which({ row: { taskId, shortId, environment } }: RowProps) {
  return (
    <span className="case-id">
      <ChooseBox taskId={taskId} shortId={shortId} />
      <a href={`/tasks/${taskId}`} className="case-link">
        {shortId}
      </a>
      <span className="col-start-2 leading-4.5">
        <EnvironmentMark environment={environment} />
      </span>
    </span>
  );
}

function What({ row: { held, badges, warnings, recall, votes, assignee, mark } }: RowProps) {
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
              , <VisibleLine parts={votes.last} /> at <TimeText {...votes.at} />
            </>
          )}
        </span>
      )}
      {assignee && <Initials name={assignee} label={`Assigned to ${assignee}`} />}
      {mark && <Mark mark={mark} />}
    </span>
  );
}

function Whom({ row: { patient, codes, moreCodes } }: RowProps) {
  return (
    <span className="case-whom">
      <span className="wrap-anywhere">{patient ? <VisibleLine parts={patient} /> : <Absent>none named</Absent>}</span>
      <span className="font-mono text-sm text-ink-soft">
        {codes.map((code, index) => (
          <Fragment key={index}>
            {index > 0 && <span className="font-sans">, </span>}
            <VisibleLine parts={code} />
          </Fragment>
        ))}
        {moreCodes > 0 && <span className="font-sans text-ink-faint">{` and ${moreCodes} more`}</span>}
      </span>
    </span>
  );
}

function Where({ row: { payer, connection } }: RowProps) {
  return (
    <span className="grid wrap-anywhere">
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

function Absent({ children }: { readonly children: string }) {
  return <span className="text-ink-faint">{children}</span>;
}
