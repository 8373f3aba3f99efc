import { createChannelKey } from "#lib/auth/channel-key";
import type { Context } from "#lib/context";
import { ok, refuse, type Result } from "#lib/domain/result";
import { insertKey, lockChannel, markKeyRevoked } from "#lib/store/admin-channels";
import { administer } from "./administer.ts";
import { channelChain } from "./channel-chain.ts";
import type { AdminRefusal } from "./refusal.ts";

/** A channel has at most this many live keys: the one in use, and the one that takes over. */
export const liveKeysMax = 2;

export type RotateKey = {
  readonly channelId: string;
  /** Revokes the oldest live key in the same commit. */
  readonly revokeOld?: boolean | undefined;
  /** Ids of the live keys whoever asks was shown; with others in force nothing is done, so that asking twice is asking once. */
  readonly seen?: readonly string[] | undefined;
};

/**
 * Makes a new key beside the one in use; its text is in the answer and nowhere
 * else. With two live keys already, refused unless the oldest is given up.
 */
export async function rotateKey(
  ctx: Context,
  { channelId, revokeOld = false, seen }: RotateKey,
): Promise<Result<{ keyId: string; key: string; revoked?: string | undefined }, AdminRefusal>> {
  return administer(ctx, async (tx) => {
    const channel = await lockChannel(tx, channelId);
    if (!channel) return refuse({ type: "not-found", what: "channel" });
    const live = channel.keys.filter((key) => key.live);
    const changed = seen !== undefined && live.map(({ id }) => id).join() !== seen.join();
    if (changed) return refuse({ type: "keys-changed" });
    if (live.length >= liveKeysMax && !revokeOld) return refuse({ type: "two-live-keys" });
    const revoked = revokeOld ? live[0]?.id : undefined;
    if (revoked !== undefined) await markKeyRevoked(tx, { channelId: channel.id, keyId: revoked });
    const key = createChannelKey();
    await insertKey(tx, channel.id, key);
    return ok({
      value: { keyId: key.id, key: key.key, revoked },
      chain: channelChain(channel.id),
      entries: [
        ...(revoked === undefined ? [] : [{ act: "channel.key-revoked", detail: { key: revoked } } as const]),
        { act: "channel.key-created", detail: { key: key.id } },
      ],
    });
  });
}
