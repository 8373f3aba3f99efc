import { z } from "zod";
import type { Context } from "#lib/context";
import { ok, refuse, type Result } from "#lib/domain/result";
import { updateChannel } from "#lib/store/admin-channels";
import { administer } from "./administer.ts";
import { lockAdministered } from "./administered-channel.ts";
import { channelChain } from "./channel-chain.ts";
import { checked, nameText } from "./checked.ts";
import type { AdminRefusal } from "./refusal.ts";

const schema = z.object({ name: nameText });

/** Gives a channel another name; its keys and rights stay. */
export async function renameChannel(
  ctx: Context,
  { channelId, name }: { channelId: string; name: string },
): Promise<Result<undefined, AdminRefusal>> {
  return administer(ctx, "what-it-reads", async (tx) => {
    const named = checked(schema, { name });
    if (!named.ok) return named;
    const channel = await lockAdministered(tx, ctx.actor, channelId);
    if (!channel) return refuse({ type: "not-found", what: "channel" });
    const chain = channelChain(channel.id);
    if (channel.name === named.value.name) return ok({ value: undefined, chain, entries: [] });
    await updateChannel(tx, channel.id, named.value);
    const detail = { name: { from: channel.name, to: named.value.name } };
    return ok({ value: undefined, chain, entries: [{ act: "channel.changed", detail }] });
  });
}
