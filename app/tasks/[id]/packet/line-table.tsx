import { Cell, Row, Table } from "#components/list/table";
import type { PacketSection } from "#lib/submission/read-packet";
import { Value } from "./value.tsx";

type Props = { readonly caption: string; readonly sections: readonly PacketSection[] };

/** Numbered sections of one kind as rows, with a column for each label any of them has. */
export function LineTable({ caption, sections }: Props) {
  const labels = [...new Set(sections.flatMap(({ lines }) => lines.map(([label]) => label)))];
  return (
    <Table caption={caption} columns={["#", ...labels]}>
      {sections.map(({ title, lines }, index) => {
        const values = new Map(lines);
        return (
          <Row key={title} className="break-inside-avoid-page print:[&>td]:py-1">
            <Cell label="#">{index + 1}</Cell>
            {labels.map((label) => (
              <Cell key={label} label={label}>
                <Value>{values.get(label) ?? "–"}</Value>
              </Cell>
            ))}
          </Row>
        );
      })}
    </Table>
  );
}
