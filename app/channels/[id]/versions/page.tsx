import { redirect } from "next/navigation";
import { BackLink } from "#components/back-link";
import { beforeOf } from "#components/before-of";
import { PageHeader } from "#components/page-header";
import { PlainText } from "#components/plain-text";
import { Shell } from "#components/shell";
import { VersionList } from "#components/version-list";
import { atomWords } from "#lib/admin/atom-words";
import { showChannelVersions } from "#lib/admin/show-channel-versions";
import { contextOf, requirePerson } from "#lib/auth/person";

type Props = {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<{ readonly before?: string | string[] }>;
};

const atomNames = Object.entries(atomWords).map(([atom, { text }]) => [atom, text] as const);

export default async function ChannelVersionsPage({ params, searchParams }: Props) {
  const { id } = await params;
  const path = `/channels/${encodeURIComponent(id)}`;
  const person = await requirePerson(`${path}/versions`);
  const found = await showChannelVersions(contextOf(person), { channelId: id, before: beforeOf(await searchParams) });
  if (!found.ok) redirect("/not-found");
  const { channel, list, more, names } = found.value;
  return (
    <Shell person={person} current="channels" title="Versions of a channel">
      <BackLink href={path}>
        <PlainText>{channel.name}</PlainText>
      </BackLink>
      <PageHeader
        title="Versions"
        lead="Every change of what the channel reaches, may do and how much it may call. Its keys are on its own page."
      />
      <div className="max-w-3xl">
        <VersionList
          heading="h2"
          list={list}
          older={more === undefined ? undefined : `?before=${more}`}
          names={new Map([...atomNames, ...names])}
        />
      </div>
    </Shell>
  );
}
