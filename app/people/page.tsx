import { redirect } from "next/navigation";
import { ActForm, ActText } from "#components/form/act-form";
import { ButtonLink } from "#components/form/button";
import { PageHeader } from "#components/shell/page-header";
import { RolesFields } from "#components/form/roles-fields";
import { Section } from "#components/list/section";
import { Shell } from "#components/shell/shell";
import { SubmitButton } from "#components/form/submit-button";
import { listPeople } from "#lib/person/list-people";
import { listPractices } from "#lib/practice/list-practices";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { ssoLabel } from "#lib/person/sso/sso-settings";
import { invite } from "./actions.ts";
import { Invitations } from "./invitations.tsx";
import { PeopleTable } from "./people-table.tsx";

export default async function PeoplePage() {
  const person = await requirePerson("/people");
  const ctx = contextOf(person);
  const [people, practices] = [await listPeople(ctx), await listPractices(ctx)];
  if (!people.ok || !practices.ok) redirect("/not-found");
  const names = new Map(practices.value.map(({ id, name }) => [id, name]));
  return (
    <Shell person={person} current="people" title="People">
      <PageHeader
        title="People"
        lead="Who can sign in, and what they may do where. A role given or taken holds from their next request on."
        actions={ssoLabel() !== undefined && <ButtonLink href="/people/groups">Groups</ButtonLink>}
      />
      <PeopleTable list={people.value.filter(({ status }) => status !== "invited")} names={names} />
      <Invitations list={people.value.filter(({ status }) => status === "invited")} names={names} />
      <div className="max-w-2xl border-t border-line pt-4">
        <Section title="Invite somebody" aside="they choose how they sign in by a link that works once, for 72 hours">
          <ActForm act={invite}>
            <div className="max-w-sm">
              <ActText label="Email" name="email" type="email" required maxLength={254} autoComplete="off" />
            </div>
            <RolesFields practices={practices.value} isOverall={person.administers === "every"} />
            <div>
              <SubmitButton tone="primary">Invite</SubmitButton>
            </div>
          </ActForm>
        </Section>
      </div>
    </Shell>
  );
}
