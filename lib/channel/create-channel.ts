import { z } from "zod";
import { channelProblems } from "#lib/messages/problems/admin";
import { createChannelKey } from "./channel-key.ts";
import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { insertChannel, insertKey } from "#lib/channel/store/admin-channels";
import { newId } from "#lib/db/new-id";
import { administerProved } from "#lib/access/administer";
import { atomList, environmentWord, validate, nameText, practiceList } from "#lib/access/validate";
import { callsPerSecondDefault, callsPerSecondNumber } from "./channel-limits.ts";
import { channelChain } from "#lib/audit/model/channel-chain";
import { keyDaysNumber } from "./key-terms.ts";
import { refuseLivePractices } from "./refuse-live-practices.ts";
import type { Environment } from "#lib/task/model/environment";
import { refuseUnknownPractices } from "#lib/practice/refuse-unknown-practices";
import type { AdminRefusal } from "#lib/access/refusal";
import { requestChange, wantingSecondAdmin, type Awaiting } from "#lib/access/second-admin";

const schema = z.object({
  id: z.uuid(channelProblems.uuid).default(newId),
  name: nameText,
  practices: practiceList,
  atoms: atomList,
  keyDays: keyDaysNumber,
  callsPerSecond: callsPerSecondNumber.default(callsPerSecondDefault),
  environment: environmentWord.default("live"),
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
  /** Says that a channel without a practice is meant. */
  readonly withoutPractices?: boolean | undefined;
  /** A `test` channel reaches only practices of test data, for as long as it exists. */
  readonly environment?: Environment | undefined;
};

export type CreatedChannel = Awaiting & { readonly id: string; readonly key: string };

/**
 * Creates a channel and its first key. The result alone has the key's text: the service stores its hash. Refuses an id
 * that is in use (`taken`), and a channel without a practice unless that is meant (`no-practices`). Practices that want a
 * second administrator are added once one confirms.
 */
export async function createChannel(
  { actor, store }: Context,
  { withoutPractices = false, ...input }: CreateChannel,
): Promise<Result<CreatedChannel, AdminRefusal>> {
  return administerProved({ actor, store }, "what-it-reads", async (tx) => {
    const channel = validate(schema, input);
    if (!channel.ok) return channel;
    const { id, name, practices, atoms, keyDays, callsPerSecond, environment } = channel.value;
    const refused =
      (await refuseUnknownPractices(tx, actor, practices)) ?? (await refuseLivePractices(tx, environment, practices));
    if (refused) return refused;
    if (practices.length === 0 && !withoutPractices) return refuse({ type: "no-practices" });
    const waiting = await wantingSecondAdmin(tx, actor, practices);
    const reached = practices.filter((practice) => !waiting.includes(practice));
    const key = createChannelKey(store);
    const test = environment === "test" ? { environment } : {};
    const inserted = await insertChannel(tx, { id, name, practices: reached, atoms, callsPerSecond, environment });
    if (!inserted) return refuse({ type: "taken", what: "channel" });
    const expiresAt = await insertKey(tx, { channelId: id, keyDays, ...key });
    const change = { kind: "channel-practices", channelId: id, practices: [...waiting] } as const;
    const request = waiting.length > 0 ? await requestChange(tx, actor, { change, scope: practices }) : undefined;
    return ok({
      value: { id, key: key.key, awaiting: request?.id },
      chain: channelChain(id),
      entries: [
        { act: "channel.created", detail: { name, practices: reached, atoms, callsPerSecond, ...test } },
        { act: "channel.key-created", detail: { key: key.id, expiresAt } },
        ...(request ? [request.entry] : []),
      ],
    });
  });
}
