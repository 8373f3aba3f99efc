import type { Context } from "#lib/access/context";
import { isAdmin } from "#lib/access/model/actor";
import { ok, type Result } from "#lib/platform/result";
import { listChannelRecords, type ChannelRecord, type KeyRecord } from "#lib/channel/store/admin-channels";
import { findAdministered, isAdministered } from "./administered-channel.ts";
import { denied } from "#lib/access/denied";
import type { AdminRefusal } from "#lib/access/refusal";

export type { ChannelRecord, KeyRecord };

/** Every channel they may change, by name, with its keys; never a key's text or hash. */
export async function listChannels({ actor, store }: Context): Promise<Result<readonly ChannelRecord[], AdminRefusal>> {
  if (!isAdmin(actor)) return denied({ actor, store }, "channels");
  const list = await listChannelRecords(store);
  return ok(list.filter((channel) => isAdministered(actor, channel)));
}

export async function showChannel(
  { actor, store }: Context,
  { channelId }: { channelId: string },
): Promise<Result<ChannelRecord, AdminRefusal>> {
  if (!isAdmin(actor)) return denied({ actor, store }, "channels");
  return findAdministered(store, actor, channelId);
}
