import { z } from "zod";
import { clientHash } from "#lib/auth/access-token";
import { newPublicId } from "#lib/auth/channel-key";
import { readClientKeys } from "#lib/auth/client-keys";
import type { Context } from "#lib/context";
import { ok, refuse, type Result } from "#lib/domain/result";
import { insertClient, replaceClientKeys } from "#lib/store/channel-clients";
import { administer } from "./administer.ts";
import { lockAdministered } from "./administered-channel.ts";
import { channelChain } from "./channel-chain.ts";
import { checked } from "./checked.ts";
import { keyDaysMax, keyDaysNumber } from "./key-terms.ts";
import type { AdminRefusal } from "./refusal.ts";

const schema = z.object({ keyDays: keyDaysNumber.default(keyDaysMax) });

export type SetChannelClient = {
  readonly channelId: string;
  /** The JWK set of the client's public keys. */
  readonly jwks: string;
  /** How many days these keys are good for: 1 to 365, 365 unless set. */
  readonly keyDays?: number | string | undefined;
};

/**
 * Lets an agent ask for tokens by assertions signed with its own keys
 * (RFC 7523), beside the channel's keys. Setting other keys keeps the client's
 * id and ends the tokens it has, at once.
 */
export async function setChannelClient(
  { actor, store }: Context,
  { channelId, jwks, ...terms }: SetChannelClient,
): Promise<Result<{ clientId: string }, AdminRefusal>> {
  return administer({ actor, store }, "what-it-reads", async (tx) => {
    const wanted = checked(schema, terms);
    if (!wanted.ok) return wanted;
    const read = readClientKeys(jwks);
    if ("problem" in read) return refuse({ type: "invalid", issues: [{ field: "jwks", problem: read.problem }] });
    const channel = await lockAdministered(tx, actor, channelId);
    if (!channel) return refuse({ type: "not-found", what: "channel" });
    const { client } = channel;
    const id = client?.id ?? newPublicId();
    const generation = client === undefined ? 0 : client.generation + 1;
    const row = { id, jwks: JSON.stringify(read.keys), secretHash: clientHash(store, { id, generation }) };
    const { keyDays } = wanted.value;
    if (client === undefined) await insertClient(tx, { ...row, channelId: channel.id, keyDays });
    else await replaceClientKeys(tx, { ...row, generation, keyDays });
    const kids = read.keys.keys.map(({ kid }) => kid);
    return ok({
      value: { clientId: id },
      chain: channelChain(channel.id),
      entries: [{ act: "channel.changed", detail: { client: { id, kids } } }],
    });
  });
}
