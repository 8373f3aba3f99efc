import Link from "next/link";
import { ActButtons, ActForm, ActSelect } from "#components/form/act-form";
import { Facts } from "#components/list/facts";
import { Notice } from "#components/shell/notice";
import { PageHeader } from "#components/shell/page-header";
import { Section } from "#components/list/section";
import { Shell } from "#components/shell/shell";
import { SubmitButton } from "#components/form/submit-button";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { myAccount } from "#lib/person/mail/my-account";
import { setMail } from "./actions.ts";
import { KeysForm, TimesForm } from "./choices.tsx";
import { BrowserNotices } from "./browser-notices.tsx";
import { SignOnSection } from "./sign-on-section.tsx";
import { PasswordSection, SessionsSection } from "./sign-in-sections.tsx";

const choices = [
  { value: "at-once", text: "At once" },
  { value: "digest", text: "Once an hour, all together" },
  { value: "off", text: "Never" },
] as const;

type SearchParams = { readonly done?: string | string[]; readonly sso?: string | string[] };
type Props = { readonly searchParams: Promise<SearchParams> };

/** Who somebody is here, and how they are told of what waits for them. */
export default async function AccountPage({ searchParams }: Props) {
  const { done, sso: why } = await searchParams;
  const person = await requirePerson("/account");
  const { email, mail, isMailSent, hasPassword } = await myAccount(contextOf(person));
  const reviews = person.roles.includes("reviewer");
  return (
    <Shell person={person} current="account" title="Your account">
      <PageHeader title="Your account" />
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
              { name: "Sign-in", value: <SecurityLink /> },
            ]}
          />
        </Section>
        {reviews && <Told email={email} mail={mail} isMailSent={isMailSent} />}
        <Section title="Times">
          <TimesForm />
        </Section>
        <Section title="Keyboard">
          <KeysForm />
        </Section>
        <SignOnSection person={person} why={typeof why === "string" ? why : undefined} />
        <SessionsSection person={person} />
        {hasPassword && <PasswordSection email={email} />}
      </div>
    </Shell>
  );
}

function SecurityLink() {
  return (
    <Link href="/account/security" prefetch={false} className="underline">
      Passkeys, authenticator app, recovery codes
    </Link>
  );
}

type ToldProps = Pick<Awaited<ReturnType<typeof myAccount>>, "email" | "mail" | "isMailSent">;

/** How a reviewer is told of what waits. */
function Told({ email, mail, isMailSent }: ToldProps) {
  return (
    <>
      <Section title="Mail">
        <ActForm act={setMail}>
          <ActSelect
            name="mail"
            label="Tell me of what waits for a reviewer"
            defaultValue={mail}
            className="max-w-sm"
            options={choices}
            hint={`To ${email}: the practice, what waits and a link; nothing of a patient, and nothing you did yourself.`}
          />
          <ActButtons>
            <SubmitButton>Save</SubmitButton>
          </ActButtons>
        </ActForm>
        {!isMailSent && (
          <Notice tone="plain" className="mt-4">
            This service sends no mail yet; an operator gives it a mail server.
          </Notice>
        )}
      </Section>
      <Section title="This browser">
        <BrowserNotices />
      </Section>
    </>
  );
}
