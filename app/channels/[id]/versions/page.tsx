import { redirect } from "next/navigation";
import { BackLink } from "#components/shell/back-link";
import { beforeOf } from "#components/list/before-of";
import { PageHeader } from "#components/shell/page-header";
import { PlainText } from "#components/text/plain-text";
import { Shell } from "#components/shell/shell";
import { VersionList } from "#components/list/version-list";
import { permissionLabels } from "#lib/messages/admin/channel";
import { showChannelVersions } from "#lib/channel/show-channel-versions";
import { contextOf, requirePerson } from "#lib/person/session/person";

type Props = {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<{ readonly before?: string | string[] }>;
};

const atomNames = Object.entries(permissionLabels).map(([atom, { text }]) => [atom, text] as const);

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
