import { z } from "zod";
import { createChannelKey } from "./channel-key.ts";
import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { insertKey, markKeyRevoked, shortenKey } from "#lib/channel/store/admin-channels";
import { administerChannel, type ChannelAct } from "./administer-channel.ts";
import { checked } from "#lib/access/checked";
import { keyDaysNumber, overlaps, overlapWord } from "./key-terms.ts";
import type { AdminRefusal } from "#lib/access/refusal";

/** A channel has at most this many live keys: the one in use, and the one that takes over. */
export const liveKeysMax = 2;

const schema = z.object({ keyDays: keyDaysNumber, overlap: overlapWord });

export type RotateKey = {
  readonly channelId: string;
  /** How many days the new key works: 1 to 365, 90 unless set. */
  readonly keyDays?: number | string | undefined;
  /** How long the key in use works on: `0`, `1h`, `24h` (unless set) or `7d`, and never beyond its own end. */
  readonly overlap?: string | undefined;
  /** Revokes the oldest of two live keys in the same commit. */
  readonly revokeOld?: boolean | undefined;
  /** Ids of the live keys whoever asks was shown; with others in force nothing is done, so that asking twice is asking once. */
  readonly seen?: readonly string[] | undefined;
};

export type KeyRotation = {
  readonly keyId: string;
  readonly key: string;
  readonly expiresAt: Date;
  readonly revoked: readonly string[];
};

/**
 * Makes a new key to take over from the one in use; its text is in the answer
 * and nowhere else. With two live keys already, refused unless the oldest is
 * given up or nothing is to overlap.
 */
export async function rotateKey(
  { actor, store }: Context,
  { channelId, revokeOld = false, seen, ...terms }: RotateKey,
): Promise<Result<KeyRotation, AdminRefusal>> {
  const act: ChannelAct<KeyRotation> = async (tx, channel) => {
    const wanted = checked(schema, terms);
    if (!wanted.ok) return wanted;
    const live = channel.keys.filter((key) => key.live).map(({ id }) => id);
    const changed = seen !== undefined && live.join() !== seen.join();
    if (changed) return refuse({ type: "keys-changed" });
    const { keyDays, overlap } = wanted.value;
    const atOnce = overlaps[overlap] === 0;
    const full = live.length >= liveKeysMax;
    if (full && !revokeOld && !atOnce) return refuse({ type: "two-live-keys" });
    const revoked = atOnce ? live : full || revokeOld ? live.slice(0, 1) : [];
    const kept = live.slice(revoked.length);
    for (const keyId of revoked) await markKeyRevoked(tx, { channelId: channel.id, keyId });
    for (const keyId of kept) await shortenKey(tx, { channelId: channel.id, keyId, seconds: overlaps[overlap] });
    const key = createChannelKey(store);
    const expiresAt = await insertKey(tx, { channelId: channel.id, keyDays, ...key });
    return ok({
      value: { keyId: key.id, key: key.key, expiresAt, revoked },
      entries: [
        ...revoked.map((id) => ({ act: "channel.key-revoked", detail: { key: id } }) as const),
        {
          act: "channel.key-created",
          detail: { key: key.id, expiresAt, ...(kept[0] && { replaces: kept[0], overlap }) },
        },
      ],
    });
  };
  return administerChannel({ actor, store }, channelId, act, { proved: true });
}
