import type { Context } from "#lib/access/context";
import { ok, type Result } from "#lib/platform/result";
import { updateChannel } from "#lib/channel/store/admin-channels";
import { administerChannel, type ChannelAct } from "./administer-channel.ts";
import type { AdminRefusal } from "#lib/access/refusal";

type SuspendChannel = { readonly channelId: string };

/** Suspends a channel: from the commit on, every key of it is denied. Suspending it again changes nothing. */
export async function suspendChannel(ctx: Context, input: SuspendChannel): Promise<Result<undefined, AdminRefusal>> {
  return setStatus(ctx, input, { status: "suspended", act: "channel.suspended" });
}

/** Ends a suspension: live keys work again. */
export async function resumeChannel(ctx: Context, input: SuspendChannel): Promise<Result<undefined, AdminRefusal>> {
  return setStatus(ctx, input, { status: "active", act: "channel.resumed" });
}

type Change =
  | { readonly status: "suspended"; readonly act: "channel.suspended" }
  | { readonly status: "active"; readonly act: "channel.resumed" };

async function setStatus(ctx: Context, { channelId }: SuspendChannel, { status, act }: Change) {
  const set: ChannelAct<undefined> = async (tx, channel) => {
    if (channel.status === status) return ok({ value: undefined, entries: [] });
    await updateChannel(tx, channel.id, { status });
    return ok({ value: undefined, entries: [{ act, detail: {} }] });
  };
  // Suspending must be possible at once, so it needs no new proof.
  return administerChannel(ctx, channelId, set, { proved: status === "active" });
}
