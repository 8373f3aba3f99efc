import { z } from "zod";
import { createChannelKey } from "./channel-key.ts";
import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { insertChannel, insertKey } from "#lib/channel/store/admin-channels";
import { newId } from "#lib/db/new-id";
import { administerProved } from "#lib/access/administer";
import { atomList, checked, nameText, practiceList } from "#lib/access/checked";
import { callsPerSecondDefault, callsPerSecondNumber } from "./channel-limits.ts";
import { channelChain } from "#lib/audit/model/channel-chain";
import { keyDaysNumber } from "./key-terms.ts";
import { strangersAmong } from "#lib/practice/known-practices";
import type { AdminRefusal } from "#lib/access/refusal";

const schema = z.object({
  id: z.uuid("must be a UUID").default(newId),
  name: nameText,
  practices: practiceList,
  atoms: atomList,
  keyDays: keyDaysNumber,
  callsPerSecond: callsPerSecondNumber.default(callsPerSecondDefault),
});

export type CreateChannel = {
  /** Chosen by whoever asks, so that asking twice makes one channel; else made here. */
  readonly id?: string | undefined;
  readonly name: string;
  readonly practices: readonly string[];
  readonly atoms: readonly string[];
  /** How many days its first key works: 1 to 365, 90 unless set. */
  readonly keyDays?: number | string | undefined;
  /** How many calls a second it may make, 50 unless set; `none` or an empty text: as many as it can. */
  readonly callsPerSecond?: number | string | undefined;
};

/** Makes a channel and its first key. The key's text is in the answer and nowhere else: only its hash is kept. */
export async function createChannel(
  { actor, store }: Context,
  input: CreateChannel,
): Promise<Result<{ id: string; key: string }, AdminRefusal>> {
  return administerProved({ actor, store }, "what-it-reads", async (tx) => {
    const channel = checked(schema, input);
    if (!channel.ok) return channel;
    const { id, name, practices, atoms, keyDays, callsPerSecond } = channel.value;
    const strangers = await strangersAmong(tx, actor, practices);
    if (strangers) return strangers;
    const key = createChannelKey(store);
    const inserted = await insertChannel(tx, { id, name, practices, atoms, callsPerSecond });
    if (!inserted) return refuse({ type: "taken", what: "channel" });
    const expiresAt = await insertKey(tx, { channelId: id, keyDays, ...key });
    return ok({
      value: { id, key: key.key },
      chain: channelChain(id),
      entries: [
        { act: "channel.created", detail: { name, practices, atoms, callsPerSecond } },
        { act: "channel.key-created", detail: { key: key.id, expiresAt } },
      ],
    });
  });
}
