import type { Change } from "#lib/task/model/changes";
import { PlainText } from "#components/text/plain-text";
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

/** A JSON pointer in words that follow from it alone: `/providerNotes/1/message` is provider note 2, message. */
function Where({ path }: { readonly path: string }) {
  return (
    <>
      <PlainText>{wordsOf(path)}</PlainText>
      <code className="block font-mono text-xs text-ink-faint">
        <PlainText>{path}</PlainText>
      </code>
    </>
  );
}

function wordsOf(path: string): string {
  const parts = path.split("/").slice(1).map(partText);
  const text = parts.join("").slice(2);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function partText(part: string): string {
  if (/^\d+$/.test(part)) return ` ${Number(part) + 1}`;
  return `, ${part.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`;
}

function json(text: string) {
  return <PlainText>{text}</PlainText>;
}

function Absent() {
  return <span className="text-ink-faint">not there</span>;
}
