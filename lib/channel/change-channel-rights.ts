import { z } from "zod";
import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { replaceReach, updateChannel } from "#lib/channel/store/admin-channels";
import { administerChannel } from "./administer-channel.ts";
import { needsProof } from "#lib/access/administer";
import { atomList, validate, practiceList } from "#lib/access/validate";
import { difference } from "#lib/access/difference";
import { refuseUnknownPractices } from "#lib/practice/refuse-unknown-practices";
import type { AdminRefusal } from "#lib/access/refusal";

const schema = z.object({ practices: practiceList, atoms: atomList });

export type ChannelRights = {
  readonly channelId: string;
  readonly practices: readonly string[];
  readonly atoms: readonly string[];
};

/**
 * Sets the practices and the permissions of a channel, from its next call on. What it requested before is checked
 * against them again before it is submitted.
 */
export async function changeChannelRights(
  ctx: Context,
  input: ChannelRights,
): Promise<Result<undefined, AdminRefusal>> {
  return administerChannel(ctx, input.channelId, async (tx, channel) => {
    const rights = validate(schema, input);
    if (!rights.ok) return rights;
    const { practices, atoms } = rights.value;
    const unknown = await refuseUnknownPractices(tx, ctx.actor, practices);
    if (unknown) return unknown;
    const reached = difference(
      channel.practices.map(({ id }) => id),
      practices,
    );
    const held = difference(channel.atoms, atoms);
    const same = [reached, held].every(({ added, removed }) => added.length + removed.length === 0);
    if (same) return ok({ value: undefined, entries: [] });
    // Narrowing must be possible at once, so it needs no new proof.
    const isWider = reached.added.length + held.added.length > 0;
    if (isWider && needsProof(ctx.actor)) return refuse({ type: "proof-needed" });
    await replaceReach(tx, channel.id, practices);
    await updateChannel(tx, channel.id, { atoms });
    const detail = { practices: reached, atoms: held };
    return ok({ value: undefined, entries: [{ act: "channel.changed", detail }] });
  });
}
