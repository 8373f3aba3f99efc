import { redirect } from "next/navigation";
import { BackLink } from "#components/shell/back-link";
import { ButtonLink } from "#components/form/button";
import { DemoMark } from "#components/list/badge";
import { Notice } from "#components/shell/notice";
import { PageHeader } from "#components/shell/page-header";
import { PlainText } from "#components/text/plain-text";
import { Section } from "#components/list/section";
import { Shell } from "#components/shell/shell";
import { VersionList } from "#components/list/version-list";
import { beforeOf } from "#components/list/before-of";
import { connectionText, payerDoneText } from "#lib/messages/admin/payers";
import {
  showPayer,
  showPayerVersions,
  type ListedPayer,
  type PayerConnection,
} from "#lib/practice/directory/show-directory";
import { isDemoPayer } from "#lib/practice/model/demo-payers";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { newRoutePath, payerPath, payersPath, routePath } from "../paths.ts";
import { PayerForm } from "../payers/payer-form.tsx";
import { RemoveForm } from "./remove-form.tsx";
import { RuleForm } from "./rule-form.tsx";

type Props = {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<Readonly<Record<"payer" | "done" | "before", string | string[] | undefined>>>;
};

export default async function PayerPage({ params, searchParams }: Props) {
  const { id } = await params;
  const parameters = await searchParams;
  const payerId = typeof parameters.payer === "string" ? parameters.payer : "";
  const person = await requirePerson(payerPath(id, payerId));
  const ctx = contextOf(person);
  const [found, versions] = [
    await showPayer(ctx, { practiceId: id, payerId }),
    await showPayerVersions(ctx, { practiceId: id, payerId, before: beforeOf(parameters) }),
  ];
  if (!found.ok || !versions.ok) redirect("/not-found");
  const { payer, connections } = found.value;
  const { list, more } = versions.value;
  const own = connections.find((connection) => connection.payerId === payerId);
  const done = payerDoneText(parameters.done);
  return (
    <Shell person={person} current="practices" title="Payer">
      <BackLink href={payersPath(id)}>Payer directory</BackLink>
      <Header practiceId={id} payer={payer} own={own} />
      {done !== undefined && (
        <Notice tone="good" role="status" className="mb-5">
          {done}
        </Notice>
      )}
      <div className="max-w-4xl">
        <Section title="Connection rules" anchor="rules" aside="the first rule that fits a request decides">
          <RuleForm practiceId={id} payer={payer} connections={connections} />
        </Section>
        <Section title="Details" anchor="details" folds>
          <PayerForm practiceId={id} payer={payer} />
        </Section>
        <Section title="Remove" anchor="remove" folds>
          <RemoveForm practiceId={id} payer={payer} />
        </Section>
        <Section title="Change history" anchor="versions" folds>
          <VersionList
            heading="h3"
            list={list}
            older={more === undefined ? undefined : `${payerPath(id, payerId)}&before=${more}#versions`}
          />
        </Section>
      </div>
    </Shell>
  );
}

type Of = {
  readonly practiceId: string;
  readonly payer: ListedPayer;
  /** The payer's own connection. */
  readonly own: PayerConnection | undefined;
};

function Header({ practiceId, payer: { payerId, name, connector }, own }: Of) {
  return (
    <PageHeader
      title={<PlainText>{name}</PlainText>}
      lead={
        <span className="flex flex-wrap items-center gap-x-3">
          <code className="font-mono text-sm">
            <PlainText>{payerId}</PlainText>
          </code>
          <span>{connectionText(own?.connector, connector)}</span>
          {isDemoPayer(payerId) && <DemoMark />}
        </span>
      }
      actions={
        own ? (
          <ButtonLink href={routePath(practiceId, payerId)}>Payer connection</ButtonLink>
        ) : (
          <ButtonLink href={newRoutePath(practiceId, payerId)}>Connect</ButtonLink>
        )
      }
    />
  );
}
