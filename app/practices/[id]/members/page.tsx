import Link from "next/link";
import { redirect } from "next/navigation";
import { ButtonLink } from "#components/form/button";
import { AccountBadge } from "#components/list/account-badge";
import { Empty } from "#components/list/empty";
import { Panel } from "#components/list/panel";
import { Cell, Row, Table } from "#components/list/table";
import { PlainText } from "#components/text/plain-text";
import { Time } from "#components/text/time";
import { roleText } from "#lib/messages/admin/person";
import { listPeople, type PersonRecord } from "#lib/person/list-people";
import { openPractice, PracticeFrame } from "../practice-frame.tsx";

type Props = { readonly params: Promise<{ readonly id: string }> };

/** Who holds a role in the practice, or over every practice. */
export default async function MembersPage({ params }: Props) {
  const { id } = await params;
  const opened = await openPractice(id, "members");
  const people = await listPeople(opened.ctx);
  if (!people.ok) redirect("/not-found");
  const members = people.value.filter((person) => rolesIn(person, id).length > 0);
  const invite = (
    <ButtonLink href={`/people/invite?practice=${encodeURIComponent(id)}`} tone="primary">
      Invite person
    </ButtonLink>
  );
  return (
    <PracticeFrame opened={opened} tab="members">
      {members.length === 0 ? (
        <Empty title="No members yet">
          <p className="mb-3">Invite a reviewer so that requests can be released.</p>
          {invite}
        </Empty>
      ) : (
        <Panel title="Members" aside={members.length} flush actions={invite}>
          <MemberTable list={members} practiceId={id} />
        </Panel>
      )}
    </PracticeFrame>
  );
}

function rolesIn({ grants }: PersonRecord, practiceId: string): readonly string[] {
  return grants
    .filter((grant) => grant.practiceId === undefined || grant.practiceId === practiceId)
    .map(({ role, practiceId: where }) =>
      where === undefined ? `${roleText[role]} of every practice` : roleText[role],
    );
}

function MemberTable({ list, practiceId }: { readonly list: readonly PersonRecord[]; readonly practiceId: string }) {
  return (
    <Table caption="Members by email" columns={["Person", "Roles here", "Account", "Last seen"]}>
      {list.map((person) => (
        <Row key={person.id} className="relative hover:bg-hover has-focus-visible:bg-hover">
          <Cell>
            <Link href={`/people/${person.id}`} prefetch={false} className="font-semibold row-link hover:underline">
              <PlainText>{person.name}</PlainText>
            </Link>
            <span className="block text-sm wrap-anywhere text-ink-faint">{person.email}</span>
          </Cell>
          <Cell label="Roles here">{rolesIn(person, practiceId).join(", ")}</Cell>
          <Cell label="Account">
            <AccountBadge status={person.status} />
          </Cell>
          <Cell label="Last seen">
            {person.seenAt === null ? (
              <span className="text-ink-faint">Never</span>
            ) : (
              <Time at={person.seenAt} as="until" />
            )}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
