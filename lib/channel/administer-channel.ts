import type { Context } from "#lib/access/context";
import { ok, type Result } from "#lib/platform/result";
import type { ChannelRecord } from "#lib/channel/store/admin-channels";
import type { Tx } from "#lib/db/db";
import { administer, administerProved, type ActResult } from "#lib/access/administer";
import { lockAdministeredChannel } from "./administered-channel.ts";
import { channelChain } from "#lib/audit/model/channel-chain";
import type { AdminRefusal } from "#lib/access/refusal";

/** An act on a locked channel; its audit entries go into the channel's chain. */
export type ChannelAct<Value> = (
  tx: Tx,
  channel: ChannelRecord,
) => Promise<Result<Omit<ActResult<Value>, "chain">, AdminRefusal>>;

/**
 * Runs one act on a channel for an administrator of every practice that the channel reaches. The channel is locked
 * until the commit, and its chain gets the act's entries. A sensitive act (`proved`) needs a new proof of identity.
 */
export function administerChannel<Value>(
  ctx: Context,
  channelId: string,
  act: ChannelAct<Value>,
  { proved = false }: { readonly proved?: boolean } = {},
): Promise<Result<Value, AdminRefusal>> {
  const run = proved ? administerProved : administer;
  return run(ctx, "what-it-reads", async (tx) => {
    const found = await lockAdministeredChannel(tx, ctx.actor, channelId);
    if (!found.ok) return found;
    const acted = await act(tx, found.value);
    return acted.ok ? ok({ ...acted.value, chain: channelChain(found.value.id) }) : acted;
  });
}
