import { ActButtons, ActForm, ActText } from "#components/form/act-form";
import { Section } from "#components/list/section";
import { SessionsTable } from "#components/list/sessions-table";
import { SubmitButton } from "#components/form/submit-button";
import { listOwnSessions } from "#lib/person/end-sessions";
import { passwordRule } from "#lib/messages/account";
import { contextOf, currentSessionId, upcomingProof } from "#lib/person/session/person";
import type { PersonActor } from "#lib/access/model/actor";
import { changePassword, endMyOthers, endMySession } from "./actions.ts";

/** Where this person is signed in, and a way to end what is not theirs. */
export async function SessionsSection({ person }: { readonly person: PersonActor }) {
  const [list, own] = [await listOwnSessions(contextOf(person)), await currentSessionId()];
  return (
    <Section title="Where you are signed in" aside={`${list.length} open`}>
      <SessionsTable list={list} own={own} personId={person.id} end={endMySession} />
      {list.length > 1 && (
        <ActForm act={endMyOthers} className="mt-3 grid gap-2">
          <ActButtons>
            <SubmitButton>End all but this one</SubmitButton>
          </ActButtons>
        </ActForm>
      )}
    </Section>
  );
}

export async function PasswordSection({ email }: { readonly email: string }) {
  const asks = await upcomingProof();
  return (
    <Section title="Password">
      <ActForm act={changePassword} asks={asks === "password" ? undefined : asks} className="grid max-w-sm gap-3.5">
        <input type="hidden" name="username" value={email} autoComplete="username" />
        <ActText label="Current password" name="present" type="password" autoComplete="current-password" required />
        <ActText
          label="New password"
          name="password"
          type="password"
          autoComplete="new-password"
          required
          hint={passwordRule}
        />
        <ActButtons>
          <SubmitButton>Change the password</SubmitButton>
        </ActButtons>
        <p className="text-sm text-ink-faint">Every other session of yours ends.</p>
      </ActForm>
    </Section>
  );
}
