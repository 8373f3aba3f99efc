import type { ChannelActor } from "#lib/domain/actor";
import { admit, type Prefetched, type Wanted } from "#lib/store/admission";
import type { Store } from "#lib/store/db";
import { parseChannelKey, sameSecret } from "./channel-key.ts";

const unknownKeyId = "----------";
const unknownSecret = Buffer.alloc(32);

/**
 * The channel a bearer key speaks for, with what it may do at this moment.
 * Undefined for a missing, malformed, unknown, expired or revoked key, after
 * the same work in each case.
 */
export async function authenticateChannel(
  store: Store,
  bearer: string | undefined,
  wanted?: Wanted,
): Promise<{ actor: ChannelActor; prefetched?: Prefetched | undefined } | undefined> {
  const key = bearer === undefined ? undefined : parseChannelKey(bearer);
  const admission = await admit(store, key?.id ?? unknownKeyId, wanted);
  const same = sameSecret(key?.secretHash ?? unknownSecret, admission?.secretHash);
  if (!key || !admission || !same) return undefined;
  return { actor: { ...admission.actor, keyId: key.id }, prefetched: admission.prefetched };
}
