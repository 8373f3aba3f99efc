import Link from "next/link";
import { redirect } from "next/navigation";
import { Button } from "#components/form/button";
import { Empty } from "#components/list/empty";
import { PageHeader } from "#components/shell/page-header";
import { Shell } from "#components/shell/shell";
import { browseAuditLog, type AuditPage } from "#lib/audit/browse-audit-log";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { verifyText } from "#lib/messages/admin/audit";
import { auditPath, spotOf, type AuditFilter } from "#components/audit/audit-path";
import { filterIn, filtersOf, type Query } from "./filter.ts";
import { ChainStates } from "./chain-state.tsx";
import type { Names } from "#components/audit/detail-lines";
import { Entries } from "#components/audit/entries";
import { Pages } from "#components/audit/pages";
import { Filters, isFiltered } from "./filters.tsx";

type Props = { readonly searchParams: Promise<Query> };

/** So many fit two screens of a phone. */
const entriesOnPage = 15;

/** What happened, who did it and that nobody changed it since; to administrators and to a practice's auditors. */
export default async function AuditPage({ searchParams }: Props) {
  const filter = filterIn(await searchParams);
  const person = await requirePerson(auditPath(filter));
  const found = await browseAuditLog(contextOf(person), {
    ...(await filtersOf(filter)),
    before: filter.before === undefined ? undefined : spotOf(filter.before),
    after: filter.after === undefined ? undefined : spotOf(filter.after),
    length: entriesOnPage,
  });
  if (!found.ok) redirect("/not-found");
  const page = found.value;
  return (
    <Shell person={person} current="audit" title="Audit">
      <PageHeader
        title="Audit"
        lead="Every act, each entry bound to the one before it. An export can be checked without this service."
        actions={<Export filter={filter} practiceId={page.practice?.id} />}
      />
      <Filters page={page} filter={filter} />
      <ChainStates page={page} />
      {page.rows.length > 0 ? (
        <Entries rows={page.rows} filter={filter} practiceId={page.practice?.id} names={namesOn(page)} />
      ) : (
        <Nothing page={page} filter={filter} />
      )}
      <Pages
        {...page}
        hrefAt={(spot) =>
          auditPath({ ...filter, practice: page.practice?.id, before: undefined, after: undefined, ...spot })
        }
      />
      <HowToVerify />
    </Shell>
  );
}

/** What people, channels and practices are called, where an entry names them. */
function namesOn({ practices, people, channels }: AuditPage): Names {
  return new Map([...practices, ...people, ...channels].map(({ id, name }) => [id, name]));
}

function Nothing({ page, filter }: { readonly page: AuditPage; readonly filter: AuditFilter }) {
  if (page.isPartial) return <Empty title="Nothing found so far">Older entries haven't been searched yet.</Empty>;
  return isFiltered(filter) ? (
    <Empty title="No entry fits">Clear the filters, or widen the time.</Empty>
  ) : (
    <Empty title="Nothing is on record yet" />
  );
}

/** How to verify an export: by a program that asks no service, with a key that did not come from this one. */
function HowToVerify() {
  return (
    <details className="mt-8 max-w-prose border-t border-line pt-4">
      <summary className="font-semibold">{verifyText.title}</summary>
      <div className="mt-2 grid gap-2 text-ink-soft">
        <p>{verifyText.get}</p>
        <pre className="overflow-x-auto rounded-md bg-sunken px-3 py-2 font-mono text-sm text-ink">
          {verifyText.command}
        </pre>
        <p>{verifyText.key}</p>
        <p>{verifyText.result}</p>
      </div>
    </details>
  );
}

/** A form that posts, because an export is itself on record. */
function Export({ filter, practiceId }: { readonly filter: AuditFilter; readonly practiceId: string | undefined }) {
  const { before: _, after: __, ...filters } = { ...filter, practice: practiceId };
  return (
    <form action="/audit/export" method="post" className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {Object.entries(filters).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Link href="/emergency" className="text-sm text-ink-soft underline hover:text-ink">
        Emergency access
      </Link>
      <a href="/audit-verify.mjs" download className="text-sm text-ink-soft underline hover:text-ink">
        Verifier
      </a>
      <Button>Export JSONL</Button>
    </form>
  );
}
