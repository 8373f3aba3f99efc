import Link from "next/link";
import { Badge, EnvironmentMark } from "#components/badge";
import { actionText, AttentionBadge, connectorText, OutcomeBadge, StateBadge } from "#components/case-words";
import { checkBrief } from "#components/check-words";
import { ClockBrief } from "#components/payer-clock";
import { PlainText } from "#components/plain-text";
import { Cell, Row, Table } from "#components/table";
import { spanOf, Time } from "#components/time";
import type { QueueView } from "#lib/domain/queue";
import type { QueueRow } from "#lib/tasks/views";
import { ChooseBox } from "./bulk-bar.tsx";
import { Mark } from "./desk-mark.tsx";
import { addressOf, type Address } from "#lib/tasks/queue-address";
import { GateProgress } from "./gate-progress.tsx";

/** Which of the columns that come and go a list has. */
type Shape = { readonly view: QueueView; readonly practices: boolean };

type Props = {
  readonly caption: string;
  readonly rows: readonly QueueRow[];
  /** Absent where a search is shown, which has an order of its own. */
  readonly address?: Address | undefined;
  readonly view: QueueView;
  readonly practices: boolean;
};

/** Cases one to a row; the whole row leads to the case. */
export function CaseTable({ caption, rows, address, view, practices }: Props) {
  const shape = { view, practices };
  return (
    <Table caption={caption} columns={columnsOf(shape, address)}>
      {rows.map((row) => (
        <CaseRow key={row.taskId} row={row} shape={shape} />
      ))}
    </Table>
  );
}

function columnsOf({ view, practices }: Shape, address: Address | undefined) {
  const sortable = address !== undefined && view !== "decided" && view !== "expiring";
  const sort = (by: "due" | "payer") =>
    sortable ? { sortedAt: addressOf({ ...address, sort: by, place: undefined }), sorted: address.sort === by } : {};
  return [
    { name: "Case", width: "w-40" },
    { name: "State", width: practices ? "w-[15%]" : "w-[19%]" },
    { name: "Patient", width: practices ? "w-[12%]" : "w-[14%]" },
    { name: "Procedures", width: practices ? "w-[10%]" : "w-[12%]" },
    { name: "Payer" },
    ...(practices ? [{ name: "Practice", width: "w-[11%]" }] : []),
    view === "expiring"
      ? { name: "Expires", width: "w-24" }
      : view === "decided"
        ? { name: "Decided", width: "w-24" }
        : { name: "Our target", width: "w-24", ...sort("due") },
    { name: "Payer’s clock", width: "w-28", ...sort("payer") },
    { name: "Since", width: "w-14" },
  ];
}

function CaseRow({ row, shape }: { readonly row: QueueRow; readonly shape: Shape }) {
  const { taskId, shortId, practice, payer, connector, environment, patient, procedureCodes, since, clock } = row;
  return (
    <Row
      data-row=""
      data-task={taskId}
      className="relative hover:bg-hover has-focus-visible:bg-hover narrow:grid narrow:grid-cols-[minmax(0,1fr)_auto] narrow:gap-x-3"
    >
      <Cell>
        <span className="flex items-baseline gap-2">
          <ChooseBox taskId={taskId} shortId={shortId} />
          <Link
            href={`/tasks/${taskId}`}
            prefetch={false}
            className="font-mono font-semibold after:absolute after:inset-0 hover:underline"
          >
            {shortId}
          </Link>
          <EnvironmentMark environment={environment} />
        </span>
      </Cell>
      <Cell className="narrow:col-span-2">
        <What row={row} />
      </Cell>
      <Cell className="narrow:col-span-2">
        {patient ? <PlainText>{patient}</PlainText> : <Absent>none named</Absent>}
      </Cell>
      <Cell className="narrow:order-1 narrow:col-span-2">
        <Codes list={procedureCodes} />
      </Cell>
      <Cell className="narrow:order-2 narrow:col-span-2">
        <PlainText>{payer.name ?? payer.id}</PlainText>{" "}
        <span className="text-sm text-ink-faint not-narrow:block">by {connectorText(connector)}</span>
      </Cell>
      {shape.practices && (
        <Cell className="narrow:order-3 narrow:col-span-2 narrow:text-sm narrow:text-ink-faint">{practice.name}</Cell>
      )}
      <Cell className="narrow:order-first narrow:col-start-2 narrow:row-start-1 narrow:text-end">
        <Due row={row} view={shape.view} />
      </Cell>
      <Cell className="narrow:order-4 narrow:text-sm">{clock ? <ClockBrief clock={clock} /> : <Absent>–</Absent>}</Cell>
      <Cell className="narrow:order-4 narrow:col-start-2 narrow:text-end narrow:text-sm">
        <span className="text-ink-faint not-narrow:hidden">since </span>
        <Time at={since} as="age" zone={practice.timeZone} />
      </Cell>
    </Row>
  );
}

function Due({ row, view }: { readonly row: QueueRow; readonly view: QueueView }) {
  if (view === "expiring" && row.expiresAt) return <Time at={row.expiresAt} as="until" zone={row.practice.timeZone} />;
  if (view === "decided") return <Time at={row.clock?.stoppedAt ?? row.since} as="day" zone={row.practice.timeZone} />;
  if (!row.dueAt) return <Absent>–</Absent>;
  const aheadMs = row.dueAt.getTime() - Date.now();
  if (aheadMs >= 0) return <Time at={row.dueAt} as="until" zone={row.practice.timeZone} />;
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

const codesShown = 3;

function Codes({ list }: { readonly list: readonly string[] }) {
  const rest = list.length - codesShown;
  return (
    <span className="font-mono">
      {list.slice(0, codesShown).map((code, index) => (
        <span key={index}>
          {index > 0 && ", "}
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
