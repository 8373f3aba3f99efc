import Link from "next/link";
import { Cell, Row, Table } from "#components/list/table";
import { RolesHeld } from "#components/text/roles-held";
import { Time } from "#components/text/time";
import type { PersonRecord } from "#lib/person/list-people";
import { nowMs } from "#lib/platform/now";

type Props = { readonly list: readonly PersonRecord[]; readonly names: ReadonlyMap<string, string> };

/** Who was invited and has not accepted yet. */
export function Invitations({ list, names }: Props) {
  return (
    <Table
      caption="Invitations by email"
      columns={[
        { name: "Email", width: "md:w-[30%]" },
        { name: "Roles" },
        { name: "Invited", width: "md:w-36" },
        { name: "Link", width: "md:w-56" },
      ]}
    >
      {list.map(({ id, email, grants, createdAt, linkEndsAt }) => (
        <Row key={id} className="relative hover:bg-hover has-focus-visible:bg-hover">
          <Cell>
            <Link
              href={`/people/${id}`}
              prefetch={false}
              className="font-semibold wrap-anywhere row-link hover:underline"
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
      ))}
    </Table>
  );
}

/** Whether the link still works; a new one is sent from the person's page. */
function LinkState({ endsAt }: { readonly endsAt: Date | null }) {
  if (endsAt === null) return <span className="text-warn">No link. Send it again</span>;
  if (endsAt.getTime() > nowMs()) {
    return (
      <>
        Expires <Time at={endsAt} as="until" />
      </>
    );
  }
  return (
    <span className="text-warn">
      Expired <Time at={endsAt} as="until" />. Send it again
    </span>
  );
}
