import { redirect } from "next/navigation";
import { ButtonLink } from "#components/form/button";
import { Empty } from "#components/list/empty";
import { Notice } from "#components/shell/notice";
import { Section } from "#components/list/section";
import { payerDoneText } from "#lib/messages/admin/payers";
import { showDirectory } from "#lib/practice/directory/show-directory";
import { openPractice, PracticeFrame } from "../practice-frame.tsx";
import { PayerForm } from "./payer-form.tsx";
import { PayerTable } from "./payer-table.tsx";
import { UnlistedForm } from "./unlisted-form.tsx";

type Props = {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<{ readonly done?: string | string[] }>;
};

export default async function PayersPage({ params, searchParams }: Props) {
  const { id } = await params;
  const opened = await openPractice(id, "payers");
  const found = await showDirectory(opened.ctx, { practiceId: id });
  if (!found.ok) redirect("/not-found");
  const { practice, payers, connections } = found.value;
  const done = payerDoneText((await searchParams).done);
  return (
    <PracticeFrame opened={opened} tab="payers">
      {done !== undefined && (
        <Notice tone="good" role="status" className="mb-5">
          {done}
        </Notice>
      )}
      <div className="mb-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <p className="max-w-prose text-ink-soft">
          The payers of this practice: the IDs that requests use, how each is reached, and who reviews what.
        </p>
        <ButtonLink href="/import">Import</ButtonLink>
      </div>
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
        <Section title="Payers not in the directory" anchor="unlisted" folds>
          <UnlistedForm practice={practice} isEmpty={payers.length === 0} />
        </Section>
        <Section title="Add payer" anchor="add" folds>
          <PayerForm practiceId={id} />
        </Section>
      </div>
    </PracticeFrame>
  );
}
