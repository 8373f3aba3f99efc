import Link from "next/link";
import { redirect } from "next/navigation";
import { ActForm, ActText } from "#components/form/act-form";
import { ButtonLink } from "#components/form/button";
import { EnvironmentMark } from "#components/list/badge";
import { Empty } from "#components/list/empty";
import { PageHeader } from "#components/shell/page-header";
import { PlainText } from "#components/text/plain-text";
import { Section } from "#components/list/section";
import { Shell } from "#components/shell/shell";
import { StatusBadge } from "#components/list/status-badge";
import { SubmitButton } from "#components/form/submit-button";
import { Cell, Row, Table } from "#components/list/table";
import { EnvironmentField } from "#components/form/environment-field";
import { listPractices, type PracticeRecord } from "#lib/practice/list-practices";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { makePractice } from "./actions.ts";

export default async function PracticesPage() {
  const person = await requirePerson("/practices");
  const practices = await listPractices(contextOf(person));
  if (!practices.ok) redirect("/not-found");
  return (
    <Shell person={person} current="practices" title="Practices">
      <PageHeader
        title="Practices"
        lead="Every case belongs to one practice, and so do its reviewers and its routes to payers."
        actions={<ButtonLink href="/import">Import</ButtonLink>}
      />
      {practices.value.length > 0 ? (
        <PracticeTable list={practices.value} />
      ) : (
        <Empty title="No practice yet">
          <p>Make the first one below.</p>
        </Empty>
      )}
      {person.administers === "every" && (
        <div className="mt-8 max-w-md">
          <Section title="New practice">
            <NewPractice />
          </Section>
        </div>
      )}
    </Shell>
  );
}

function PracticeTable({ list }: { readonly list: readonly PracticeRecord[] }) {
  return (
    <Table
      caption="Practices by name"
      columns={["Practice", "Id", "State", "Unrouted payers", "Undo window", "Releases expire"]}
    >
      {list.map(({ id, name, status, environment, recallWindowS, gateExpiryDays }) => (
        <Row key={id} className="relative hover:bg-hover has-focus-visible:bg-hover">
          <Cell>
            <Link
              href={`/practices/${encodeURIComponent(id)}`}
              prefetch={false}
              className="font-semibold after:absolute after:inset-0 hover:underline"
            >
              <PlainText>{name}</PlainText>
            </Link>
          </Cell>
          <Cell label="Id">
            <code className="font-mono text-sm">{id}</code>
          </Cell>
          <Cell label="State">
            <StatusBadge status={status} />
          </Cell>
          <Cell label="Unrouted payers">
            <EnvironmentMark environment={environment} />
          </Cell>
          <Cell label="Undo window">{recallWindowS} s</Cell>
          <Cell label="Releases expire">after {gateExpiryDays} d</Cell>
        </Row>
      ))}
    </Table>
  );
}

function NewPractice() {
  return (
    <ActForm act={makePractice}>
      <ActText label="Name" name="name" required maxLength={100} autoComplete="off" />
      <ActText
        label="Id"
        name="id"
        required
        maxLength={64}
        autoComplete="off"
        spellCheck={false}
        className="font-mono"
        hint="Agents name the practice by it. Letters, digits, dots, hyphens and underscores; it never changes."
      />
      <EnvironmentField defaultValue="test" />
      <div>
        <SubmitButton tone="primary">Make practice</SubmitButton>
      </div>
    </ActForm>
  );
}
