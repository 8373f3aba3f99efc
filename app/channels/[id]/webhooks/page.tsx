import { redirect } from "next/navigation";
import { showChannelWebhooks } from "#lib/channel/webhook/channel-deliveries";
import { ChannelFrame, openChannel } from "../channel-frame.tsx";
import { Deliveries } from "./deliveries.tsx";
import { WebhookHosts } from "./webhook-hosts.tsx";

type Props = {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<{ readonly done?: string | string[] }>;
};

/** Where the channel's agent may have changes of its tasks delivered, and what became of the last deliveries. */
export default async function ChannelWebhooksPage({ params, searchParams }: Props) {
  const { id } = await params;
  const opened = await openChannel(id, "webhooks");
  const log = await showChannelWebhooks(opened.ctx, { channelId: opened.channel.id });
  if (!log.ok) redirect("/not-found");
  const { hosts, deliveries } = log.value;
  return (
    <ChannelFrame opened={opened} tab="webhooks" done={(await searchParams).done}>
      <div className="grid max-w-5xl gap-6">
        <WebhookHosts channelId={opened.channel.id} hosts={hosts} />
        {(hosts !== undefined || deliveries.length > 0) && (
          <Deliveries channelId={opened.channel.id} list={deliveries} />
        )}
      </div>
    </ChannelFrame>
  );
}
