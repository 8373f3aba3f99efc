import { Badge, type Tone } from "#components/list/badge";
import { PlainText } from "#components/text/plain-text";
import { Cell, Row, Table } from "#components/list/table";
import type { ShownRow } from "./answer.ts";

const looks: Readonly<Record<ShownRow["outcome"], { readonly tone: Tone; readonly text: string }>> = {
  new: { tone: "good", text: "New" },
  changed: { tone: "news", text: "Changed" },
  unchanged: { tone: "plain", text: "Unchanged" },
  refused: { tone: "bad", text: "Refused" },
};

/** Every row of the file with what it would come to. */
export function RowTable({ rows }: { readonly rows: readonly ShownRow[] }) {
  return (
    <Table
      caption="The rows of the file"
      columns={[
        { name: "Line", width: "w-14" },
        { name: "Row", width: "w-52" },
        { name: "Outcome", width: "w-28" },
        "What changes, or why not",
      ]}
    >
      {rows.map((row) => (
        <Row key={row.line}>
          <Cell label="Line">{row.line}</Cell>
          <Cell label="Row" className="wrap-anywhere">
            <PlainText>{row.key}</PlainText>
          </Cell>
          <Cell label="Outcome">
            <Badge tone={looks[row.outcome].tone}>{looks[row.outcome].text}</Badge>
          </Cell>
          <Cell label="What" className="wrap-anywhere">
            <What row={row} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

function What({ row: { changes, problems } }: { readonly row: ShownRow }) {
  if (changes.length === 0 && problems.length === 0) return <span className="text-ink-faint">–</span>;
  return (
    <ul className="grid gap-0.5">
      {problems.map((problem) => (
        <li key={problem} className="text-bad">
          <PlainText>{problem}</PlainText>
        </li>
      ))}
      {changes.map(({ place, before, after }, index) => (
        <li key={index}>
          <PlainText>{place}</PlainText>:{" "}
          {before !== undefined && (
            <>
              <del className="text-ink-faint no-underline">
                <PlainText>{before}</PlainText>
              </del>
              {" to "}
            </>
          )}
          <ins className="font-semibold no-underline">
            <PlainText>{after ?? "none"}</PlainText>
          </ins>
        </li>
      ))}
    </ul>
  );
}
