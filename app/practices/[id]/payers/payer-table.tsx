import Link from "next/link";
import { PlainText } from "#components/text/plain-text";
import { DemoMark } from "#components/list/badge";
import { Cell, Row, Table } from "#components/list/table";
import { connectionText, reviewersText } from "#lib/messages/admin/payers";
import type { ListedPayer, PayerConnection } from "#lib/practice/directory/show-directory";
import { isDemoPayer } from "#lib/practice/model/demo-payers";
import { payerPath } from "../paths.ts";

type Props = {
  readonly practiceId: string;
  readonly payers: readonly ListedPayer[];
  readonly connections: readonly PayerConnection[];
};

/** The payers of the directory; each leads to its own page. */
export function PayerTable({ practiceId, payers, connections }: Props) {
  const byPayer = new Map(connections.map((connection) => [connection.payerId, connection]));
  const nameOf = new Map([
    ...connections.map(({ payerId, payerName }) => [payerId, payerName ?? payerId] as const),
    ...payers.map(({ payerId, name }) => [payerId, name] as const),
  ]);
  return (
    <Table
      caption="Payers by name"
      columns={[
        { name: "Payer", width: "md:w-64" },
        { name: "Payer ID", width: "md:w-36" },
        { name: "Connection", width: "md:w-52" },
        "Reviewed by others",
      ]}
    >
      {payers.map(({ payerId, name, aliases, connector, rules }) => (
        <Row key={payerId} className="relative hover:bg-hover has-focus-visible:bg-hover">
          <Cell className="wrap-anywhere">
            <Link
              href={payerPath(practiceId, payerId)}
              prefetch={false}
              className="font-semibold row-link hover:underline"
            >
              <PlainText>{name}</PlainText>
            </Link>{" "}
            {isDemoPayer(payerId) && <DemoMark />}
            {aliases.length > 0 && (
              <span className="block text-sm text-ink-faint">
                Also <PlainText>{aliases.join(", ")}</PlainText>
              </span>
            )}
          </Cell>
          <Cell label="Payer ID" className="wrap-anywhere">
            <code className="font-mono text-sm">
              <PlainText>{payerId}</PlainText>
            </code>
          </Cell>
          <Cell label="Connection">{connectionText(byPayer.get(payerId)?.connector, connector)}</Cell>
          <Cell label="Reviewed by others" className="wrap-anywhere">
            <PlainText>{reviewersText(rules, nameOf)}</PlainText>
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
