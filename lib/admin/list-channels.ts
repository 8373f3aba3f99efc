import type { Context } from "#lib/context";
import { isAdmin } from "#lib/domain/actor";
import { ok, refuse, type Result } from "#lib/domain/result";
import { findChannel, listChannelRecords, type ChannelRecord, type KeyRecord } from "#lib/store/admin-channels";
import { denied } from "./denied.ts";
import type { AdminRefusal } from "./refusal.ts";

export type { ChannelRecord, KeyRecord };

/** Every channel, by name, with its keys; never a key's text or hash. */
export async function listChannels({ actor, store }: Context): Promise<Result<readonly ChannelRecord[], AdminRefusal>> {
  return isAdmin(actor) ? ok(await listChannelRecords(store)) : denied({ actor, store }, "channels");
}

export async function showChannel(
  { actor, store }: Context,
  { channelId }: { channelId: string },
): Promise<Result<ChannelRecord, AdminRefusal>> {
  if (!isAdmin(actor)) return denied({ actor, store }, "channels");
  const channel = await findChannel(store, channelId);
  return channel ? ok(channel) : refuse({ type: "not-found", what: "channel" });
}
