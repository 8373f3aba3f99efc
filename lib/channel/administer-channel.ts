import type { Context } from "#lib/access/context";
import { ok, type Result } from "#lib/platform/result";
import type { ChannelRecord } from "#lib/channel/store/admin-channels";
import type { Tx } from "#lib/db/db";
import { administer, administerProved, type ActResult } from "#lib/access/administer";
import { lockAdministered } from "./administered-channel.ts";
import { channelChain } from "#lib/audit/model/channel-chain";
import type { AdminRefusal } from "#lib/access/refusal";

/** An act on a channel that is held; its entries go into the channel's chain. */
export type ChannelAct<Value> = (
  tx: Tx,
  channel: ChannelRecord,
) => Promise<Result<Omit<ActResult<Value>, "chain">, AdminRefusal>>;

/**
 * Runs one act on a channel whose every practice whoever asks administers; it is held until the commit, and the act's
 * entries are in its chain. What is sensitive takes a new proof of who they are.
 */
export function administerChannel<Value>(
  ctx: Context,
  channelId: string,
  act: ChannelAct<Value>,
  { proved = false }: { readonly proved?: boolean } = {},
): Promise<Result<Value, AdminRefusal>> {
  const run = proved ? administerProved : administer;
  return run(ctx, "what-it-reads", async (tx) => {
    const found = await lockAdministered(tx, ctx.actor, channelId);
    if (!found.ok) return found;
    const acted = await act(tx, found.value);
    return acted.ok ? ok({ ...acted.value, chain: channelChain(found.value.id) }) : acted;
  });
}
