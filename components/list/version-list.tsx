import Link from "next/link";
import type { Change } from "#lib/task/model/changes";
import { PlainText } from "#components/text/plain-text";
import { Cell, Row, Table } from "./table.tsx";
import { Time } from "#components/text/time";
import { placeText, valueText, versionActText, type Names } from "#lib/messages/admin/versions";

type Version = {
  readonly version: number;
  readonly at: Date;
  readonly act: string;
  readonly actor: string;
  readonly name?: string | undefined;
  /** None for the first there is. */
  readonly changes: readonly Change[];
};

type Props = {
  readonly list: readonly Version[];
  /** Where older versions are, where there are any. */
  readonly older: string | undefined;
  /** What ids in them are called. */
  readonly names?: Names | undefined;
  /** The level below the heading that they stand under. */
  readonly heading: "h2" | "h3";
};

/** Versions, the newest first, each with who made it, when, and what it changed field by field. */
export function VersionList({ list, older, names, heading: Heading }: Props) {
  return (
    <>
      <ol className="grid gap-5">
        {list.map((version) => (
          <li key={version.version}>
            <Heading className="flex flex-wrap items-baseline gap-x-3">
              <span className="font-semibold tabular-nums">Version {version.version}</span>
              <span className="text-sm text-ink-soft">
                <PlainText>{version.name ?? whoText(version.actor)}</PlainText> {versionActText(version.act)},{" "}
                <Time at={version.at} as="full" />
              </span>
            </Heading>
            {version.changes.length > 0 ? (
              <Fields version={version} names={names} />
            ) : (
              <p className="mt-1 text-sm text-ink-faint">First version.</p>
            )}
          </li>
        ))}
      </ol>
      {older !== undefined && (
        <p className="mt-5">
          <Link href={older} prefetch={false} className="font-semibold underline">
            Older versions
          </Link>
        </p>
      )}
    </>
  );
}

function Fields({ version: { version, changes }, names }: Pick<Props, "names"> & { readonly version: Version }) {
  return (
    <Table
      caption={`What version ${version} changed`}
      columns={[{ name: "Field", width: "w-1/3" }, { name: "Before", width: "w-1/3" }, "After"]}
    >
      {changes.filter(isShown).map(({ path, before, after }) => (
        <Row key={path}>
          <Cell className="wrap-anywhere">
            <PlainText>{placeText(path, names)}</PlainText>
          </Cell>
          <Cell label="Before" className="wrap-anywhere">
            <Value tag="del" text={valueText(path, before, names)} />
          </Cell>
          <Cell label="After" className="wrap-anywhere">
            <Value tag="ins" text={valueText(path, after, names)} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

/** A list that becomes empty is told by its items alone. */
function isShown({ path, before, after }: Change): boolean {
  return valueText(path, before) !== undefined || valueText(path, after) !== undefined;
}

function Value({ tag, text }: { readonly tag: "del" | "ins"; readonly text: string | undefined }) {
  if (text === undefined) return <span className="text-ink-faint">none</span>;
  if (tag === "del")
    return (
      <del className="text-ink-faint no-underline">
        <PlainText>{text}</PlainText>
      </del>
    );
  return (
    <ins className="font-semibold no-underline">
      <PlainText>{text}</PlainText>
    </ins>
  );
}

function whoText(actor: string): string {
  return actor === "operator" ? "The command line" : actor === "service" ? "The service" : actor;
}
