import { ChevronLeft } from "lucide-react";
import Link from "next/link";
import { redirect } from "next/navigation";
import type { ComponentProps } from "react";
import { Facts } from "#components/facts";
import { Notice } from "#components/notice";
import { PageHeader } from "#components/page-header";
import { PlainText } from "#components/plain-text";
import { Section } from "#components/section";
import { Shell } from "#components/shell";
import { StatusBadge } from "#components/status-badge";
import { Time } from "#components/time";
import { showPractice } from "#lib/admin/list-practices";
import { contextOf, requirePerson } from "#lib/auth/person";
import { doneText } from "./done-words.ts";
import { LineOfBusinessForm, RenameForm, SettingsForm, StatusForm, TargetsForm } from "./practice-forms.tsx";
import { RulesForm } from "./rules-form.tsx";
import { WarningsForm } from "./warnings-form.tsx";
import { RouteTable } from "./route-table.tsx";

type Props = {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<{ readonly done?: string | string[] }>;
};

export default async function PracticePage({ params, searchParams }: Props) {
  const { id } = await params;
  const person = await requirePerson(`/practices/${encodeURIComponent(id)}`);
  const found = await showPractice(contextOf(person), { practiceId: id });
  if (!found.ok) redirect("/not-found");
  const practice = found.value;
  const done = doneText((await searchParams).done);
  return (
    <Shell person={person} current="practices" title="Practice">
      <nav aria-label="Back" className="mb-3">
        <Link
          href="/practices"
          prefetch={false}
          className="-ms-1 inline-flex items-center gap-0.5 rounded-md py-0.5 pe-1 text-ink-soft hover:text-ink"
        >
          <ChevronLeft aria-hidden size={16} />
          Practices
        </Link>
      </nav>
      <PageHeader title={<PlainText>{practice.name}</PlainText>} lead={<StatusBadge status={practice.status} />} />
      {done !== undefined && (
        <Notice tone="good" role="status" className="mb-5">
          {done}
        </Notice>
      )}
      <div className="max-w-3xl">
        <Section title="Routes to payers" aside="set at the command line">
          <RouteTable list={practice.routes} environment={practice.environment} />
        </Section>
        {practice.routes.length > 0 && (
          <Section title="Line of business">
            <LineOfBusinessForm practice={practice} />
          </Section>
        )}
        <Section title="Settings">
          <SettingsForm practice={practice} />
        </Section>
        <Section title="Our targets" aside="within how many hours somebody here acts">
          <TargetsForm practice={practice} />
        </Section>
        <BeforeRelease practice={practice} />
        <Section title="Rename">
          <RenameForm practice={practice} />
        </Section>
        <Section title={practice.status === "active" ? "Suspend" : "Resume"}>
          <StatusForm practice={practice} />
        </Section>
        <Section title="Facts">
          <Facts
            list={[
              { name: "Id", value: <code className="font-mono text-sm">{practice.id}</code> },
              { name: "Made", value: <Time at={practice.createdAt} as="full" /> },
            ]}
          />
        </Section>
      </div>
    </Shell>
  );
}

type Asks = ComponentProps<typeof RulesForm>["practice"] & ComponentProps<typeof WarningsForm>["practice"];

/** What the practice asks for before anything is released. */
function BeforeRelease({ practice }: { readonly practice: Asks }) {
  return (
    <>
      <Section title="Releases" aside="how many people, and with what proof">
        <RulesForm practice={practice} />
      </Section>
      <Section title="Warnings">
        <WarningsForm practice={practice} />
      </Section>
    </>
  );
}
