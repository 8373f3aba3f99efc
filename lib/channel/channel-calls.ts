import type { Context } from "#lib/access/context";
import { isAdmin } from "#lib/access/model/actor";
import { ok, type Result } from "#lib/platform/result";
import { loadDenials, loadHours, type DenialRecord, type HourCount } from "#lib/channel/store/channel-calls";
import { findAdministered } from "./administered-channel.ts";
import { denied } from "#lib/access/denied";
import type { AdminRefusal } from "#lib/access/refusal";

export type { DenialRecord, HourCount };

/** How many days back a channel's page looks. */
export const callDays = 7;

const denialsShown = 25;

/** What a channel called and what it was denied; written a few seconds after each call. */
export async function showChannelCalls(
  { actor, store }: Context,
  { channelId }: { channelId: string },
): Promise<Result<{ hours: readonly HourCount[]; denials: readonly DenialRecord[] }, AdminRefusal>> {
  if (!isAdmin(actor)) return denied({ actor, store }, "channels");
  const channel = await findAdministered(store, actor, channelId);
  if (!channel.ok) return channel;
  const hours = await loadHours(store, { channelId, days: callDays });
  return ok({ hours, denials: await loadDenials(store, channelId, denialsShown) });
}
