import { redirect } from "next/navigation";
import { listPeople } from "#lib/person/list-people";
import { showChannelCalls } from "#lib/channel/channel-calls";
import { keyWarnings } from "#lib/channel/key-warnings";
import { env } from "#lib/platform/env";
import { now } from "#lib/platform/now";
import { keyWarningText } from "#lib/messages/admin/channel";
import { listPractices } from "#lib/practice/list-practices";
import { About } from "./about.tsx";
import { CallsPanel } from "./calls-panel.tsx";
import { ChannelFrame, openChannel } from "./channel-frame.tsx";
import { channelPath } from "./paths.ts";
import { Attention } from "#components/admin/attention";
import { SetupList } from "#components/admin/setup-list";
import { setupOf } from "./setup.ts";

type Props = {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<{ readonly done?: string | string[] }>;
};

/** Whether the agent works: what needs attention, what is still to be set up, and how it called lately. */
export default async function ChannelPage({ params, searchParams }: Props) {
  const { id } = await params;
  const opened = await openChannel(id, "overview");
  const { ctx, channel } = opened;
  const [calls, practices] = [await showChannelCalls(ctx, { channelId: channel.id }), await listPractices(ctx)];
  const people = await listPeople(ctx);
  if (!calls.ok || !practices.ok || !people.ok) redirect("/not-found");
  const warnings = keyWarnings(channel, { practices: practices.value.length, now: now() }).map((warning) => {
    const { text, act, tab } = keyWarningText(warning, { ownersFrom: env().CHANNEL_OWNERS_FROM });
    return { text, act, href: tab === "overview" ? "#about" : channelPath(channel.id, tab) };
  });
  return (
    <ChannelFrame opened={opened} tab="overview" done={(await searchParams).done}>
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid gap-6">
          <Attention list={warnings} />
          <SetupList list={setupOf(channel)} />
          <CallsPanel channelId={channel.id} hours={calls.value.hours} />
        </div>
        <About channel={channel} people={people.value.filter(({ status }) => status === "active")} />
      </div>
    </ChannelFrame>
  );
}
