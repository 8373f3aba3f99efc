import Link from "next/link";
import { redirect } from "next/navigation";
import { Empty } from "#components/list/empty";
import { Panel } from "#components/list/panel";
import { browseAuditLog } from "#lib/audit/browse-audit-log";
import { Entries } from "#components/audit/entries";
import { auditPath, spotOf } from "#components/audit/audit-path";
import { Pages } from "#components/audit/pages";
import { personPath } from "../paths.ts";
import { openPerson, PersonFrame } from "../person-frame.tsx";

type Props = {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
};

/** What this person did, and what was done to their account: the entries of the audit log that the viewer may see. */
export default async function PersonHistoryPage({ params, searchParams }: Props) {
  const { id } = await params;
  const opened = await openPerson(id, "history");
  const { ctx, person } = opened;
  const { before, after } = await searchParams;
  const found = await browseAuditLog(ctx, {
    person: person.id,
    length: 10,
    before: typeof before === "string" ? spotOf(before) : undefined,
    after: typeof after === "string" ? spotOf(after) : undefined,
  });
  if (!found.ok) redirect("/not-found");
  const { rows, newer, older, isPartial, practice, practices, people, channels } = found.value;
  const names = new Map([...practices, ...people, ...channels].map((one) => [one.id, one.name]));
  return (
    <PersonFrame opened={opened} tab="history">
      {rows.length === 0 ? (
        <Empty title={isPartial ? "Nothing found so far" : "Nothing is on record yet"} />
      ) : (
        <Panel
          title="Activity"
          flush
          actions={
            <Link
              href={auditPath({ person: person.id })}
              prefetch={false}
              className="text-sm underline hover:no-underline"
            >
              View in audit log
            </Link>
          }
        >
          <Entries rows={rows} filter={{ person: person.id }} practiceId={practice?.id} names={names} />
        </Panel>
      )}
      <Pages
        {...{ newer, older, isPartial }}
        hrefAt={(spot) => `${personPath(person.id, "history")}?${new URLSearchParams(spot)}`}
      />
    </PersonFrame>
  );
}
