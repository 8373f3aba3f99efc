import type { ChannelRecord } from "#lib/channel/store/admin-channels";

/** Whether the channel has a live key, or a client with live public keys. */
export function hasLiveCredential({ keys, client }: Pick<ChannelRecord, "keys" | "client">): boolean {
  return client?.live === true || keys.some(({ live }) => live);
}
