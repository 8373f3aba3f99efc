import { readToken } from "./access-token.ts";
import { readChannelKey } from "./channel-key.ts";
import type { KeyPepper } from "#lib/db/keyed-hash";
import { now } from "#lib/platform/now";

/** Whom a bearer text claims to speak for, by its form and what only we could have put into it; a key or a token. */
export function readCredential(store: KeyPepper, bearer: string): { id: string; secretHash: Buffer } | undefined {
  return bearer.startsWith("pt_") ? readToken(store, bearer, now()) : readChannelKey(store, bearer);
}
