import Link from "next/link";
import { ButtonLink } from "#components/form/button";
import { Badge, EnvironmentMark } from "#components/list/badge";
import { Empty } from "#components/list/empty";
import { Panel } from "#components/list/panel";
import { Cell, Row, Table } from "#components/list/table";
import { PlainText } from "#components/text/plain-text";
import { Ago } from "#components/text/time";
import { lineText, notificationText } from "#lib/messages/admin/practice";
import { connectorText } from "#lib/messages/connector-text";
import { missesRequests, notificationStatus, type RouteRecord, type ShownPractice } from "#lib/practice/list-practices";
import { newRoutePath, routePath } from "../paths.ts";

type Of = { readonly practice: ShownPractice };

/** The active payer connections; each leads to its own page. */
export function ConnectionTable({ practice }: Of) {
  const add = (
    <ButtonLink href={newRoutePath(practice.id)} tone="primary">
      Add payer connection
    </ButtonLink>
  );
  if (practice.routes.length === 0) {
    return (
      <Empty title="No payer connections yet">
        <p className="mb-3">
          Requests to every payer are submitted manually, in the {practice.environment} environment. Add a payer
          connection to submit electronically.
        </p>
        {add}
      </Empty>
    );
  }
  return (
    <div className="grid gap-3">
      <Panel title="Payer connections" aside={practice.routes.length} flush actions={add}>
        <Table
          caption="Payer connections by payer"
          columns={[
            { name: "Payer", width: "md:w-56" },
            "Connection",
            { name: "Line of business", width: "md:w-40" },
            { name: "Decision updates", width: "md:w-52" },
            { name: "Last test", width: "md:w-40" },
          ]}
        >
          {practice.routes.map((route) => (
            <ConnectionRow key={route.payerId} practice={practice} route={route} />
          ))}
        </Table>
      </Panel>
      <p className="text-sm text-ink-soft">
        Requests to any other payer are submitted manually, in the {practice.environment} environment.
      </p>
    </div>
  );
}

function ConnectionRow({ practice: { id, tests }, route }: Of & { readonly route: RouteRecord }) {
  const status = notificationStatus(route);
  const test = tests.get(route.routeId);
  return (
    <Row className="relative hover:bg-hover has-focus-visible:bg-hover">
      <Cell>
        <Link href={routePath(id, route.payerId)} prefetch={false} className="font-semibold row-link hover:underline">
          <PlainText>{route.payerName ?? route.payerId}</PlainText>
        </Link>
        <span className="flex flex-wrap items-center gap-x-2 text-sm text-ink-faint">
          {route.payerName !== undefined && <PlainText>{route.payerId}</PlainText>}
          <EnvironmentMark environment={route.environment} />
        </span>
      </Cell>
      <Cell label="Connection" className="wrap-anywhere">
        {connectorText(route.connector)}
        {route.url !== undefined && (
          <span className="block text-sm text-ink-faint">
            <PlainText>{route.url}</PlainText>
          </span>
        )}
      </Cell>
      <Cell label="Line of business">{lineText(route.lineOfBusiness)}</Cell>
      <Cell label="Decision updates">
        <span className={missesRequests(status) ? "text-warn" : undefined}>{notificationText(status)}</span>
      </Cell>
      <Cell label="Last test">
        {test ? (
          <>
            <Badge tone={test.ok ? "good" : "bad"}>{test.ok ? "Passed" : "Failed"}</Badge>{" "}
            <span className="block text-sm text-ink-faint">
              <Ago at={test.at} />
            </span>
          </>
        ) : (
          <span className="text-ink-faint">{route.connector === "manual" ? "Nothing to test" : "Not tested"}</span>
        )}
      </Cell>
    </Row>
  );
}
