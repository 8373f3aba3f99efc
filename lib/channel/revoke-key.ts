import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { markKeyRevoked } from "#lib/channel/store/admin-channels";
import { administerChannel } from "./administer-channel.ts";
import type { AdminRefusal } from "#lib/access/refusal";

export type RevokeKey = {
  readonly channelId: string;
  /** A key's or the client's; left out, every live key and the client. */
  readonly keyId?: string | undefined;
};

/** From the commit on the key, or every token of the client, is denied, everywhere and for good; returns those revoked now. Again changes nothing. */
export async function revokeKey(
  ctx: Context,
  { channelId, keyId }: RevokeKey,
): Promise<Result<readonly string[], AdminRefusal>> {
  return administerChannel(ctx, channelId, async (tx, channel) => {
    const all = [...channel.keys, ...(channel.client ? [channel.client] : [])];
    const meant = all.filter((key) => (keyId === undefined ? key.live : key.id === keyId));
    if (keyId !== undefined && meant.length === 0) return refuse({ type: "not-found", what: "key" });
    const revoked = meant.filter((key) => key.revokedAt === undefined).map(({ id }) => id);
    for (const id of revoked) await markKeyRevoked(tx, { channelId: channel.id, keyId: id });
    const entries = revoked.map((key) => ({ act: "channel.key-revoked", detail: { key } }) as const);
    return ok({ value: revoked, entries });
  });
}
