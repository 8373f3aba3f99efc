import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { updateChannel } from "#lib/channel/store/admin-channels";
import { lockPractice } from "#lib/practice/store/admin-practices";
import { shortOfReleasers } from "#lib/gate/store/vote-rules";
import { administerChannel, type ChannelAct } from "./administer-channel.ts";
import { lockKnown } from "#lib/person/administered-person";
import type { AdminRefusal } from "#lib/access/refusal";

/** `email` left out or empty: the channel has no owner. */
export type SetChannelOwner = { readonly channelId: string; readonly email?: string | undefined };

/**
 * Says which person answers for a channel. From then on that person releases
 * nothing of what it asks, and what they released at an open gate counts no
 * more. Where a practice of the channel asks for more people than would be
 * left, it is refused.
 */
export async function setChannelOwner(
  ctx: Context,
  { channelId, email = "" }: SetChannelOwner,
): Promise<Result<undefined, AdminRefusal>> {
  const act: ChannelAct<undefined> = async (tx, channel) => {
    const given = email.trim();
    // In one order, so that no rule of theirs is changed meanwhile; and before the person, as whoever sends locks them.
    const reached = channel.practices.map(({ id }) => id).toSorted();
    for (const practiceId of reached) await lockPractice(tx, practiceId);
    const known = given === "" ? ok(undefined) : await lockKnown(tx, ctx.actor, { email: given });
    if (!known.ok) return known;
    const person = known.value;
    if (person?.status === "disabled") {
      return refuse({ type: "invalid", issues: [{ field: "owner", problem: "must be a person who can sign in" }] });
    }
    const [from, to] = [channel.owner?.id ?? null, person?.id ?? null];
    if (from === to) return ok({ value: undefined, entries: [] });
    const short = to === null ? [] : await shortOfReleasers(tx, { channelId: channel.id, ownerId: to });
    if (short.length > 0) return refuse({ type: "invalid", issues: short.map(issueOf) });
    await updateChannel(tx, channel.id, { ownerId: to });
    return ok({ value: undefined, entries: [{ act: "channel.changed", detail: { owner: { from, to } } }] });
  };
  return administerChannel(ctx, channelId, act, { proved: true });
}

type Short = Awaited<ReturnType<typeof shortOfReleasers>>[number];

function issueOf({ practiceId, votes, others }: Short) {
  const left = others === 1 ? "only 1 other reviewer" : `only ${others} other reviewers`;
  return {
    field: "owner",
    problem: `must leave enough people to release: ${practiceId} asks for ${votes}, and has ${left}`,
  };
}
