import { redirect } from "next/navigation";
import { BackLink } from "#components/shell/back-link";
import { PageHeader } from "#components/shell/page-header";
import { PlainText } from "#components/text/plain-text";
import { Shell } from "#components/shell/shell";
import { showVersions } from "#lib/practice/show-route";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { beforeOf } from "#components/list/before-of";
import { practicePath } from "../paths.ts";
import { VersionList } from "#components/list/version-list";

type Props = {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<{ readonly before?: string | string[] }>;
};

export default async function VersionsPage({ params, searchParams }: Props) {
  const { id } = await params;
  const person = await requirePerson(`${practicePath(id)}/versions`);
  const found = await showVersions(contextOf(person), { practiceId: id, before: beforeOf(await searchParams) });
  if (!found.ok) redirect("/not-found");
  const { practice, list, more } = found.value;
  return (
    <Shell person={person} current="practices" title="Versions of a practice">
      <BackLink href={practicePath(id)}>
        <PlainText>{practice.name}</PlainText>
      </BackLink>
      <PageHeader title="Versions" lead="Every change of the practice's settings, providers, targets and rules." />
      <div className="max-w-3xl">
        <VersionList heading="h2" list={list} older={more === undefined ? undefined : `?before=${more}`} />
      </div>
    </Shell>
  );
}
