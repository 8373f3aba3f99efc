import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { markKeyRevoked } from "#lib/channel/store/admin-channels";
import { administerChannel } from "./administer-channel.ts";
import type { AdminRefusal } from "#lib/access/refusal";

export type RevokeKey = {
  readonly channelId: string;
  /** The id of a key or of the client; without one, every live key and the client. */
  readonly keyId?: string | undefined;
};

/**
 * Revokes a key, or a client with all its tokens, everywhere and for good, from the commit on. Returns the ids revoked
 * now; revoking again changes nothing.
 */
export async function revokeKey(
  ctx: Context,
  { channelId, keyId }: RevokeKey,
): Promise<Result<readonly string[], AdminRefusal>> {
  return administerChannel(ctx, channelId, async (tx, channel) => {
    const all = [...channel.keys, ...(channel.client ? [channel.client] : [])];
    const selected = all.filter((key) => (keyId === undefined ? key.live : key.id === keyId));
    if (keyId !== undefined && selected.length === 0) return refuse({ type: "not-found", what: "key" });
    const revoked = selected.filter((key) => key.revokedAt === undefined).map(({ id }) => id);
    for (const id of revoked) await markKeyRevoked(tx, { channelId: channel.id, keyId: id });
    const entries = revoked.map((key) => ({ act: "channel.key-revoked", detail: { key } }) as const);
    return ok({ value: revoked, entries });
  });
}
