import { redirect } from "next/navigation";
import { BackLink } from "#components/shell/back-link";
import { PageHeader } from "#components/shell/page-header";
import { Shell } from "#components/shell/shell";
import { listPractices } from "#lib/practice/list-practices";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { ImportForm } from "./import-form.tsx";

export default async function ImportPage() {
  const person = await requirePerson("/import");
  const practices = await listPractices(contextOf(person));
  if (!practices.ok) redirect("/not-found");
  return (
    <Shell person={person} current="practices" title="Import">
      <BackLink href="/practices">Practices</BackLink>
      <PageHeader
        title="Import"
        lead={
          <>
            Practices, routes or payer directories from CSV. Every row is shown before anything is written. Templates:{" "}
            <a href="/import/practices.csv" download className="underline">
              practices.csv
            </a>
            ,{" "}
            <a href="/import/routes.csv" download className="underline">
              routes.csv
            </a>
            ,{" "}
            <a href="/import/payers.csv" download className="underline">
              payers.csv
            </a>
            . Files never contain credentials: enter them on each payer connection&rsquo;s page.
          </>
        }
      />
      <div className="max-w-4xl">
        <ImportForm />
      </div>
    </Shell>
  );
}
