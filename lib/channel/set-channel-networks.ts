import { z } from "zod";
import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { replaceNetworks, widensNetworks } from "#lib/channel/store/admin-channels";
import { administerChannel } from "./administer-channel.ts";
import { lacksProof } from "#lib/access/administer";
import { checked, networkList } from "#lib/access/checked";
import { difference } from "#lib/access/difference";
import type { AdminRefusal } from "#lib/access/refusal";

const schema = z.object({ networks: networkList });

export type ChannelNetworks = {
  readonly channelId: string;
  /** Addresses and CIDR blocks, IPv4 or IPv6; none means from anywhere. */
  readonly networks: readonly string[];
};

/**
 * Sets which networks a channel may call from, from its next call on. What
 * counts is the other end of the connection, never what a header says of it. To
 * let it call from more takes a new proof; narrowing waits for nobody.
 */
export async function setChannelNetworks(
  ctx: Context,
  { channelId, networks }: ChannelNetworks,
): Promise<Result<undefined, AdminRefusal>> {
  return administerChannel(ctx, channelId, async (tx, channel) => {
    const wanted = checked(schema, { networks });
    if (!wanted.ok) return wanted;
    const { networks: before } = channel;
    const isWider = await widensNetworks(tx, { before, after: wanted.value.networks });
    if (isWider && lacksProof(ctx.actor)) return refuse({ type: "proof-needed" });
    const set = await replaceNetworks(tx, channel.id, wanted.value.networks);
    const changed = difference(before, set);
    if (changed.added.length + changed.removed.length === 0) return ok({ value: undefined, entries: [] });
    return ok({ value: undefined, entries: [{ act: "channel.changed", detail: { networks: changed } }] });
  });
}
