import { readToken } from "./access-token.ts";
import { readChannelKey } from "./channel-key.ts";
import type { KeyPepper } from "#lib/db/keyed-hash";
import { now } from "#lib/platform/now";

/**
 * The id that a bearer text names, and the hash that the row must have: of an API key or a token. Undefined for any
 * other text.
 */
export function readCredential(store: KeyPepper, bearer: string): { id: string; secretHash: Buffer } | undefined {
  return bearer.startsWith("pt_") ? readToken(store, bearer, now()) : readChannelKey(store, bearer);
}
