import type { Store, Tx } from "#lib/db/db";
import { now, nowMs } from "#lib/platform/now";
import { openText, sealText } from "#lib/db/sealed";

/** Sealed under the service's own key, bound to its channel. */
const rowOf = (channelId: string) => ({ row: channelId, practiceId: `channel:${channelId}` });

/** For how long the secret before the last rotation also signs. */
const earlierSecretHours = 24;

/** The hosts that a channel may name; undefined where nothing is delivered for it. */
export function loadWebhookHosts({ prisma }: Store, channelId: string): Promise<readonly string[] | undefined> {
  return findWebhookHosts(prisma, channelId);
}

/** The same in a transaction. */
export async function findWebhookHosts(tx: Tx, channelId: string): Promise<readonly string[] | undefined> {
  const row = await tx.channelWebhook.findUnique({ where: { channelId }, select: { hosts: true } });
  return row?.hosts;
}

/** Where a channel's changes may be delivered now, and what signs them. */
export type WebhookTerms = {
  readonly hosts: readonly string[];
  /** The current one first. */
  readonly secrets: readonly string[];
};

/** Undefined where nothing is delivered for the channel. */
export async function loadWebhookTerms(store: Store, channelId: string): Promise<WebhookTerms | undefined> {
  const row = await store.prisma.channelWebhook.findUnique({ where: { channelId } });
  if (!row) return undefined;
  await store.keys.ready([]);
  const { hosts, secret, earlierSecret, earlierUntil } = row;
  const current = openText(store, "channel_webhook.secret", rowOf(channelId), secret);
  if (!earlierSecret || !earlierUntil || earlierUntil < now()) return { hosts, secrets: [current] };
  const earlier = openText(store, "channel_webhook.earlier_secret", rowOf(channelId), earlierSecret);
  return { hosts, secrets: [current, earlier] };
}

/** Sets the hosts; `secret` where there was no row. */
export async function saveWebhookHosts(
  tx: Tx,
  { channelId, hosts, secret }: { channelId: string; hosts: readonly string[]; secret: string | undefined },
): Promise<void> {
  const data = { hosts: [...hosts] };
  if (secret === undefined) await tx.channelWebhook.update({ where: { channelId }, data });
  else
    await tx.channelWebhook.create({
      data: { channelId, ...data, secret: sealText(tx, "channel_webhook.secret", rowOf(channelId), secret) },
    });
}

export async function removeWebhooks(tx: Tx, channelId: string): Promise<void> {
  await tx.channelWebhook.delete({ where: { channelId } });
}

/** Puts a new secret in place of the current one, which still signs for a while. */
export async function replaceWebhookSecret(
  tx: Tx,
  { channelId, secret }: { channelId: string; secret: string },
): Promise<void> {
  const row = await tx.channelWebhook.findUniqueOrThrow({ where: { channelId } });
  const current = openText(tx, "channel_webhook.secret", rowOf(channelId), row.secret);
  await tx.channelWebhook.update({
    where: { channelId },
    data: {
      secret: sealText(tx, "channel_webhook.secret", rowOf(channelId), secret),
      earlierSecret: sealText(tx, "channel_webhook.earlier_secret", rowOf(channelId), current),
      earlierUntil: new Date(nowMs() + earlierSecretHours * 3_600_000),
    },
  });
}
