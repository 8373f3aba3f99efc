import type { Change } from "#lib/domain/changes";
import { PlainText } from "./plain-text.tsx";
import { Cell, Row, Table } from "./table.tsx";

/** What differs between two revisions, leaf by leaf. */
export function Changes({ list, caption }: { readonly list: readonly Change[]; readonly caption: string }) {
  return (
    <Table caption={caption} columns={["Where", "Before", "Now"]}>
      {list.map(({ path, before, after }) => (
        <Row key={path}>
          <Cell label="Where" className="font-mono text-xs leading-5 wrap-anywhere">
            <PlainText>{path}</PlainText>
          </Cell>
          <Cell label="Before" className="wrap-anywhere">
            {before === undefined ? <Absent /> : <del className="no-underline text-ink-faint">{json(before)}</del>}
          </Cell>
          <Cell label="Now" className="wrap-anywhere">
            {after === undefined ? <Absent /> : <ins className="font-semibold no-underline">{json(after)}</ins>}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

function json(text: string) {
  return <PlainText>{text}</PlainText>;
}

function Absent() {
  return <span className="text-ink-faint">not there</span>;
}
