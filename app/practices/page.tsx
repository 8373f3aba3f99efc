import Link from "next/link";
import { redirect } from "next/navigation";
import { ButtonLink } from "#components/form/button";
import { EnvironmentMark } from "#components/list/badge";
import { Empty } from "#components/list/empty";
import { StatusBadge } from "#components/list/status-badge";
import { Cell, Row, Table } from "#components/list/table";
import { PageHeader } from "#components/shell/page-header";
import { Shell } from "#components/shell/shell";
import { PlainText } from "#components/text/plain-text";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { connectionsNeedingAttention } from "#lib/practice/connection-attention";
import { listPractices, listRoutes, type PracticeRecord } from "#lib/practice/list-practices";

/** The practices that the reader administers. */
export default async function PracticesPage() {
  const person = await requirePerson("/practices");
  const ctx = contextOf(person);
  // One after the other: a person without access gets one denial in the audit log, not two.
  const practices = await listPractices(ctx);
  if (!practices.ok) redirect("/not-found");
  const [routes, attention] = [await listRoutes(ctx, {}), await connectionsNeedingAttention(ctx)];
  if (!routes.ok || !attention.ok) redirect("/not-found");
  const needing = new Map(attention.value.map(({ practiceId, count }) => [practiceId, count]));
  const connections = Map.groupBy(routes.value, ({ practiceId }) => practiceId);
  const add = person.administers === "every" && (
    <ButtonLink href="/practices/new" tone="primary">
      New practice
    </ButtonLink>
  );
  return (
    <Shell person={person} current="practices" title="Practices">
      <PageHeader
        title="Practices"
        lead="Every case belongs to one practice, and so do its reviewers and payer connections."
        actions={
          <>
            <ButtonLink href="/import">Import</ButtonLink>
            {add}
          </>
        }
      />
      {practices.value.length > 0 ? (
        <PracticeTable
          list={practices.value}
          count={(id) => connections.get(id)?.length ?? 0}
          needing={(id) => needing.get(id) ?? 0}
        />
      ) : (
        <Empty title="No practices yet">
          <p>Create the first one, or import several from a file.</p>
        </Empty>
      )}
    </Shell>
  );
}

type TableProps = {
  readonly list: readonly PracticeRecord[];
  /** How many payer connections a practice has. */
  readonly count: (practiceId: string) => number;
  /** How many of them need attention. */
  readonly needing: (practiceId: string) => number;
};

function PracticeTable({ list, count, needing }: TableProps) {
  return (
    <Table
      caption="Practices by name"
      columns={[
        ...["Practice", "Practice ID", "Status", "Environment"],
        { name: "Payer connections", align: "end" },
        { name: "Need attention", align: "end" },
      ]}
    >
      {list.map(({ id, name, status, environment }) => (
        <Row key={id} className="relative hover:bg-hover has-focus-visible:bg-hover">
          <Cell>
            <Link
              href={`/practices/${encodeURIComponent(id)}`}
              prefetch={false}
              className="font-semibold row-link hover:underline"
            >
              <PlainText>{name}</PlainText>
            </Link>
          </Cell>
          <Cell label="Practice ID">
            <code className="font-mono text-sm">{id}</code>
          </Cell>
          <Cell label="Status">
            <StatusBadge status={status} />
          </Cell>
          <Cell label="Environment">
            <EnvironmentMark environment={environment} />
          </Cell>
          <Cell label="Payer connections" align="end">
            {count(id)}
          </Cell>
          <Cell label="Need attention" align="end">
            {needing(id) > 0 ? (
              <Link
                href={`/practices/${encodeURIComponent(id)}/connections`}
                prefetch={false}
                className="relative font-semibold text-warn underline"
              >
                {needing(id)}
                <span className="sr-only"> payer connections of {name}</span>
              </Link>
            ) : (
              <span className="text-ink-faint">None</span>
            )}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
