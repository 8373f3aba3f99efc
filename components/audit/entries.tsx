import Link from "next/link";
import { PlainText } from "#components/text/plain-text";
import { Cell, Row, Table } from "#components/list/table";
import { Time } from "#components/text/time";
import type { AuditRow } from "#lib/audit/browse-audit-log";
import { shortIdOf } from "#lib/task/model/short-id";
import { auditPath, type AuditFilter } from "./audit-path.tsx";
import type { Names } from "./detail-lines.tsx";
import { Details } from "./details.tsx";
import { auditActorText, auditActText } from "#lib/messages/admin/audit";

type Props = {
  readonly rows: readonly AuditRow[];
  readonly filter: AuditFilter;
  readonly practiceId: string | undefined;
  readonly names: Names;
};

export function Entries({ rows, ...page }: Props) {
  return (
    <Table
      caption="Entries of the record, the newest first"
      columns={[
        { name: "When", width: "md:w-56" },
        { name: "Who", width: "md:w-32" },
        { name: "What", width: "md:w-52" },
        { name: "Details" },
        { name: "Entry", width: "md:w-40", align: "end" },
      ]}
    >
      {rows.map((row) => (
        <Entry key={`${row.chain} ${row.seq}`} row={row} {...page} />
      ))}
    </Table>
  );
}

function Entry({ row, filter, practiceId, names }: Omit<Props, "rows"> & { readonly row: AuditRow }) {
  const { chain, seq, at, act, taskId, detail } = row;
  const isGone = act === "purged";
  return (
    <Row className={isGone ? "text-ink-faint md:[&>td]:align-baseline" : "md:[&>td]:align-baseline"}>
      <Cell label="When" className="text-sm">
        <Time at={new Date(at)} as="full" />
      </Cell>
      <Cell label="Who" className="wrap-anywhere">
        {!isGone && <PlainText>{auditActorText(row)}</PlainText>}
      </Cell>
      <Cell label="What">
        {auditActText(act)}
        {taskId !== null && (
          <>
            {" "}
            <Link
              href={auditPath({ ...filter, practice: practiceId, task: taskId, before: undefined, after: undefined })}
              prefetch={false}
              className="font-mono text-sm underline hover:text-ink"
              title="What is on record of this case"
            >
              {shortIdOf(taskId)}
            </Link>
          </>
        )}
      </Cell>
      <Cell label="Details" className={`text-sm wrap-anywhere text-ink-soft ${detail === "{}" ? "narrow:hidden" : ""}`}>
        <Details act={act} detail={detail} names={names} />
      </Cell>
      <Cell label="Entry" className="text-end text-sm text-ink-faint narrow:text-start">
        <div className="md:truncate" title={chain}>
          <span className="tabular-nums">{seq}</span> <PlainText>{chainText(chain, practiceId, names)}</PlainText>
        </div>
      </Cell>
    </Row>
  );
}

function chainText(chain: string, practiceId: string | undefined, names: Names): string {
  if (chain === "people") return "of people";
  if (chain.startsWith("channel:")) return `of ${names.get(chain.slice("channel:".length)) ?? "a channel"}`;
  return chain.startsWith("service:")
    ? "of the service"
    : chain === practiceId
      ? ""
      : `of ${names.get(chain) ?? chain}`;
}
