import { administers, reaches, type Actor } from "#lib/access/model/actor";
import { ok, refuse, type Result } from "#lib/platform/result";
import { findChannel, lockChannel, type ChannelRecord } from "#lib/channel/store/admin-channels";
import type { Store, Tx } from "#lib/db/db";
import { denyOutOfReach } from "#lib/access/deny";
import type { AdminRefusal } from "#lib/access/refusal";

/**
 * Finds a channel and locks it until the commit, for an administrator of every practice it reaches. Any other actor
 * gets `not-found`, as for a channel that does not exist, and the denial goes into the audit log.
 */
export async function lockAdministeredChannel(
  tx: Tx,
  actor: Actor,
  channelId: string,
): Promise<Result<ChannelRecord, AdminRefusal>> {
  return orNotFound(tx, actor, await lockChannel(tx, channelId));
}

/** The same without the lock, for reading. */
export async function findAdministeredChannel(
  store: Store,
  actor: Actor,
  channelId: string,
): Promise<Result<ChannelRecord, AdminRefusal>> {
  return orNotFound(store.prisma, actor, await findChannel(store, channelId));
}

/** A channel that reaches no practice yet is administered by the administrators of all that it is about to reach. */
export function administersChannel(actor: Actor, { practices, awaited }: ChannelRecord): boolean {
  const reached = practices.map(({ id }) => id);
  return reaches(administers(actor), reached.length > 0 ? reached : awaited);
}

async function orNotFound(
  db: Tx,
  actor: Actor,
  channel: ChannelRecord | undefined,
): Promise<Result<ChannelRecord, AdminRefusal>> {
  if (!channel) return refuse({ type: "not-found", what: "channel" });
  if (administersChannel(actor, channel)) return ok(channel);
  const practices = channel.practices.map(({ id }) => id);
  return denyOutOfReach(db, actor, { what: "channel", id: channel.id, practices });
}
