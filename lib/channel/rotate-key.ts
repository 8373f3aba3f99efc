import { z } from "zod";
import { createChannelKey } from "./channel-key.ts";
import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { insertKey, markKeyRevoked, shortenKey } from "#lib/channel/store/admin-channels";
import { administerChannel, type ChannelAct } from "./administer-channel.ts";
import { validate } from "#lib/access/validate";
import { keyDaysNumber, overlaps, overlapWord } from "./key-terms.ts";
import type { AdminRefusal } from "#lib/access/refusal";

/** A channel has at most this many live keys: the current one and its successor. */
export const liveKeysMax = 2;

const schema = z.object({ keyDays: keyDaysNumber, overlap: overlapWord });

export type RotateKey = {
  readonly channelId: string;
  /** How many days the new key is valid: 1 to 365, by default 90. */
  readonly keyDays?: number | string | undefined;
  /** How long the current key stays valid: `0`, `1h`, `24h` (the default) or `7d`, and never beyond its own expiry. */
  readonly overlap?: string | undefined;
  /** Revokes the older of two live keys in the same commit. */
  readonly revokeOld?: boolean | undefined;
  /**
   * The ids of the live keys that the caller saw. Refuses with `keys-changed` where they are others by now, so that a
   * repeated request makes one key.
   */
  readonly seen?: readonly string[] | undefined;
};

export type KeyRotation = {
  readonly keyId: string;
  readonly key: string;
  readonly expiresAt: Date;
  readonly revoked: readonly string[];
};

/**
 * Creates the successor of the current key. The result alone has its text. Refuses with `two-live-keys` where there are
 * two live keys, unless the older one is revoked or there is no overlap.
 */
export async function rotateKey(
  { actor, store }: Context,
  { channelId, revokeOld = false, seen, ...terms }: RotateKey,
): Promise<Result<KeyRotation, AdminRefusal>> {
  const act: ChannelAct<KeyRotation> = async (tx, channel) => {
    const parsed = validate(schema, terms);
    if (!parsed.ok) return parsed;
    const live = channel.keys.filter((key) => key.live).map(({ id }) => id);
    const changed = seen !== undefined && live.join() !== seen.join();
    if (changed) return refuse({ type: "keys-changed" });
    const { keyDays, overlap } = parsed.value;
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
