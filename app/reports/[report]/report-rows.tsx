import { Cell, Row, Table } from "#components/list/table";
import { PlainText } from "#components/text/plain-text";
import { reportTexts, tableOf } from "#lib/messages/reviewer/report-tables";
import type { Report } from "#lib/report/show-report";
import { valueText } from "./value-text.ts";

/** Most rows a page shows; all of them are in the CSV. */
const rowsMax = 50;

/** The columns that the chart does not show, a row for each channel, reviewer or payer. */
export function ReportRows({ report }: { readonly report: Report }) {
  // Its figures all stand above.
  if (report.report === "overview") return null;
  const { columns, rows } = tableOf(report);
  if (rows.length === 0) return <p className="text-ink-soft">No data in this range.</p>;
  return (
    <>
      <Table
        caption={reportTexts[report.report].title}
        columns={columns.map(({ name, kind }) => (kind === "text" ? name : { name, align: "end" }))}
      >
        {rows.slice(0, rowsMax).map((row, index) => (
          <Row key={index}>
            {row.map((value, place) => (
              <Cell
                key={columns[place]?.name ?? place}
                label={place === 0 ? undefined : columns[place]?.name}
                className={value.kind === "text" ? (place === 0 ? "font-semibold" : "") : "text-end narrow:text-start"}
              >
                <PlainText>{valueText(value)}</PlainText>
              </Cell>
            ))}
          </Row>
        ))}
      </Table>
      {rows.length > rowsMax && (
        <p className="mt-3 text-sm text-ink-faint">
          The first {rowsMax} of {rows.length} rows. The CSV has all of them.
        </p>
      )}
    </>
  );
}
