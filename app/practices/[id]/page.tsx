import { redirect } from "next/navigation";
import type { ComponentProps } from "react";
import { BackLink } from "#components/shell/back-link";
import { ButtonLink } from "#components/form/button";
import { IndexedSections } from "#components/list/indexed-sections";
import { Notice } from "#components/shell/notice";
import { PageHeader } from "#components/shell/page-header";
import { PlainText } from "#components/text/plain-text";
import { Section } from "#components/list/section";
import { Shell } from "#components/shell/shell";
import { StatusBadge } from "#components/list/status-badge";
import { Time } from "#components/text/time";
import { UnmatchedNotice } from "#components/shell/unmatched-notice";
import { showPractice } from "#lib/practice/list-practices";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { ssoLabel } from "#lib/person/sso/sso-settings";
import { practiceDoneText } from "#lib/messages/admin/practice";
import { payersPath, practicePath } from "./paths.ts";
import { ProvidersForm } from "./providers-form.tsx";
import { RenameForm, SettingsForm, StatusForm, TargetsForm } from "./practice-forms.tsx";
import { RulesForm } from "./rules-form.tsx";
import { SecondFactorForm } from "./second-factor-form.tsx";
import { SignInForm } from "./sign-in-form.tsx";
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
  const done = practiceDoneText((await searchParams).done);
  return (
    <Shell person={person} current="practices" title="Practice">
      <BackLink href="/practices">Practices</BackLink>
      <PageHeader
        title={<PlainText>{practice.name}</PlainText>}
        lead={
          <span className="flex flex-wrap items-center gap-x-3">
            <code className="font-mono text-sm">{practice.id}</code>
            <StatusBadge status={practice.status} />
            <span>
              made <Time at={practice.createdAt} as="day" />
            </span>
          </span>
        }
        actions={<Links id={id} />}
      />
      {done !== undefined && (
        <Notice tone="good" role="status" className="mb-5">
          {done}
        </Notice>
      )}
      <UnmatchedNotice count={practice.unmatched} opens={false} />
      <IndexedSections places={placesOf(practice)}>
        <Section title="Routes to payers" anchor="routes">
          <RouteTable list={practice.routes} id={practice.id} environment={practice.environment} />
        </Section>
        <Section title="Settings" anchor="settings">
          <SettingsForm practice={practice} />
        </Section>
        <Section title="Providers" anchor="providers" aside={providersText(practice.providers.length)}>
          <ProvidersForm practice={practice} />
        </Section>
        <Section title="Our targets" anchor="targets" aside="within how many hours somebody here acts">
          <TargetsForm practice={practice} />
        </Section>
        <BeforeRelease practice={practice} />
        <SignIn practice={practice} />
        <SecondFactor practice={practice} />
        <Section title="Rename" anchor="rename">
          <RenameForm practice={practice} />
        </Section>
        <Section title={practice.status === "active" ? "Suspend" : "Resume"} anchor="state">
          <StatusForm practice={practice} />
        </Section>
      </IndexedSections>
    </Shell>
  );
}

function Links({ id }: { readonly id: string }) {
  return (
    <>
      <ButtonLink href={`/audit?practice=${encodeURIComponent(id)}`}>Record</ButtonLink>
      <ButtonLink href={payersPath(id)}>Payer directory</ButtonLink>
      <ButtonLink href={`${practicePath(id)}/versions`}>Versions</ButtonLink>
    </>
  );
}

type Signing = ComponentProps<typeof SignInForm>["practice"];

/** Whether there is anything to say of it: there is a provider, or there was one and it is still asked for. */
function asksForSignIn({ ssoOnly }: Signing): boolean {
  return ssoLabel() !== undefined || ssoOnly;
}

function SignIn({ practice }: { readonly practice: Signing }) {
  if (!asksForSignIn(practice)) return null;
  return (
    <Section title="Sign-in" anchor="sign-in">
      <SignInForm practice={practice} label={ssoLabel() ?? "single sign-on"} />
    </Section>
  );
}

function placesOf(practice: Signing & { readonly status: string }) {
  return [
    ["routes", "Routes to payers"],
    ["settings", "Settings"],
    ["providers", "Providers"],
    ["targets", "Our targets"],
    ["releases", "Releases"],
    ["warnings", "Warnings"],
    ...(asksForSignIn(practice) ? ([["sign-in", "Sign-in"]] as const) : []),
    ["second-factor", "Second factor"],
    ["rename", "Rename"],
    ["state", practice.status === "active" ? "Suspend" : "Resume"],
  ] as const;
}

function providersText(count: number): string {
  return count === 0 ? "none named, so any may be" : `${count} named`;
}

type Asks = ComponentProps<typeof RulesForm>["practice"] & ComponentProps<typeof WarningsForm>["practice"];

/** What the practice asks for before anything is released. */
function BeforeRelease({ practice }: { readonly practice: Asks }) {
  return (
    <>
      <Section title="Releases" anchor="releases" aside="how many people, and with what proof">
        <RulesForm practice={practice} />
      </Section>
      <Section title="Warnings" anchor="warnings">
        <WarningsForm practice={practice} />
      </Section>
    </>
  );
}

function SecondFactor({ practice }: ComponentProps<typeof SecondFactorForm>) {
  return (
    <Section title="Second factor" anchor="second-factor">
      <SecondFactorForm practice={practice} />
    </Section>
  );
}
