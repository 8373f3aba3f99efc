import { valueOf } from "#lib/task/model/changed-value";
import type { Change } from "#lib/task/model/changes";
import { PlainText } from "#components/text/plain-text";
import { pointerText } from "#lib/messages/reviewer/fields";
import { Cell, Row, Table } from "./table.tsx";

/** What differs between two revisions, leaf by leaf. */
export function Changes({ list, caption }: { readonly list: readonly Change[]; readonly caption: string }) {
  return (
    <Table caption={caption} columns={["Where", "Before", "Now"]}>
      {list.map(({ path, before, after }) => (
        <Row key={path}>
          <Cell label="Where" className="wrap-anywhere">
            <Where path={path} />
          </Cell>
          <Cell label="Before" className="wrap-anywhere">
            {before === undefined ? <Absent /> : <del className="no-underline text-ink-faint">{leaf(before)}</del>}
          </Cell>
          <Cell label="Now" className="wrap-anywhere">
            {after === undefined ? <Absent /> : <ins className="font-semibold no-underline">{leaf(after)}</ins>}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

function Where({ path }: { readonly path: string }) {
  return (
    <>
      <PlainText>{pointerText(path)}</PlainText>
      <code className="block font-mono text-xs text-ink-faint">
        <PlainText>{path}</PlainText>
      </code>
    </>
  );
}

/** As it is read, and an empty text as the two quotes around it. A file is named in words, and is no JSON. */
function leaf(text: string) {
  return <PlainText>{isQuoted.test(text) ? valueOf(text) || text : text}</PlainText>;
}

const isQuoted = /^"(?:[^"\\]|\\.)*"$/s;

function Absent() {
  return <span className="text-ink-faint">none</span>;
}
