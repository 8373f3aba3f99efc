import { z } from "zod";
import { createChannelKey } from "./channel-key.ts";
import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { insertChannel, insertKey } from "#lib/channel/store/admin-channels";
import { newId } from "#lib/db/new-id";
import { administerProved } from "#lib/access/administer";
import { atomList, validate, nameText, practiceList } from "#lib/access/validate";
import { callsPerSecondDefault, callsPerSecondNumber } from "./channel-limits.ts";
import { channelChain } from "#lib/audit/model/channel-chain";
import { keyDaysNumber } from "./key-terms.ts";
import { refuseUnknownPractices } from "#lib/practice/refuse-unknown-practices";
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
  /** Chosen by the caller, so that a repeated request creates one channel; otherwise generated. */
  readonly id?: string | undefined;
  readonly name: string;
  readonly practices: readonly string[];
  readonly atoms: readonly string[];
  /** How many days the first key is valid: 1 to 365, by default 90. */
  readonly keyDays?: number | string | undefined;
  /** The rate limit in calls a second, by default 50; `none` or an empty text means no limit. */
  readonly callsPerSecond?: number | string | undefined;
};

/**
 * Creates a channel and its first key. The result alone has the key's text: the service stores its hash. Refuses an id
 * that is in use (`taken`).
 */
export async function createChannel(
  { actor, store }: Context,
  input: CreateChannel,
): Promise<Result<{ id: string; key: string }, AdminRefusal>> {
  return administerProved({ actor, store }, "what-it-reads", async (tx) => {
    const channel = validate(schema, input);
    if (!channel.ok) return channel;
    const { id, name, practices, atoms, keyDays, callsPerSecond } = channel.value;
    const unknown = await refuseUnknownPractices(tx, actor, practices);
    if (unknown) return unknown;
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
