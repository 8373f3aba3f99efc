import type { Context } from "#lib/access/context";
import { isAdmin } from "#lib/access/model/actor";
import { ok, type Result } from "#lib/platform/result";
import { loadDenials, loadHours, type DenialRecord, type HourCount } from "#lib/channel/store/channel-calls";
import { findAdministeredChannel } from "./administered-channel.ts";
import { deny } from "#lib/access/deny";
import type { AdminRefusal } from "#lib/access/refusal";

export type { DenialRecord, HourCount };

/** How many days a channel's page shows. */
export const callDays = 7;

const denialsShown = 25;

/** The calls of a channel by hour, and its last denials. Both are written a few seconds after each call. */
export async function showChannelCalls(
  { actor, store }: Context,
  { channelId }: { channelId: string },
): Promise<Result<{ hours: readonly HourCount[]; denials: readonly DenialRecord[] }, AdminRefusal>> {
  if (!isAdmin(actor)) return deny({ actor, store }, "channels");
  const channel = await findAdministeredChannel(store, actor, channelId);
  if (!channel.ok) return channel;
  const hours = await loadHours(store, { channelId, days: callDays });
  return ok({ hours, denials: await loadDenials(store, channelId, denialsShown) });
}
