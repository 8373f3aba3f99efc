import Link from "next/link";
import { PlainText } from "#components/plain-text";
import { Cell, Row, Table } from "#components/table";
import { Time } from "#components/time";
import type { AuditRow } from "#lib/admin/browse-record";
import { shortIdOf } from "#lib/tasks/short-id";
import { auditPath, type Asked } from "./asked.ts";
import { actorText, actText } from "./words.ts";

type Props = { readonly rows: readonly AuditRow[]; readonly asked: Asked; readonly practiceId: string | undefined };

export function Entries({ rows, asked, practiceId }: Props) {
  return (
    <Table
      caption="Entries of the record, the newest first"
      columns={[
        { name: "When", width: "md:w-40" },
        { name: "Who", width: "md:w-44" },
        { name: "What", width: "md:w-56" },
        { name: "Details" },
        { name: "Entry", width: "md:w-32", align: "end" },
      ]}
    >
      {rows.map((row) => (
        <Entry key={`${row.chain} ${row.seq}`} row={row} asked={asked} practiceId={practiceId} />
      ))}
    </Table>
  );
}

function Entry({ row, asked, practiceId }: Omit<Props, "rows"> & { readonly row: AuditRow }) {
  const { chain, seq, at, act, taskId, detail } = row;
  const isGone = act === "purged";
  return (
    <Row className={isGone ? "text-ink-faint" : undefined}>
      <Cell label="When">
        <Time at={new Date(at)} as="full" />
      </Cell>
      <Cell label="Who" className="wrap-anywhere">
        {!isGone && <PlainText>{actorText(row)}</PlainText>}
      </Cell>
      <Cell label="What">
        {actText(act)}
        {taskId !== null && (
          <>
            {" "}
            <Link
              href={auditPath({ ...asked, practice: practiceId, task: taskId, before: undefined, after: undefined })}
              prefetch={false}
              className="font-mono text-sm underline hover:text-ink"
              title="What is on record of this case"
            >
              {shortIdOf(taskId)}
            </Link>
          </>
        )}
      </Cell>
      <Cell label="Details" className="text-sm wrap-anywhere text-ink-soft">
        <Details text={detail} />
      </Cell>
      <Cell label="Entry" className="text-end text-sm wrap-anywhere text-ink-faint narrow:text-start">
        <span className="tabular-nums">{seq}</span> {chainText(chain, practiceId)}
      </Cell>
    </Row>
  );
}

function chainText(chain: string, practiceId: string | undefined): string {
  if (chain === "people") return "of people";
  if (chain.startsWith("channel:")) return "of the channel";
  return chain.startsWith("service:") ? "of the service" : chain === practiceId ? "" : `of ${chain}`;
}

/** Ids, digests, numbers and states, as the entry holds them. */
function Details({ text }: { readonly text: string }) {
  // Safe because every entry's detail is written as a JSON object.
  const members = Object.entries(JSON.parse(text) as Record<string, unknown>).filter(([, value]) => value !== null);
  return members.map(([name, value], index) => (
    <span key={name}>
      {index > 0 && ", "}
      <span className="text-ink-faint">{name}</span> <PlainText>{valueText(value)}</PlainText>
    </span>
  ));
}

const longest = 160;

function valueText(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const short = /^[0-9a-f]{64}$/.test(text) ? `${text.slice(0, 12)}…` : text;
  return short.length > longest ? `${short.slice(0, longest)}…` : short;
}
