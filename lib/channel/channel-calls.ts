import type { Context } from "#lib/access/context";
import { administers, isAdmin, reaches, type Actor } from "#lib/access/model/actor";
import type { DenialRule } from "#lib/channel/model/authority";
import { ok, type Result } from "#lib/platform/result";
import { loadDenials, loadHours, type DenialRecord, type HourCount } from "#lib/channel/store/channel-calls";
import { findAdministeredChannel } from "./administered-channel.ts";
import { deny } from "#lib/access/deny";
import type { AdminRefusal } from "#lib/access/refusal";

export type { DenialRecord, HourCount };

/** How many days a channel's page shows. */
export const callDays = 7;

const denialsShown = 25;

/**
 * The calls of a channel by hour, and its last denials. Both are written a few seconds after each call. Of a practice that
 * the actor does not administer they learn nothing, not even that there is one.
 */
export async function showChannelCalls(
  { actor, store }: Context,
  { channelId }: { channelId: string },
): Promise<Result<{ hours: readonly HourCount[]; denials: readonly DenialRecord[] }, AdminRefusal>> {
  if (!isAdmin(actor)) return deny({ actor, store }, "channels");
  const channel = await findAdministeredChannel(store, actor, channelId);
  if (!channel.ok) return channel;
  const hours = await loadHours(store, { channelId, days: callDays });
  const denials = await loadDenials(store, channelId, denialsShown);
  return ok({ hours, denials: denials.map((denial) => within(actor, denial)) });
}

function within(actor: Actor, denial: DenialRecord): DenialRecord {
  const { practiceId, rule } = denial;
  if (practiceId === undefined || reaches(administers(actor), [practiceId])) return denial;
  return { ...denial, practiceId: undefined, taskId: undefined, rule: concealPractice(rule) };
}

/** A practice that the actor does not administer is none to them. */
export function concealPractice(rule: DenialRule): DenialRule {
  return rule === "practice-out-of-reach" || rule === "practice-suspended" ? "no-such-practice" : rule;
}
