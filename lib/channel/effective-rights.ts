import type { Atom } from "#lib/access/model/actor";
import { missingPermission } from "#lib/channel/model/authority";
import type { ChannelRecord } from "#lib/channel/store/admin-channels";
import type { PracticeRecord } from "#lib/practice/list-practices";

/** Whether the channel has a live key, or a client with live public keys. */
export function hasLiveCredential({ keys, client }: Pick<ChannelRecord, "keys" | "client">): boolean {
  return client?.live === true || keys.some(({ live }) => live);
}

/**
 * What the channel's next call would be allowed, from an address it may call from, in the practices known to the actor.
 */
export function effectiveRights(
  channel: ChannelRecord,
  practices: readonly PracticeRecord[],
): (atom: Atom, practiceId: string) => boolean {
  const active = new Set(practices.flatMap(({ id, status }) => (status === "active" ? [id] : [])));
  const able = channel.status === "active" && hasLiveCredential(channel);
  const reached = able ? channel.practices.flatMap(({ id }) => (active.has(id) ? [id] : [])) : [];
  return (atom, practiceId) =>
    missingPermission({ atoms: channel.atoms, practices: reached }, { atom, practiceId }) === undefined;
}
