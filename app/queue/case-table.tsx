import { Badge, EnvironmentMark } from "#components/badge";
import { actionText, AttentionBadge, connectorText, OutcomeBadge, StateBadge } from "#components/case-words";
import { checkBrief } from "#components/check-words";
import { ClockBrief } from "#components/payer-clock";
import { PlainText } from "#components/plain-text";
import { Cell, Row, Table } from "#components/table";
import { spanOf, Time } from "#components/time";
import type { QueueView } from "#lib/domain/queue";
import type { QueueRow } from "#lib/tasks/views";
import { ChooseBox } from "./choose-box.tsx";
import { Mark } from "./desk-mark.tsx";
import { addressOf, type Address } from "#lib/tasks/queue-address";
import { GateProgress } from "./gate-progress.tsx";
import { RowLinks } from "./row-links.tsx";

type Props = {
  readonly caption: string;
  readonly rows: readonly QueueRow[];
  /** Absent where a search is shown, which has an order of its own. */
  readonly address?: Address | undefined;
  readonly view: QueueView;
  /** The list holds cases of several practices, so that each says whose it is. */
  readonly practices: boolean;
};

/** Cases one to a row of two lines; the whole row leads to the case. */
export function CaseTable({ caption, rows, address, view, practices }: Props) {
  return (
    <div className="@container">
      <RowLinks />
      <Table caption={caption} columns={columnsOf(view, address)}>
        {rows.map((row) => (
          <CaseRow key={row.taskId} row={row} view={view} practices={practices} />
        ))}
      </Table>
    </div>
  );
}

/** A column that a list leaves out where the others would be cramped; what matters of it stands elsewhere then. */
const whereWide = "narrow:hidden @max-[56rem]:hidden";

function columnsOf(view: QueueView, address: Address | undefined) {
  const sortable = address !== undefined && view !== "decided" && view !== "expiring";
  const sort = (by: "due" | "payer") =>
    sortable ? { sortedAt: addressOf({ ...address, sort: by, place: undefined }), sorted: address.sort === by } : {};
  return [
    { name: "Case", width: "w-[6.75rem]" },
    { name: "State", width: "w-[21%]" },
    { name: "Patient and codes", width: "w-[20%]" },
    { name: "Payer" },
    view === "expiring"
      ? { name: "Expires", width: "w-22" }
      : view === "decided"
        ? { name: "Decided", width: "w-24" }
        : { name: "Our target", width: "w-22", ...sort("due") },
    { name: "Payer’s clock", width: `w-27 ${whereWide}`, ...sort("payer") },
    { name: "Since", width: `w-14 ${whereWide}` },
  ];
}

type RowProps = { readonly row: QueueRow; readonly view: QueueView; readonly practices: boolean };

function CaseRow({ row, view, practices }: RowProps) {
  const { taskId, practice, since, clock } = row;
  return (
    <Row
      data-row=""
      data-task={taskId}
      className="relative hover:bg-hover has-focus-visible:bg-hover narrow:grid narrow:grid-cols-[minmax(0,1fr)_auto] narrow:gap-x-3"
    >
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
        <Where row={row} practices={practices} />
      </Cell>
      <Cell className="narrow:order-first narrow:col-start-2 narrow:row-start-1 narrow:text-end">
        <Due row={row} view={view} />
        {clock?.legal.known && (
          <span className="block text-sm text-ink-soft @min-[56rem]:hidden">
            payer: <ClockBrief clock={clock} />
          </span>
        )}
      </Cell>
      <Cell className={whereWide}>{clock ? <ClockBrief clock={clock} /> : <Absent>–</Absent>}</Cell>
      <Cell className={whereWide}>
        <span className="text-ink-soft">
          <Time at={since} as="age" zone={practice.timeZone} />
        </span>
      </Cell>
    </Row>
  );
}

function Which({ row: { taskId, shortId, environment } }: { readonly row: QueueRow }) {
  return (
    <span className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-2 narrow:flex">
      <ChooseBox taskId={taskId} shortId={shortId} />
      <a href={`/tasks/${taskId}`} className="font-mono font-semibold after:absolute after:inset-0 hover:underline">
        {shortId}
      </a>
      <span className="col-start-2 leading-4.5">
        <EnvironmentMark environment={environment} />
      </span>
    </span>
  );
}

function Whom({ row: { patient, procedureCodes } }: { readonly row: QueueRow }) {
  return (
    <span className="grid narrow:flex narrow:flex-wrap narrow:items-baseline narrow:gap-x-3">
      <span className="wrap-anywhere">{patient ? <PlainText>{patient}</PlainText> : <Absent>none named</Absent>}</span>
      <Codes list={procedureCodes} />
    </span>
  );
}

function Where({ row: { payer, connector, practice }, practices }: Omit<RowProps, "view">) {
  return (
    <span className="grid wrap-anywhere">
      <PlainText>{payer.name ?? payer.id}</PlainText>
      <span className="text-sm text-ink-faint not-narrow:truncate">
        by {connectorText(connector)}
        {practices && `, ${practice.name}`}
      </span>
    </span>
  );
}

const soonMs = 60 * 60 * 1000;

function Due({ row, view }: { readonly row: QueueRow; readonly view: QueueView }) {
  if (view === "expiring" && row.expiresAt) return <Time at={row.expiresAt} as="until" zone={row.practice.timeZone} />;
  if (view === "decided") return <Time at={row.clock?.stoppedAt ?? row.since} as="day" zone={row.practice.timeZone} />;
  if (!row.dueAt) return <Absent>–</Absent>;
  const aheadMs = row.dueAt.getTime() - Date.now();
  if (aheadMs >= 0)
    return (
      <span className={aheadMs < soonMs ? "font-semibold text-warn" : undefined}>
        <Time at={row.dueAt} as="until" zone={row.practice.timeZone} />
      </span>
    );
  return (
    <time dateTime={row.dueAt.toISOString()} className="font-semibold whitespace-nowrap text-bad">
      {spanOf(aheadMs)} late
    </time>
  );
}

function What({ row }: { readonly row: QueueRow }) {
  const { action, update, attention, state, outcome, urgent, warnings, assignee, progress } = row;
  const held = state === "transmit-held" || state === "void-held";
  return (
    <span className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
      {held && action ? (
        <span className="font-semibold">{actionText({ action, update })}</span>
      ) : outcome ? (
        <OutcomeBadge outcome={outcome} />
      ) : (
        attention !== "unconfirmed" && <StateBadge state={state} />
      )}
      {urgent && <Badge tone="bad">Urgent</Badge>}
      {attention && <AttentionBadge attention={attention} />}
      {warnings.length > 0 && (
        <span className="relative z-1 text-sm text-warn" title={warnings.map(checkBrief).join(", ")}>
          {warnings.length === 1 ? warnings.map(checkBrief) : `${warnings.length} warnings`}
        </span>
      )}
      {progress && <GateProgress progress={progress} />}
      {assignee && <span className="text-sm text-ink-faint">{assignee.name}</span>}
      <Mark mark={row.mark} />
    </span>
  );
}

const codesShown = 2;

function Codes({ list }: { readonly list: readonly string[] }) {
  const rest = list.length - codesShown;
  return (
    <span className="font-mono text-sm text-ink-soft">
      {list.slice(0, codesShown).map((code, index) => (
        <span key={index}>
          {index > 0 && <span className="font-sans">, </span>}
          <PlainText>{code}</PlainText>
        </span>
      ))}
      {rest > 0 && <span className="font-sans text-ink-faint"> and {rest} more</span>}
    </span>
  );
}

function Absent({ children }: { readonly children: string }) {
  return <span className="text-ink-faint">{children}</span>;
}
