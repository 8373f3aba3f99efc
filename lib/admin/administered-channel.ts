import { administers, reaches, type Actor } from "#lib/domain/actor";
import { findChannel, lockChannel, type ChannelRecord } from "#lib/store/admin-channels";
import type { Store, Tx } from "#lib/store/db";

/**
 * A channel somebody may change, held until the commit: they are an admin of every practice it reaches. Undefined for
 * any other, as for one that does not exist.
 */
export async function lockAdministered(tx: Tx, actor: Actor, channelId: string): Promise<ChannelRecord | undefined> {
  return administered(actor, await lockChannel(tx, channelId));
}

/** The same, to look at. */
export async function findAdministered(
  store: Store,
  actor: Actor,
  channelId: string,
): Promise<ChannelRecord | undefined> {
  return administered(actor, await findChannel(store, channelId));
}

export function administered(actor: Actor, channel: ChannelRecord | undefined): ChannelRecord | undefined {
  const practices = channel?.practices.map(({ id }) => id) ?? [];
  return reaches(administers(actor), practices) ? channel : undefined;
}
