import { admit, type Admission, type Prefetch } from "#lib/channel/store/admission";
import type { Store } from "#lib/db/db";
import { readCredential } from "./credential.ts";

export type Calling = {
  /** Where the connection comes from; a channel that is bound to networks admits nobody without. */
  readonly address?: string | undefined;
  readonly wanted?: Prefetch | undefined;
};

/**
 * The channel a bearer key or token speaks for, with what it may do at this moment.
 * Undefined for a key that is missing, malformed, unknown, expired, revoked or
 * used from another network. What is no key of ours by its form asks the
 * database nothing; every other key is looked up by the same statement, which
 * finds no row whatever is wrong with it.
 */
export async function authenticateChannel(
  store: Store,
  bearer: string | undefined,
  { address, wanted }: Calling = {},
): Promise<Admission | undefined> {
  const key = bearer === undefined ? undefined : readCredential(store, bearer);
  if (!key) return undefined;
  const admission = await admit(store, { keyId: key.id, secretHash: key.secretHash, address }, wanted);
  return admission && { ...admission, actor: { ...admission.actor, keyId: key.id } };
}
