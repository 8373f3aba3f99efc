import { redirect } from "next/navigation";
import { BackLink } from "#components/shell/back-link";
import { ButtonLink } from "#components/form/button";
import { Empty } from "#components/list/empty";
import { Notice } from "#components/shell/notice";
import { PageHeader } from "#components/shell/page-header";
import { PlainText } from "#components/text/plain-text";
import { Section } from "#components/list/section";
import { Shell } from "#components/shell/shell";
import { payerDoneText } from "#lib/messages/admin/payers";
import { showDirectory } from "#lib/practice/directory/show-directory";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { payersPath, practicePath } from "../paths.ts";
import { PayerForm } from "./payer-form.tsx";
import { PayerTable } from "./payer-table.tsx";
import { UnlistedForm } from "./unlisted-form.tsx";

type Props = {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<{ readonly done?: string | string[] }>;
};

export default async function PayersPage({ params, searchParams }: Props) {
  const { id } = await params;
  const person = await requirePerson(payersPath(id));
  const found = await showDirectory(contextOf(person), { practiceId: id });
  if (!found.ok) redirect("/not-found");
  const { practice, payers, connections } = found.value;
  const done = payerDoneText((await searchParams).done);
  return (
    <Shell person={person} current="practices" title="Payer directory">
      <BackLink href={practicePath(id)}>
        <PlainText>{practice.name}</PlainText>
      </BackLink>
      <PageHeader
        title="Payer directory"
        lead="The payers of this practice: the IDs that requests use, how each is reached, and who reviews what."
        actions={<ButtonLink href="/import">Import</ButtonLink>}
      />
      {done !== undefined && (
        <Notice tone="good" role="status" className="mb-5">
          {done}
        </Notice>
      )}
      {payers.length > 0 ? (
        <PayerTable practiceId={id} payers={payers} connections={connections} />
      ) : (
        <Empty title="No payers yet">
          <p>
            Agents can name any payer until you add one. Add payers below or import them from CSV, so that a mistyped
            payer ID is caught.
          </p>
        </Empty>
      )}
      <div className="mt-8 max-w-3xl">
        <Section title="Payers not in the directory" anchor="unlisted">
          <UnlistedForm practice={practice} isEmpty={payers.length === 0} />
        </Section>
        <Section title="Add payer" anchor="add">
          <PayerForm practiceId={id} />
        </Section>
      </div>
    </Shell>
  );
}
