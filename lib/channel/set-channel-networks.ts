import { z } from "zod";
import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { replaceNetworks, widensNetworks } from "#lib/channel/store/admin-channels";
import { administerChannel } from "./administer-channel.ts";
import { needsProof } from "#lib/access/administer";
import { validate, networkList } from "#lib/access/validate";
import { difference } from "#lib/access/difference";
import type { AdminRefusal } from "#lib/access/refusal";

const schema = z.object({ networks: networkList });

export type ChannelNetworks = {
  readonly channelId: string;
  /** IP addresses and CIDR blocks, IPv4 or IPv6; an empty list allows every address. */
  readonly networks: readonly string[];
};

/**
 * Sets the networks a channel may call from, from its next call on. The address of the connection counts, never a
 * header. Allowing more networks needs a new proof of identity; narrowing does not.
 */
export async function setChannelNetworks(
  ctx: Context,
  { channelId, networks }: ChannelNetworks,
): Promise<Result<undefined, AdminRefusal>> {
  return administerChannel(ctx, channelId, async (tx, channel) => {
    const parsed = validate(schema, { networks });
    if (!parsed.ok) return parsed;
    const { networks: before } = channel;
    const isWider = await widensNetworks(tx, { before, after: parsed.value.networks });
    if (isWider && needsProof(ctx.actor)) return refuse({ type: "proof-needed" });
    const set = await replaceNetworks(tx, channel.id, parsed.value.networks);
    const changed = difference(before, set);
    if (changed.added.length + changed.removed.length === 0) return ok({ value: undefined, entries: [] });
    return ok({ value: undefined, entries: [{ act: "channel.changed", detail: { networks: changed } }] });
  });
}
