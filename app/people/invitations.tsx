import Link from "next/link";
import { Section } from "#components/list/section";
import { Cell, Row, Table } from "#components/list/table";
import { Time } from "#components/text/time";
import type { PersonRecord } from "#lib/person/list-people";
import { RolesHeld } from "./roles-held.tsx";
import { nowMs } from "#lib/platform/now";

type Props = { readonly list: readonly PersonRecord[]; readonly names: ReadonlyMap<string, string> };

/** Who was invited and has not accepted yet. */
export function Invitations({ list, names }: Props) {
  return (
    <div className="mt-8">
      <Section title="Invitations" aside={list.length === 0 ? undefined : `${list.length} open`}>
        {list.length === 0 ? (
          <p className="text-ink-soft">No invitation waits to be accepted.</p>
        ) : (
          <Table
            caption="Invitations by email"
            columns={[
              { name: "Email", width: "md:w-[30%]" },
              { name: "Roles" },
              { name: "Invited", width: "md:w-36" },
              { name: "Link", width: "md:w-56" },
            ]}
          >
            {list.map((person) => (
              <Invitation key={person.id} person={person} names={names} />
            ))}
          </Table>
        )}
      </Section>
    </div>
  );
}

function Invitation({ person, names }: { readonly person: PersonRecord; readonly names: Props["names"] }) {
  const { id, email, grants, createdAt, linkEndsAt } = person;
  return (
    <Row className="relative hover:bg-hover has-focus-visible:bg-hover">
      <Cell>
        <Link
          href={`/people/${id}`}
          prefetch={false}
          className="font-semibold wrap-anywhere after:absolute after:inset-0 hover:underline"
        >
          {email}
        </Link>
      </Cell>
      <Cell label="Roles">
        <RolesHeld grants={grants} names={names} />
      </Cell>
      <Cell label="Invited">
        <Time at={createdAt} as="until" />
      </Cell>
      <Cell label="Link">
        <LinkState endsAt={linkEndsAt} />
      </Cell>
    </Row>
  );
}

/** Whether the link still works; one that ended is sent anew from the person's page. */
function LinkState({ endsAt }: { readonly endsAt: Date | null }) {
  if (endsAt === null) return <span className="text-warn">None: invite again</span>;
  if (endsAt.getTime() > nowMs()) {
    return (
      <>
        Ends <Time at={endsAt} as="until" />
      </>
    );
  }
  return (
    <span className="text-warn">
      Ended <Time at={endsAt} as="until" />: invite again
    </span>
  );
}
