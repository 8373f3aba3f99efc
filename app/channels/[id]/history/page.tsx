import { redirect } from "next/navigation";
import { ButtonLink } from "#components/form/button";
import { beforeOf } from "#components/list/before-of";
import { VersionList } from "#components/list/version-list";
import { showChannelVersions } from "#lib/channel/show-channel-versions";
import { permissionLabels } from "#lib/messages/admin/channel";
import { ChannelFrame, openChannel } from "../channel-frame.tsx";

type Props = {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<{ readonly before?: string | string[] }>;
};

const atomNames = Object.entries(permissionLabels).map(([atom, { text }]) => [atom, text] as const);

/** Every change of the channel but those of its keys, which the audit log has too. */
export default async function ChannelHistoryPage({ params, searchParams }: Props) {
  const { id } = await params;
  const opened = await openChannel(id, "history");
  const { ctx, channel } = opened;
  const found = await showChannelVersions(ctx, { channelId: channel.id, before: beforeOf(await searchParams) });
  if (!found.ok) redirect("/not-found");
  const { list, more, names } = found.value;
  return (
    <ChannelFrame opened={opened} tab="history">
      <div className="mb-4">
        <ButtonLink href={`/audit?channel=${channel.id}`}>View in audit log</ButtonLink>
      </div>
      <div className="max-w-4xl">
        <VersionList
          heading="h2"
          list={list}
          older={more === undefined ? undefined : `?before=${more}`}
          names={new Map([...atomNames, ...names])}
        />
      </div>
    </ChannelFrame>
  );
}
