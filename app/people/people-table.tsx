import Link from "next/link";
import { AccountBadge } from "#components/list/account-badge";
import { RolesHeld } from "#components/text/roles-held";
import { PlainText } from "#components/text/plain-text";
import { SecondFactorText } from "#components/text/second-factor-text";
import { Cell, Row, Table } from "#components/list/table";
import { Time } from "#components/text/time";
import type { PersonRecord } from "#lib/person/list-people";

type Props = { readonly list: readonly PersonRecord[]; readonly names: ReadonlyMap<string, string> };

/** Everybody who has an account. */
export function PeopleTable({ list, names }: Props) {
  return (
    <Table
      caption="People by email"
      columns={[
        { name: "Person", width: "md:w-[30%]" },
        { name: "Roles" },
        { name: "Second factor", width: "md:w-36" },
        { name: "Account", width: "md:w-32" },
        { name: "Last seen", width: "md:w-32" },
      ]}
    >
      {list.map(({ id, name, email, grants, status, seenAt, secondFactor }) => (
        <Row key={id} className="relative hover:bg-hover has-focus-visible:bg-hover">
          <Cell>
            <Link href={`/people/${id}`} prefetch={false} className="font-semibold row-link hover:underline">
              <PlainText>{name}</PlainText>
            </Link>
            <span className="block text-sm wrap-anywhere text-ink-faint">{email}</span>
          </Cell>
          <Cell label="Roles">
            <RolesHeld grants={grants} names={names} />
          </Cell>
          <Cell label="Second factor">
            <SecondFactorText has={secondFactor} />
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
