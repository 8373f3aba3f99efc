import Link from "next/link";
import { classNames } from "#components/shell/class-names";
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
      caption="Entries of the audit log, newest first"
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

/** On a narrow screen two lines: what, then who and when. Details and the entry's place open by a press on the row. */
function Entry({ row, filter, practiceId, names }: Omit<Props, "rows"> & { readonly row: AuditRow }) {
  const { chain, seq, at, act, taskId, detail } = row;
  const isGone = act === "purged";
  const isBare = detail === "{}";
  return (
    <Row
      className={classNames(
        "group/row md:[&>td]:align-baseline narrow:relative narrow:flex-row narrow:flex-wrap narrow:items-baseline",
        "narrow:gap-x-3 narrow:gap-y-0 narrow:py-2",
        isGone && "text-ink-faint",
      )}
    >
      <Cell className="text-sm narrow:order-2 narrow:text-xs narrow:text-ink-faint">
        <span className="narrow:hidden">
          <Time at={new Date(at)} as="full" />
        </span>
        <span className="not-narrow:hidden">
          <Time at={new Date(at)} />
        </span>
      </Cell>
      <Cell className="wrap-anywhere narrow:order-1 narrow:text-xs narrow:text-ink-soft">
        {!isGone && <PlainText>{auditActorText(row)}</PlainText>}
      </Cell>
      <Cell className="narrow:basis-full narrow:font-semibold">
        {auditActText(act)}
        {taskId !== null && (
          <>
            {" "}
            <Link
              href={auditPath({ ...filter, practice: practiceId, task: taskId, before: undefined, after: undefined })}
              prefetch={false}
              className="font-mono text-sm underline hover:text-ink narrow:relative narrow:z-1"
              title="Audit log of this case"
            >
              {shortIdOf(taskId)}
            </Link>
          </>
        )}
      </Cell>
      <Cell
        className={classNames(
          "text-sm wrap-anywhere text-ink-soft narrow:order-3 narrow:ms-auto narrow:has-[[open]]:basis-full",
          isBare && "narrow:hidden",
        )}
      >
        <Details act={act} detail={detail} names={names} />
      </Cell>
      <Cell
        className={classNames(
          "text-end text-sm text-ink-faint narrow:order-4 narrow:text-xs",
          isBare ? "narrow:ms-auto" : "narrow:hidden narrow:group-has-[[open]]/row:block",
        )}
      >
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
