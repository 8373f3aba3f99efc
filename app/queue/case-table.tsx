import Link from "next/link";
import { Badge, EnvironmentMark } from "#components/badge";
import { actionText, AttentionBadge, connectorText, StateBadge } from "#components/case-words";
import { checkBrief } from "#components/check-words";
import { ClockBrief } from "#components/payer-clock";
import { PlainText } from "#components/plain-text";
import { Cell, Row, Table } from "#components/table";
import { Time } from "#components/time";
import type { QueueRow } from "#lib/tasks/views";

/** `held` waits for a release, `attention` for a person without one, `recent` is everything. */
type Kind = "held" | "attention" | "recent";

/** What the second column says, and what its times count from. */
const heads: Readonly<Record<Kind, { readonly what: string; readonly since: string }>> = {
  held: { what: "Action", since: "Waiting" },
  attention: { what: "Why", since: "Waiting" },
  recent: { what: "State", since: "Changed" },
};

/** The payer's clock takes its room from the columns whose words can break. */
function columnsOf(kind: Kind, clocks: boolean) {
  return [
    { name: "Case", width: "w-36" },
    { name: heads[kind].what, width: kind === "recent" ? "w-[17%]" : clocks ? "w-[14%]" : "w-[15%]" },
    { name: "Patient", width: clocks ? "w-[12%]" : "w-[13%]" },
    { name: "Procedures", width: clocks ? "w-[10%]" : "w-[14%]" },
    { name: "Payer" },
    { name: "Practice", width: clocks ? "w-[13%]" : "w-[14%]" },
    ...(clocks ? [{ name: "Payer's clock", width: "w-27" }] : []),
    { name: heads[kind].since, width: kind === "held" || clocks ? "w-18" : "w-36" },
    ...(kind === "held" ? [{ name: "Expires", width: "w-18" }] : []),
  ];
}

type Props = { readonly caption: string; readonly rows: readonly QueueRow[]; readonly kind: Kind };

/** Cases one to a row; the whole row leads to the case. */
export function CaseTable({ caption, rows, kind }: Props) {
  const clocks = rows.some(({ clock }) => clock && (kind === "recent" || !clock.stoppedAt));
  return (
    <Table caption={caption} columns={columnsOf(kind, clocks)}>
      {rows.map((row) => (
        <CaseRow key={row.taskId} row={row} kind={kind} clocks={clocks} />
      ))}
    </Table>
  );
}

type RowProps = { readonly row: QueueRow; readonly kind: Kind; readonly clocks: boolean };

function CaseRow({ row, kind, clocks }: RowProps) {
  const { taskId, shortId, practice, payer, connector, environment, patient, procedureCodes, since, expiresAt, clock } =
    row;
  return (
    <Row
      data-row=""
      data-task={taskId}
      className="relative hover:bg-hover has-focus-visible:bg-hover max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto]"
    >
      <Cell>
        <span className="flex items-baseline gap-2">
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
      <Cell className="max-md:col-span-2">
        <What row={row} kind={kind} />
      </Cell>
      <Cell className="max-md:col-span-2">
        {patient ? <PlainText>{patient}</PlainText> : <Absent>none named</Absent>}
      </Cell>
      <Cell className="max-md:order-1 max-md:col-span-2">
        <Codes list={procedureCodes} />
      </Cell>
      <Cell className="max-md:order-2 max-md:col-span-2">
        <PlainText>{payer.name ?? payer.id}</PlainText>{" "}
        <span className="text-sm text-ink-faint md:block">by {connectorText(connector)}</span>
      </Cell>
      <Cell className="max-md:order-3 max-md:text-sm max-md:text-ink-faint">{practice.name}</Cell>
      {clocks && (
        <Cell className="max-md:order-3 max-md:text-end max-md:text-sm">{clock && <ClockBrief clock={clock} />}</Cell>
      )}
      <Cell className="max-md:order-first max-md:col-start-2 max-md:row-start-1 max-md:text-end">
        <span className="text-ink-faint md:hidden">{heads[kind].since.toLowerCase()} </span>
        <Time at={since} as="age" />
      </Cell>
      {kind === "held" && (
        <Cell className="max-md:order-3 max-md:text-end max-md:text-sm">
          <span className="text-ink-faint md:hidden">expires </span>
          {expiresAt ? <Time at={expiresAt} as="until" /> : <Absent>–</Absent>}
        </Cell>
      )}
    </Row>
  );
}

function What({ row, kind }: { readonly row: QueueRow; readonly kind: Kind }) {
  const { action, update, attention, state, urgent, warnings } = row;
  return (
    <span className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
      {kind === "recent" && <StateBadge state={state} />}
      {kind === "held" && action && <span className="font-semibold">{actionText({ action, update })}</span>}
      {urgent && <Badge tone="bad">Urgent</Badge>}
      {attention && !(kind === "recent" && attention === "unconfirmed") && <AttentionBadge attention={attention} />}
      {warnings.length > 0 && (
        <span className="relative z-1 text-sm text-warn" title={warnings.map(checkBrief).join(", ")}>
          {warnings.length === 1 ? warnings.map(checkBrief) : `${warnings.length} warnings`}
        </span>
      )}
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
