import type { Context } from "#lib/access/context";
import { isAdmin } from "#lib/access/model/actor";
import { ok, type Result } from "#lib/platform/result";
import { listChannelRecords, type ChannelRecord, type KeyRecord } from "#lib/channel/store/admin-channels";
import { findAdministeredChannel, administersChannel } from "./administered-channel.ts";
import { deny } from "#lib/access/deny";
import type { AdminRefusal } from "#lib/access/refusal";

export type { ChannelRecord, KeyRecord };

/** When the channel last called, with any of its credentials, also of those that are over. */
export function lastCallOf({ keys, client }: Pick<ChannelRecord, "keys" | "client">): Date | undefined {
  const used = [...keys, ...(client ? [client] : [])].flatMap(({ lastUsedAt }) => lastUsedAt?.getTime() ?? []);
  return used.length === 0 ? undefined : new Date(Math.max(...used));
}

/** Every channel that the actor administers, by name, with its keys; never a key's text or hash. */
export async function listChannels({ actor, store }: Context): Promise<Result<readonly ChannelRecord[], AdminRefusal>> {
  if (!isAdmin(actor)) return deny({ actor, store }, "channels");
  const list = await listChannelRecords(store);
  return ok(list.filter((channel) => administersChannel(actor, channel)));
}

export async function showChannel(
  { actor, store }: Context,
  { channelId }: { channelId: string },
): Promise<Result<ChannelRecord, AdminRefusal>> {
  if (!isAdmin(actor)) return deny({ actor, store }, "channels");
  return findAdministeredChannel(store, actor, channelId);
}
