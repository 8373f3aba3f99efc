import Link from "next/link";
import { redirect } from "next/navigation";
import { AccountBadge } from "#components/account-badge";
import { ActForm, ActText } from "#components/act-form";
import { ButtonLink } from "#components/button";
import { PageHeader } from "#components/page-header";
import { PlainText } from "#components/plain-text";
import { RolesFields } from "#components/roles-fields";
import { Section } from "#components/section";
import { Shell } from "#components/shell";
import { SubmitButton } from "#components/submit-button";
import { Cell, Row, Table } from "#components/table";
import { Time } from "#components/time";
import { listPeople, type PersonRecord } from "#lib/admin/list-people";
import { listPractices } from "#lib/admin/list-practices";
import { contextOf, requirePerson } from "#lib/auth/person";
import { ssoLabel } from "#lib/auth/sso-settings";
import { invite } from "./actions.ts";
import { RolesHeld } from "./roles-held.tsx";

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
      <PeopleTable list={people.value} names={names} />
      <div className="mt-8 max-w-2xl">
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

type TableProps = { readonly list: readonly PersonRecord[]; readonly names: ReadonlyMap<string, string> };

function PeopleTable({ list, names }: TableProps) {
  return (
    <Table
      caption="People by email"
      columns={[
        { name: "Person", width: "md:w-[34%]" },
        { name: "Roles" },
        { name: "Account", width: "md:w-28" },
        { name: "Last seen", width: "md:w-32" },
      ]}
    >
      {list.map(({ id, name, email, grants, status, seenAt }) => (
        <Row key={id} className="relative hover:bg-hover has-focus-visible:bg-hover">
          <Cell>
            <Link
              href={`/people/${id}`}
              prefetch={false}
              className="font-semibold after:absolute after:inset-0 hover:underline"
            >
              <PlainText>{name}</PlainText>
            </Link>
            <span className="block text-sm wrap-anywhere text-ink-faint">{email}</span>
          </Cell>
          <Cell label="Roles">
            <RolesHeld grants={grants} names={names} />
          </Cell>
          <Cell label="Account">
            <AccountBadge status={status} />
          </Cell>
          <Cell label="Last seen">
            {seenAt === null ? <span className="text-ink-faint">Never</span> : <Time at={seenAt} as="until" />}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
