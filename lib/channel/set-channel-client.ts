import { z } from "zod";
import { problems } from "#lib/messages/problems/field";
import { clientHash } from "./access-token.ts";
import { newPublicId } from "./channel-key.ts";
import { readClientKeys, type ClientKeys } from "./client-keys.ts";
import { fetchClientKeys } from "./fetch-client-keys.ts";
import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { insertClient, replaceClientKeys } from "#lib/channel/store/channel-clients";
import { administerChannel, type ChannelAct } from "./administer-channel.ts";
import { needsProof, mayAdminister } from "#lib/access/administer";
import { findAdministeredChannel } from "./administered-channel.ts";
import { validate } from "#lib/access/validate";
import { keyDaysMax, keyDaysNumber } from "./key-terms.ts";
import { deny } from "#lib/access/deny";
import type { AdminRefusal } from "#lib/access/refusal";
import { urlProblem } from "#lib/practice/route-url";

const schema = z.object({ keyDays: keyDaysNumber.default(keyDaysMax) });

export type SetChannelClient = {
  readonly channelId: string;
  /** The JWK set of the client's public keys, or the address that publishes it. */
  readonly jwks?: string | undefined;
  readonly jwksUrl?: string | undefined;
  /** How many days these keys are valid: 1 to 365, by default 365. */
  readonly keyDays?: number | string | undefined;
};

/**
 * Lets an agent request tokens with assertions signed by its own keys (RFC 7523), beside the channel's API keys. New
 * public keys keep the client's id and end its tokens at once. Keys at an address are fetched once before anything is
 * written, so that an address without keys is refused.
 */
export async function setChannelClient(
  { actor, store }: Context,
  { channelId, jwks, jwksUrl, ...terms }: SetChannelClient,
): Promise<Result<{ clientId: string }, AdminRefusal>> {
  if (!mayAdminister(actor, "what-it-reads")) return deny({ actor, store }, "change");
  // Before the fetch: the service requests an outside address only for an actor who may set it.
  if (needsProof(actor)) return refuse({ type: "proof-needed" });
  const administered = await findAdministeredChannel(store, actor, channelId);
  if (!administered.ok) return administered;
  const read = jwksUrl === undefined ? inlineKeys(jwks ?? "") : await publishedKeys(jwksUrl);
  if (!read.ok) return read;
  const act: ChannelAct<{ clientId: string }> = async (tx, channel) => {
    const parsed = validate(schema, terms);
    if (!parsed.ok) return parsed;
    const { client } = channel;
    const id = client?.id ?? newPublicId();
    const generation = client === undefined ? 0 : client.generation + 1;
    const { keyDays } = parsed.value;
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

function inlineKeys(jwks: string): Result<ClientKeys, AdminRefusal> {
  const read = readClientKeys(jwks);
  return "problem" in read ? invalid("jwks", read.problem) : ok(read.keys);
}

async function publishedKeys(url: string): Promise<Result<ClientKeys, AdminRefusal>> {
  const problem = url.length > 2_000 ? problems.charactersMax(2_000) : urlProblem(url);
  if (problem !== undefined) return invalid("jwksUrl", problem);
  const fetched = await fetchClientKeys(url);
  return fetched.ok ? ok(fetched.keys) : invalid("jwksUrl", fetched.problem);
}

function invalid(field: string, problem: string): Result<never, AdminRefusal> {
  return refuse({ type: "invalid", issues: [{ field, problem }] });
}
