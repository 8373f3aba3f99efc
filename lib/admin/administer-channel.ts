import type { Context } from "#lib/context";
import { ok, type Result } from "#lib/domain/result";
import type { ChannelRecord } from "#lib/store/admin-channels";
import type { Tx } from "#lib/store/db";
import { administer, administerProved, type Acted } from "./administer.ts";
import { lockAdministered } from "./administered-channel.ts";
import { channelChain } from "./channel-chain.ts";
import type { AdminRefusal } from "./refusal.ts";

/** An act on a channel that is held; its entries go into the channel's chain. */
export type ChannelAct<Value> = (
  tx: Tx,
  channel: ChannelRecord,
) => Promise<Result<Omit<Acted<Value>, "chain">, AdminRefusal>>;

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
