import type { Context } from "#lib/context";
import { ok, refuse, type Result } from "#lib/domain/result";
import { updateChannel } from "#lib/store/admin-channels";
import { administer, administerProved } from "./administer.ts";
import { lockAdministered } from "./administered-channel.ts";
import { channelChain } from "./channel-chain.ts";
import type { AdminRefusal } from "./refusal.ts";

type Named = { readonly channelId: string };

/** From the commit on every key of the channel is denied. Suspending it again changes nothing. */
export async function suspendChannel(ctx: Context, input: Named): Promise<Result<undefined, AdminRefusal>> {
  return setStatus(ctx, input, { status: "suspended", act: "channel.suspended" });
}

/** Undoes a suspension: keys that are still live work again. */
export async function resumeChannel(ctx: Context, input: Named): Promise<Result<undefined, AdminRefusal>> {
  return setStatus(ctx, input, { status: "active", act: "channel.resumed" });
}

type Change =
  | { readonly status: "suspended"; readonly act: "channel.suspended" }
  | { readonly status: "active"; readonly act: "channel.resumed" };

async function setStatus(ctx: Context, { channelId }: Named, { status, act }: Change) {
  // Suspending waits for nobody.
  const run = status === "active" ? administerProved : administer;
  return run(ctx, "what-it-reads", async (tx) => {
    const channel = await lockAdministered(tx, ctx.actor, channelId);
    if (!channel) return refuse({ type: "not-found", what: "channel" });
    const chain = channelChain(channel.id);
    if (channel.status === status) return ok({ value: undefined, chain, entries: [] });
    await updateChannel(tx, channel.id, { status });
    return ok({ value: undefined, chain, entries: [{ act, detail: {} }] });
  });
}
