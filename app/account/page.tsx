import { Facts } from "#components/list/facts";
import { Notice } from "#components/shell/notice";
import { PageHeader } from "#components/shell/page-header";
import { Section } from "#components/list/section";
import { Shell } from "#components/shell/shell";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { myAccount } from "#lib/person/mail/my-account";
import { AccountTabs } from "./account-tabs.tsx";
import { KeysForm, NextForm, TimesForm } from "./choices.tsx";
import { SignOnSection } from "./sign-on-section.tsx";
import { PasswordSection, SessionsSection } from "./sign-in-sections.tsx";

type SearchParams = { readonly done?: string | string[]; readonly sso?: string | string[] };
type Props = { readonly searchParams: Promise<SearchParams> };

/** Who somebody is here, and where they are signed in. */
export default async function AccountPage({ searchParams }: Props) {
  const { done, sso: why } = await searchParams;
  const person = await requirePerson("/account");
  const { email, hasPassword } = await myAccount(contextOf(person));
  return (
    <Shell person={person} current="account" title="Your account">
      <PageHeader title="Your account" tabs={<AccountTabs current="/account" />} />
      {done !== undefined && (
        <Notice tone="good" role="status" className="mb-5 max-w-prose">
          Saved.
        </Notice>
      )}
      <div className="max-w-3xl">
        <Section title="You">
          <Facts
            list={[
              { name: "Name", value: person.name },
              { name: "Email", value: email },
              { name: "Roles", value: person.roles.join(", ") },
            ]}
          />
        </Section>
        <Section title="Times">
          <TimesForm />
        </Section>
        <Section title="Keyboard">
          <KeysForm />
        </Section>
        {person.roles.includes("reviewer") && (
          <Section title="After a decision">
            <NextForm />
          </Section>
        )}
        <SignOnSection person={person} why={typeof why === "string" ? why : undefined} />
        <SessionsSection person={person} />
        {hasPassword && <PasswordSection email={email} />}
      </div>
    </Shell>
  );
}
