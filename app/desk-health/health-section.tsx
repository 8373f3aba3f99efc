import type { ReactNode } from "react";
import { PlainText } from "#components/text/plain-text";
import { Section } from "#components/list/section";
import { Cell, Row, Table } from "#components/list/table";
import type { DeskHealth } from "#lib/queue/desk-health";
import { healthTable, type HealthTable, type TableId } from "#lib/messages/reviewer/health-tables";
import { healthPath } from "./filter.ts";
import { valueText } from "./words.ts";

type Props = { readonly health: DeskHealth; readonly table: TableId; readonly children?: ReactNode };

/** More rows than these wait to be opened. */
const rowsShown = 14;

/** Their chart says every number itself. */
const saidByChart: ReadonlySet<TableId> = new Set(["ages"]);

/** What a chart shows, its chart, and under it the same as a table, to read and to save. */
export function HealthSection({ health, table: id, children }: Props) {
  const table = healthTable(id, health);
  const { title, rows } = table;
  return (
    <Section
      title={title}
      aside={
        rows.length > 0 && (
          <a href={healthPath(health, id)} download aria-label={`${title} as CSV`} className="underline hover:text-ink">
            CSV
          </a>
        )
      }
    >
      {rows.length === 0 ? (
        <p className="text-ink-soft">Nothing in this time.</p>
      ) : (
        <>
          {children}
          {rows.length > rowsShown || saidByChart.has(id) ? (
            <details>
              <summary className="text-ink-soft">All {rows.length} rows</summary>
              <Rows of={table} />
            </details>
          ) : (
            <Rows of={table} />
          )}
        </>
      )}
    </Section>
  );
}

function Rows({ of: { title, columns, rows } }: { readonly of: HealthTable }) {
  return (
    <Table caption={title} columns={columns.map(({ name, kind }) => (kind === "text" ? name : { name, align: "end" }))}>
      {rows.map((row, index) => (
        <Row key={index} className="min-[24rem]:grid-cols-2 narrow:grid narrow:gap-x-3 md:[&>td]:py-1">
          {columns.map(({ name, kind }, place) => (
            <Cell
              key={name}
              label={name}
              className={kind === "text" ? "min-[24rem]:col-span-2" : "text-end narrow:text-start"}
            >
              <PlainText>{valueText(row[place] ?? null, kind)}</PlainText>
            </Cell>
          ))}
        </Row>
      ))}
    </Table>
  );
}
