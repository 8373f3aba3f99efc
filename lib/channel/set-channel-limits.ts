import { z } from "zod";
import type { Context } from "#lib/access/context";
import { ok, type Result } from "#lib/platform/result";
import { updateChannel } from "#lib/channel/store/admin-channels";
import { administerChannel } from "./administer-channel.ts";
import { callsAtOnceNumber, callsPerSecondNumber } from "./channel-limits.ts";
import { validate } from "#lib/access/validate";
import type { AdminRefusal } from "#lib/access/refusal";

const schema = z.object({ callsPerSecond: callsPerSecondNumber, callsAtOnce: callsAtOnceNumber });

export type SetChannelLimits = {
  readonly channelId: string;
  /** `none` or an empty text means no limit. */
  readonly callsPerSecond: string | number;
  readonly callsAtOnce: string | number;
};

/** Sets a channel's rate limits, over all processes, from its next call on. */
export async function setChannelLimits(
  ctx: Context,
  { channelId, ...limits }: SetChannelLimits,
): Promise<Result<undefined, AdminRefusal>> {
  return administerChannel(ctx, channelId, async (tx, channel) => {
    const parsed = validate(schema, limits);
    if (!parsed.ok) return parsed;
    const { callsPerSecond, callsAtOnce } = parsed.value;
    const changed = [
      ...change("callsPerSecond", channel.callsPerSecond, callsPerSecond),
      ...change("callsAtOnce", channel.callsAtOnce, callsAtOnce),
    ];
    if (changed.length === 0) return ok({ value: undefined, entries: [] });
    await updateChannel(tx, channel.id, { callsPerSecond, callsAtOnce });
    return ok({
      value: undefined,
      entries: [{ act: "channel.changed", detail: Object.fromEntries(changed) }],
    });
  });
}

function change(name: string, from: number | undefined, to: number | null) {
  return (from ?? null) === to ? [] : [[name, { from: from ?? null, to }] as const];
}
