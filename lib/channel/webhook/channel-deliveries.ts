import type { Context } from "#lib/access/context";
import { deny } from "#lib/access/deny";
import { administers, isAdmin } from "#lib/access/model/actor";
import type { AdminRefusal } from "#lib/access/refusal";
import { administerChannel } from "#lib/channel/administer-channel";
import { findAdministeredChannel } from "#lib/channel/administered-channel";
import { forPractices } from "#lib/db/for-practices";
import { ok, refuse, type Result } from "#lib/platform/result";
import { isUuid } from "#lib/platform/uuid";
import type { DeliveryRecord } from "./model/delivery.ts";
import { loadWebhookHosts } from "./store/channel-webhooks.ts";
import { listChannelDeliveries, resend } from "./store/deliveries.ts";

const deliveriesShown = 25;

export type WebhookLog = {
  /** Undefined where nothing is delivered for the channel. */
  readonly hosts: readonly string[] | undefined;
  /** The latest first. */
  readonly deliveries: readonly DeliveryRecord[];
};

/**
 * Where a channel's agent may have changes delivered, and its last deliveries: of cases in the practices that the actor
 * administers, since the channel may have reached others before.
 */
export async function showChannelWebhooks(
  { actor, store }: Context,
  { channelId }: { readonly channelId: string },
): Promise<Result<WebhookLog, AdminRefusal>> {
  if (!isAdmin(actor)) return deny({ actor, store }, "channels");
  const channel = await findAdministeredChannel(store, actor, channelId);
  if (!channel.ok) return channel;
  const reach = administers(actor);
  const theirs = reach === "every" ? store : forPractices(store, reach);
  const [hosts, deliveries] = [
    await loadWebhookHosts(store, channelId),
    await listChannelDeliveries(theirs, { channelId, most: deliveriesShown }),
  ];
  return ok({ hosts, deliveries });
}

/** Delivers a change once more under its id, from the first try on. `not-found` where it is being tried anyway. */
export async function resendDelivery(
  ctx: Context,
  { channelId, deliveryId }: { readonly channelId: string; readonly deliveryId: string },
): Promise<Result<undefined, AdminRefusal>> {
  return administerChannel(ctx, channelId, async (tx, channel) => {
    const delivery = { deliveryId, channelId: channel.id, practices: administers(ctx.actor) };
    const isThere = isUuid(deliveryId) && (await resend(tx, delivery));
    if (!isThere) return refuse({ type: "not-found", what: "delivery" });
    return ok({ value: undefined, entries: [{ act: "channel.webhook-resent", detail: { delivery: deliveryId } }] });
  });
}
