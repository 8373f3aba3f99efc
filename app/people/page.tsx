import { redirect } from "next/navigation";
import { ButtonLink } from "#components/form/button";
import { Panel } from "#components/list/panel";
import { Notice } from "#components/shell/notice";
import { PageHeader } from "#components/shell/page-header";
import { Shell } from "#components/shell/shell";
import { personDoneText } from "#lib/messages/admin/person";
import { listPeople } from "#lib/person/list-people";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { ssoLabel } from "#lib/person/sso/sso-settings";
import { listPractices } from "#lib/practice/list-practices";
import { Invitations } from "./invitations.tsx";
import { PeopleTable } from "./people-table.tsx";

type Props = { readonly searchParams: Promise<{ readonly done?: string | string[] }> };

/** Who has an account, what they may do where, and who was invited. */
export default async function PeoplePage({ searchParams }: Props) {
  const person = await requirePerson("/people");
  const ctx = contextOf(person);
  const [people, practices] = [await listPeople(ctx), await listPractices(ctx)];
  if (!people.ok || !practices.ok) redirect("/not-found");
  const names = new Map(practices.value.map(({ id, name }) => [id, name]));
  const done = personDoneText((await searchParams).done);
  const [invited, members] = [
    people.value.filter(({ status }) => status === "invited"),
    people.value.filter(({ status }) => status !== "invited"),
  ];
  return (
    <Shell person={person} current="people" title="People">
      <PageHeader
        title="People"
        lead="Who can sign in, and what they may do in which practice."
        actions={
          <>
            {ssoLabel() !== undefined && <ButtonLink href="/people/groups">Groups</ButtonLink>}
            <ButtonLink href="/people/invite" tone="primary">
              Invite person
            </ButtonLink>
          </>
        }
      />
      {done !== undefined && (
        <Notice tone="good" role="status" className="mb-6">
          {done}
        </Notice>
      )}
      <div className="grid gap-6">
        {invited.length > 0 && (
          <Panel title="Invitations" aside={invited.length} flush>
            <Invitations list={invited} names={names} />
          </Panel>
        )}
        <PeopleTable list={members} names={names} />
      </div>
    </Shell>
  );
}
