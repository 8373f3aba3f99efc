import { z } from "zod";
import { createChannelKey } from "#lib/auth/channel-key";
import type { Context } from "#lib/context";
import { ok, refuse, type Result } from "#lib/domain/result";
import { insertChannel, insertKey } from "#lib/store/admin-channels";
import { newId } from "#lib/store/new-id";
import { administer } from "./administer.ts";
import { atomList, checked, nameText, practiceList } from "./checked.ts";
import { channelChain } from "./channel-chain.ts";
import { strangersAmong } from "./known-practices.ts";
import type { AdminRefusal } from "./refusal.ts";

const schema = z.object({
  id: z.uuid("must be a UUID").default(newId),
  name: nameText,
  practices: practiceList,
  atoms: atomList,
});

export type CreateChannel = {
  /** Chosen by whoever asks, so that asking twice makes one channel; else made here. */
  readonly id?: string | undefined;
  readonly name: string;
  readonly practices: readonly string[];
  readonly atoms: readonly string[];
};

/** Makes a channel and its first key. The key's text is in the answer and nowhere else: only its hash is kept. */
export async function createChannel(
  ctx: Context,
  input: CreateChannel,
): Promise<Result<{ id: string; key: string }, AdminRefusal>> {
  return administer(ctx, async (tx) => {
    const channel = checked(schema, input);
    if (!channel.ok) return channel;
    const { id, name, practices, atoms } = channel.value;
    const strangers = await strangersAmong(tx, practices);
    if (strangers) return strangers;
    const key = createChannelKey();
    const inserted = await insertChannel(tx, { id, name, practices, atoms });
    if (!inserted) return refuse({ type: "taken", what: "channel" });
    await insertKey(tx, id, key);
    return ok({
      value: { id, key: key.key },
      chain: channelChain(id),
      entries: [
        { act: "channel.created", detail: { name, practices, atoms } },
        { act: "channel.key-created", detail: { key: key.id } },
      ],
    });
  });
}
