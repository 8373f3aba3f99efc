import { z } from "zod";
import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { replaceReach, updateChannel } from "#lib/channel/store/admin-channels";
import { administerChannel } from "./administer-channel.ts";
import { lacksProof } from "#lib/access/administer";
import { atomList, checked, practiceList } from "#lib/access/checked";
import { difference } from "#lib/access/difference";
import { strangersAmong } from "#lib/practice/known-practices";
import type { AdminRefusal } from "#lib/access/refusal";

const schema = z.object({ practices: practiceList, atoms: atomList });

export type ChannelRights = {
  readonly channelId: string;
  readonly practices: readonly string[];
  readonly atoms: readonly string[];
};

/**
 * Sets which practices a channel reaches and which atoms it holds, from its next
 * call on. What it asked for before is checked against this again before it is sent.
 */
export async function changeChannelRights(
  ctx: Context,
  input: ChannelRights,
): Promise<Result<undefined, AdminRefusal>> {
  return administerChannel(ctx, input.channelId, async (tx, channel) => {
    const rights = checked(schema, input);
    if (!rights.ok) return rights;
    const { practices, atoms } = rights.value;
    const strangers = await strangersAmong(tx, ctx.actor, practices);
    if (strangers) return strangers;
    const reached = difference(
      channel.practices.map(({ id }) => id),
      practices,
    );
    const held = difference(channel.atoms, atoms);
    const same = [reached, held].every(({ added, removed }) => added.length + removed.length === 0);
    if (same) return ok({ value: undefined, entries: [] });
    // Narrowing waits for nobody.
    const isWider = reached.added.length + held.added.length > 0;
    if (isWider && lacksProof(ctx.actor)) return refuse({ type: "proof-needed" });
    await replaceReach(tx, channel.id, practices);
    await updateChannel(tx, channel.id, { atoms });
    const detail = { practices: reached, atoms: held };
    return ok({ value: undefined, entries: [{ act: "channel.changed", detail }] });
  });
}
