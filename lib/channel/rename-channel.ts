import { z } from "zod";
import type { Context } from "#lib/access/context";
import { ok, type Result } from "#lib/platform/result";
import { updateChannel } from "#lib/channel/store/admin-channels";
import { administerChannel } from "./administer-channel.ts";
import { validate, nameText } from "#lib/access/validate";
import type { AdminRefusal } from "#lib/access/refusal";

const schema = z.object({ name: nameText });

/** Renames a channel; its keys and permissions stay. */
export async function renameChannel(
  ctx: Context,
  { channelId, name }: { channelId: string; name: string },
): Promise<Result<undefined, AdminRefusal>> {
  return administerChannel(ctx, channelId, async (tx, channel) => {
    const named = validate(schema, { name });
    if (!named.ok) return named;
    if (channel.name === named.value.name) return ok({ value: undefined, entries: [] });
    await updateChannel(tx, channel.id, named.value);
    const detail = { name: { from: channel.name, to: named.value.name } };
    return ok({ value: undefined, entries: [{ act: "channel.changed", detail }] });
  });
}
