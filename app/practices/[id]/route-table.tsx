import Link from "next/link";
import { EnvironmentMark } from "#components/list/badge";
import { ButtonLink } from "#components/form/button";
import { PlainText } from "#components/text/plain-text";
import { Cell, Row, Table } from "#components/list/table";
import {
  missesRequests,
  notificationStatus,
  type PracticeRecord,
  type RouteRecord,
} from "#lib/practice/list-practices";
import { lineText, notificationText } from "#lib/messages/admin/practice";
import { connectorText } from "#lib/messages/connector-text";
import { practicePath, routePath } from "./paths.ts";

type Props = { readonly list: readonly RouteRecord[] } & Pick<PracticeRecord, "id" | "environment">;

/** The routes in force; each leads to its own page. */
export function RouteTable({ list, id, environment }: Props) {
  return (
    <>
      {list.length > 0 && (
        <Table
          caption="Routes in force, by payer"
          columns={[
            { name: "Payer", width: "md:w-52" },
            { name: "Connection", width: "md:w-44" },
            { name: "Line of business", width: "md:w-36" },
            { name: "The payer" },
            { name: "Version", width: "md:w-16", align: "end" },
          ]}
        >
          {list.map((route) => (
            <Row key={route.payerId} className="relative hover:bg-hover has-focus-visible:bg-hover">
              <Cell>
                <Link
                  href={routePath(id, route.payerId)}
                  prefetch={false}
                  className="font-semibold after:absolute after:inset-0 hover:underline"
                >
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
              <Cell label="The payer">
                <Notifications of={route} />
              </Cell>
              <Cell label="Version" className="text-end tabular-nums narrow:text-start">
                {route.version}
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
        <p className="text-ink-soft">
          {list.length > 0 ? "Any other payer" : "Every payer"} uses manual submission, in the {environment}{" "}
          environment.
        </p>
        <ButtonLink href={`${practicePath(id)}/new-route`}>New route</ButtonLink>
      </div>
    </>
  );
}

/** In bold where requests for more information may go unnoticed. */
function Notifications({ of }: { readonly of: RouteRecord }) {
  const status = notificationStatus(of);
  const text = notificationText(status);
  return missesRequests(status) ? <strong>{text}</strong> : text;
}
