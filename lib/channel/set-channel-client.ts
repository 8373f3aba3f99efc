import { z } from "zod";
import { clientHash } from "./access-token.ts";
import { newPublicId } from "./channel-key.ts";
import { readClientKeys, type ClientKeys } from "./client-keys.ts";
import { fetchClientKeys } from "./fetch-client-keys.ts";
import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { insertClient, replaceClientKeys } from "#lib/channel/store/channel-clients";
import { administerChannel, type ChannelAct } from "./administer-channel.ts";
import { lacksProof, mayAdminister } from "#lib/access/administer";
import { findAdministered } from "./administered-channel.ts";
import { checked } from "#lib/access/checked";
import { keyDaysMax, keyDaysNumber } from "./key-terms.ts";
import { denied } from "#lib/access/denied";
import type { AdminRefusal } from "#lib/access/refusal";
import { urlProblem } from "#lib/practice/route-url";

const schema = z.object({ keyDays: keyDaysNumber.default(keyDaysMax) });

export type SetChannelClient = {
  readonly channelId: string;
  /** The JWK set of the client's public keys; or where they are published. */
  readonly jwks?: string | undefined;
  readonly jwksUrl?: string | undefined;
  /** How many days these keys are good for: 1 to 365, 365 unless set. */
  readonly keyDays?: number | string | undefined;
};

/**
 * Lets an agent ask for tokens by assertions signed with its own keys
 * (RFC 7523), beside the channel's keys. Setting other keys keeps the client's
 * id and ends the tokens it has, at once. Keys by address are fetched here once,
 * before anything is written, so that an address that gives none is refused.
 */
export async function setChannelClient(
  { actor, store }: Context,
  { channelId, jwks, jwksUrl, ...terms }: SetChannelClient,
): Promise<Result<{ clientId: string }, AdminRefusal>> {
  if (!mayAdminister(actor, "what-it-reads")) return denied({ actor, store }, "change");
  // Before anything is fetched: what is asked from outside is asked for somebody who may have it asked.
  if (lacksProof(actor)) return refuse({ type: "proof-needed" });
  const administered = await findAdministered(store, actor, channelId);
  if (!administered.ok) return administered;
  const read = jwksUrl === undefined ? givenKeys(jwks ?? "") : await publishedKeys(jwksUrl);
  if (!read.ok) return read;
  const act: ChannelAct<{ clientId: string }> = async (tx, channel) => {
    const wanted = checked(schema, terms);
    if (!wanted.ok) return wanted;
    const { client } = channel;
    const id = client?.id ?? newPublicId();
    const generation = client === undefined ? 0 : client.generation + 1;
    const { keyDays } = wanted.value;
    const keys = { jwks: JSON.stringify(read.value), jwksUrl: jwksUrl ?? null };
    const row = { id, ...keys, secretHash: clientHash(store, { id, generation }) };
    if (client === undefined) await insertClient(tx, { ...row, channelId: channel.id, keyDays });
    else await replaceClientKeys(tx, { ...row, generation, keyDays });
    const kids = read.value.keys.map(({ kid }) => kid);
    return ok({
      value: { clientId: id },
      entries: [
        {
          act: "channel.changed",
          detail: { client: { id, kids, ...(jwksUrl === undefined ? {} : { url: jwksUrl }) } },
        },
      ],
    });
  };
  return administerChannel({ actor, store }, channelId, act, { proved: true });
}

function givenKeys(jwks: string): Result<ClientKeys, AdminRefusal> {
  const read = readClientKeys(jwks);
  return "problem" in read ? invalid("jwks", read.problem) : ok(read.keys);
}

async function publishedKeys(url: string): Promise<Result<ClientKeys, AdminRefusal>> {
  const problem = url.length > 2_000 ? "must be at most 2000 characters" : urlProblem(url);
  if (problem !== undefined) return invalid("jwksUrl", problem);
  const fetched = await fetchClientKeys(url);
  return fetched.ok ? ok(fetched.keys) : invalid("jwksUrl", fetched.problem);
}

function invalid(field: string, problem: string): Result<never, AdminRefusal> {
  return refuse({ type: "invalid", issues: [{ field, problem }] });
}
