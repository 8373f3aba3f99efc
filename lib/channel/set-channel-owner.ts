import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { updateChannel } from "#lib/channel/store/admin-channels";
import { lockPractice } from "#lib/practice/shared/practices";
import { shortOfReleasers } from "#lib/gate/shared/vote-rules";
import { channelProblems } from "#lib/messages/problems/admin";
import { administerChannel, type ChannelAct } from "./administer-channel.ts";
import { lockAdministeredPerson } from "#lib/person/administered-person";
import { now } from "#lib/platform/now";
import type { AdminRefusal } from "#lib/access/refusal";

/** Without `email`, the channel has no owner. */
export type SetChannelOwner = { readonly channelId: string; readonly email?: string | undefined };

/**
 * Sets the owner of a channel. The owner cannot release its requests, and the owner's earlier releases at open gates no
 * longer count. Refuses an owner without whom a practice of the channel would have too few people to release, and to
 * remove the owner from the day on which a channel needs one.
 */
export async function setChannelOwner(
  ctx: Context,
  { channelId, email = "" }: SetChannelOwner,
): Promise<Result<undefined, AdminRefusal>> {
  const act: ChannelAct<undefined> = async (tx, channel) => {
    const given = email.trim();
    // Practices in one order and before the person, as submissions lock them.
    const reached = channel.practices.map(({ id }) => id).toSorted();
    for (const practiceId of reached) await lockPractice(tx, practiceId);
    const found = given === "" ? ok(undefined) : await lockAdministeredPerson(tx, ctx.actor, { email: given });
    if (!found.ok) return found;
    const person = found.value;
    // Nor somebody who is only invited: an invitation can be withdrawn, and then nobody would answer for the channel.
    if (person && person.status !== "active") {
      return refuse({ type: "invalid", issues: [{ field: "owner", problem: channelProblems.personWhoSignsIn }] });
    }
    const [from, to] = [channel.owner?.id ?? null, person?.id ?? null];
    if (from === to) return ok({ value: undefined, entries: [] });
    const { ownersFrom } = ctx.store;
    if (to === null && ownersFrom !== undefined && now() >= ownersFrom)
      return refuse({ type: "invalid", issues: [{ field: "owner", problem: channelProblems.ownerNeeded }] });
    const short = to === null ? [] : await shortOfReleasers(tx, { channelId: channel.id, ownerId: to });
    if (short.length > 0) return refuse({ type: "invalid", issues: short.map(issueOf) });
    await updateChannel(tx, channel.id, { ownerId: to });
    return ok({ value: undefined, entries: [{ act: "channel.changed", detail: { owner: { from, to } } }] });
  };
  return administerChannel(ctx, channelId, act, { proved: true });
}

type Shortage = Awaited<ReturnType<typeof shortOfReleasers>>[number];

function issueOf({ practiceId, votes, others }: Shortage) {
  return { field: "owner", problem: channelProblems.enoughReleasers(practiceId, votes, others) };
}
