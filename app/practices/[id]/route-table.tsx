import { EnvironmentMark } from "#components/badge";
import { connectorText } from "#components/case-words";
import { PlainText } from "#components/plain-text";
import { Cell, Row, Table } from "#components/table";
import { Time } from "#components/time";
import { hearingOf, type PracticeRecord, type RouteRecord } from "#lib/admin/list-practices";
import { lineText } from "./line-of-business.ts";

type Props = { readonly list: readonly RouteRecord[] } & Pick<PracticeRecord, "environment">;

/** The routes in force; whether there is a credential, and never the credential. */
export function RouteTable({ list, environment }: Props) {
  return (
    <>
      {list.length > 0 && (
        <Table
          caption="Routes in force, by payer"
          columns={["Payer", "By", "Address", "Line of business", "Credential", "The payer", "Version", "Since"]}
        >
          {list.map((route) => (
            <Row key={route.payerId}>
              <Cell>
                <span className="flex flex-wrap items-center gap-x-2">
                  <PlainText>{route.payerName ?? route.payerId}</PlainText>
                  <EnvironmentMark environment={route.environment} />
                </span>
                {route.payerName !== undefined && (
                  <span className="text-sm text-ink-faint">
                    <PlainText>{route.payerId}</PlainText>
                  </span>
                )}
              </Cell>
              <Cell label="By">{connectorText(route.connector)}</Cell>
              <Cell label="Address" className="wrap-anywhere">
                {route.url === undefined ? "–" : <PlainText>{route.url}</PlainText>}
              </Cell>
              <Cell label="Line of business">{lineText(route.lineOfBusiness)}</Cell>
              <Cell label="Credential">{route.hasCredential ? "kept sealed" : "none"}</Cell>
              <Cell label="The payer">
                {hearingOf(route).deaf ? <strong>{hearingOf(route).text}</strong> : hearingOf(route).text}
              </Cell>
              <Cell label="Version">{route.version}</Cell>
              <Cell label="Since">
                <Time at={route.createdAt} as="day" />
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      <p className="mt-3 text-ink-soft">
        {list.length > 0 ? "Any other payer" : "Every payer"} is reached by hand, in the {environment} environment.{" "}
        <code className="font-mono text-sm">npm run pa -- route set</code> puts a route in force.
      </p>
    </>
  );
}
