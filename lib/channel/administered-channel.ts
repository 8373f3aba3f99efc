import { administers, reaches, type Actor } from "#lib/access/model/actor";
import { ok, refuse, type Result } from "#lib/platform/result";
import { findChannel, lockChannel, type ChannelRecord } from "#lib/channel/store/admin-channels";
import type { Store, Tx } from "#lib/db/db";
import { outOfReach } from "#lib/access/denied";
import type { AdminRefusal } from "#lib/access/refusal";

/**
 * A channel somebody may change, held until the commit: they are an admin of every practice it reaches. Any other is
 * not found, as one that does not exist; that somebody asked for it is on record.
 */
export async function lockAdministered(
  tx: Tx,
  actor: Actor,
  channelId: string,
): Promise<Result<ChannelRecord, AdminRefusal>> {
  return orNotFound(tx, actor, await lockChannel(tx, channelId));
}

/** The same, to look at. */
export async function findAdministered(
  store: Store,
  actor: Actor,
  channelId: string,
): Promise<Result<ChannelRecord, AdminRefusal>> {
  return orNotFound(store.prisma, actor, await findChannel(store, channelId));
}

export function isAdministered(actor: Actor, { practices }: ChannelRecord): boolean {
  return reaches(
    administers(actor),
    practices.map(({ id }) => id),
  );
}

async function orNotFound(
  db: Tx,
  actor: Actor,
  channel: ChannelRecord | undefined,
): Promise<Result<ChannelRecord, AdminRefusal>> {
  if (!channel) return refuse({ type: "not-found", what: "channel" });
  if (isAdministered(actor, channel)) return ok(channel);
  const practices = channel.practices.map(({ id }) => id);
  return outOfReach(db, actor, { what: "channel", id: channel.id, practices });
}
