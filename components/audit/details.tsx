import { ExactText, PlainText } from "#components/text/plain-text";
import { Time } from "#components/text/time";
import { membersOf } from "#lib/audit/model/members";
import { detailLines, type Line, type Names, type DetailValue } from "./detail-lines.tsx";

type Props = { readonly act: string; readonly detail: string; readonly names: Names };

/** What an entry says besides who, what and when: in words, and on request exactly; on a narrow screen both on request. */
export function Details({ act, detail, names }: Props) {
  const members = membersOf(detail);
  if (!members) return <ExactText label="Details that can't be read">{detail}</ExactText>;
  if (Object.keys(members).length === 0) return undefined;
  const lines = detailLines(act, members, names);
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
      {lines.length > 0 && (
        <ul className="contents narrow:hidden narrow:group-has-[[open]]/row:block">
          {lines.map((line, index) => (
            <li key={index}>
              <OneLine {...line} />
            </li>
          ))}
        </ul>
      )}
      <details className="group/exact text-ink-faint open:basis-full">
        <summary className="w-fit cursor-pointer rounded-sm hover:text-ink narrow:py-0 narrow:text-xs narrow:group-not-open/exact:after:absolute narrow:group-not-open/exact:after:inset-0">
          <span className="narrow:hidden">Details as stored</span>
          <span className="not-narrow:hidden">Details</span>
        </summary>
        <ExactText label="The entry's details, exactly">{JSON.stringify(members, null, 2)}</ExactText>
      </details>
    </div>
  );
}

function OneLine({ name, value, change }: Line) {
  return (
    <>
      <span className="text-ink-faint">{name}</span>{" "}
      {change ? (
        <>
          <del className="no-underline">
            <Value shown={change.before} />
          </del>
          {" to "}
          <ins className="font-semibold text-ink no-underline">
            <Value shown={change.after} />
          </ins>
        </>
      ) : (
        <Value shown={value} />
      )}
    </>
  );
}

function Value({ shown }: { readonly shown: DetailValue | undefined }) {
  if (shown === undefined) return "none";
  return shown instanceof Date ? <Time at={shown} as="full" /> : <PlainText>{shown}</PlainText>;
}
