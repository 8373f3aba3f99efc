import type { ReactNode } from "react";
import type { Fact } from "#components/list/facts";
import { PlainText } from "#components/text/plain-text";
import { codeWord, type CodeList } from "#lib/messages/labels/codes";
import type { Detail } from "#lib/task/model/further-details";
import { valueOf } from "#lib/task/model/changed-value";
import type { ChangeMarks } from "./change-marks.ts";

type Field = {
  readonly name: string;
  readonly value: string | number | boolean | undefined;
  /** JSON pointer of the value. */
  readonly at?: string | undefined;
  /** The list that says what the value means. */
  readonly list?: CodeList | undefined;
  /** How the value is written; as it is unless said. */
  readonly write?: ((value: string) => string) | undefined;
  readonly mono?: boolean | undefined;
};

/** One value of a service review as a fact: decoded, its code after it, and where it changed, what stood there before. */
export function fieldFact(marks: ChangeMarks, { name, value, at, list, write, mono }: Field): Fact | undefined {
  const change = at === undefined ? undefined : marks.take(at);
  const text = value === undefined ? undefined : `${value}`;
  const shown = (one: string) => <Shown value={one} list={list} write={write} mono={mono} />;
  if (!change) return text === undefined || text === "" ? undefined : { name, value: shown(text) };
  const before = valueOf(change.before);
  return {
    name,
    value: (
      <Changed before={before === undefined ? undefined : shown(before)}>
        {text === undefined ? <span className="text-ink-faint">removed</span> : shown(text)}
      </Changed>
    ),
  };
}

type JoinedParts<Parts extends Readonly<Record<string, string | number | undefined>>> = {
  readonly name: string;
  /** The values it is made of, by the pointers of their places. */
  readonly parts: Parts;
  /** How they are written together; undefined where there is nothing to write. */
  readonly write: (values: Readonly<Record<keyof Parts, string | undefined>>) => ReactNode;
};

/** Several values as one fact, such as the first and the last day; where any of them changed, with all as they were. */
export function joinedFact<Parts extends Readonly<Record<string, string | number | undefined>>>(
  marks: ChangeMarks,
  { name, parts, write }: JoinedParts<Parts>,
): Fact | undefined {
  const places = Object.keys(parts);
  const changes = new Map(places.map((place) => [place, marks.take(place)]));
  const textAt = (place: string) => (parts[place] === undefined ? undefined : `${parts[place]}`);
  const before = (place: string) => {
    const change = changes.get(place);
    return change ? valueOf(change.before) : textAt(place);
  };
  // Safe because the places are the keys of the parts.
  const values = (of: (place: string) => string | undefined) =>
    Object.fromEntries(places.map((place) => [place, of(place)])) as Record<keyof Parts, string | undefined>;
  const now = write(values(textAt));
  const isChanged = places.some((place) => changes.get(place) !== undefined);
  if (!isChanged) return now === undefined ? undefined : { name, value: now };
  const removed = <span className="text-ink-faint">removed</span>;
  return { name, value: <Changed before={write(values(before))}>{now ?? removed}</Changed> };
}

/** A value beside one that stood in its place when a person last decided. */
export function Changed({
  before,
  children,
}: {
  readonly before: ReactNode | undefined;
  readonly children: ReactNode;
}) {
  return (
    <span className="-ms-2 block border-s-2 border-news bg-news-wash px-1.5 py-0.5">
      <ins className="font-semibold no-underline">{children}</ins>
      <span className="block text-sm text-ink-soft">
        {before === undefined ? (
          "new"
        ) : (
          <>
            was <del className="no-underline">{before}</del>
          </>
        )}
      </span>
    </span>
  );
}

type ShownProps = Pick<Field, "list" | "write" | "mono"> & { readonly value: string };

function Shown({ value, list, write, mono }: ShownProps) {
  if (list !== undefined) return <Coded list={list} code={value} />;
  if (mono) return <Code>{value}</Code>;
  return <PlainText>{write ? write(value) : value}</PlainText>;
}

/** What a code means, and after it the code; the code alone where we have no words for it. */
function Coded({ list, code }: { readonly list: CodeList; readonly code: string }) {
  const word = codeWord(list, code);
  if (word === undefined) return <Code>{code}</Code>;
  return (
    <>
      {word} <span className="font-mono text-sm text-ink-faint">{code}</span>
    </>
  );
}

export function Code({ children }: { readonly children: string }) {
  return (
    <span className="font-mono text-sm">
      <PlainText>{children}</PlainText>
    </span>
  );
}

/** What has a name and a value already. */
export function detailFact([name, value]: Detail): Fact {
  return { name, value: <PlainText>{value}</PlainText> };
}
