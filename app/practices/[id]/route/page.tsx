import { redirect } from "next/navigation";
import { ButtonLink } from "#components/form/button";
import { BackLink } from "#components/shell/back-link";
import { EnvironmentMark } from "#components/list/badge";
import { Facts } from "#components/list/facts";
import { Notice } from "#components/shell/notice";
import { PageHeader } from "#components/shell/page-header";
import { PlainText } from "#components/text/plain-text";
import { Section } from "#components/list/section";
import { Shell } from "#components/shell/shell";
import { Time } from "#components/text/time";
import { missesRequests, notificationStatus, type RouteRecord } from "#lib/practice/list-practices";
import { showRoute, showVersions } from "#lib/practice/show-route";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { connectorText } from "#lib/messages/connector-text";
import { requiredText } from "#lib/messages/labels/required-fields";
import { beforeOf } from "#components/list/before-of";
import { lineText, notificationText, practiceDoneText } from "#lib/messages/admin/practice";
import { newRoutePath, practicePath, routePath } from "../paths.ts";
import { LineOfBusinessForm } from "../line-form.tsx";
import { TestSection } from "../test-section.tsx";
import { VersionList } from "#components/list/version-list";

type Props = {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<Readonly<Record<"payer" | "done" | "before", string | string[] | undefined>>>;
};

export default async function RoutePage({ params, searchParams }: Props) {
  const { id } = await params;
  const search = await searchParams;
  const payerId = typeof search.payer === "string" ? search.payer : "";
  const person = await requirePerson(routePath(id, payerId));
  const ctx = contextOf(person);
  const [found, versions] = [
    await showRoute(ctx, { practiceId: id, payerId }),
    await showVersions(ctx, { practiceId: id, payerId, before: beforeOf(search) }),
  ];
  if (!found.ok || !versions.ok) redirect("/not-found");
  const { practice, route, test } = found.value;
  const { list, more } = versions.value;
  const done = practiceDoneText(search.done);
  return (
    <Shell person={person} current="practices" title="Payer connection">
      <BackLink href={practicePath(id, "connections")}>
        <PlainText>{practice.name}</PlainText>
      </BackLink>
      <PageHeader
        title={<PlainText>{route.payerName ?? route.payerId}</PlainText>}
        badge={<EnvironmentMark environment={route.environment} />}
        lead={`Payer connection, version ${route.version}`}
        actions={
          <ButtonLink href={newRoutePath(id, payerId)} tone="primary">
            Change connection
          </ButtonLink>
        }
      />
      {done !== undefined && (
        <Notice tone="good" role="status" className="mb-5">
          {done}
        </Notice>
      )}
      <div className="max-w-3xl">
        <Section title="Settings">
          <RouteFacts route={route} />
        </Section>
        <TestSection route={route} test={test} />
        <Section title="Line of business" aside="saved without a new version">
          <LineOfBusinessForm route={route} />
        </Section>
        <Section title="Versions" anchor="versions">
          <VersionList
            heading="h3"
            list={list}
            older={more === undefined ? undefined : `${routePath(id, payerId)}&before=${more}#versions`}
          />
        </Section>
      </div>
    </Shell>
  );
}

function RouteFacts({ route }: { readonly route: RouteRecord }) {
  const { payerId, connector, url, lineOfBusiness, requiredFields, hasCredential, createdAt } = route;
  const status = notificationStatus(route);
  const notifications = notificationText(status);
  return (
    <Facts
      list={[
        {
          name: "Payer ID",
          value: (
            <code className="font-mono text-sm">
              <PlainText>{payerId}</PlainText>
            </code>
          ),
        },
        { name: "Connection type", value: connectorText(connector) },
        url === undefined ? undefined : { name: "Address", value: <PlainText>{url}</PlainText> },
        { name: "Line of business", value: lineText(lineOfBusiness) },
        requiredFields.length === 0
          ? undefined
          : { name: "Requires", value: new Intl.ListFormat("en").format(requiredFields.map(requiredText)) },
        { name: "Credential", value: hasCredential ? "Stored encrypted" : "None" },
        { name: "Decision updates", value: missesRequests(status) ? <strong>{notifications}</strong> : notifications },
        { name: "Since", value: <Time at={createdAt} as="full" /> },
      ]}
    />
  );
}
