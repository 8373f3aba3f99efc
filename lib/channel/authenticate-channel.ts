import { admit, type Admission, type Credential, type Prefetch } from "#lib/channel/store/admission";
import type { Store } from "#lib/db/db";
import { readCredential } from "./channel-key.ts";

export type AuthenticateOptions = {
  /** The address of the connection. Without one, a channel with an IP allowlist is not admitted. */
  readonly address?: string | undefined;
  readonly wanted?: Prefetch | undefined;
};

/**
 * The channel of a bearer key or token, with its permissions at this moment. Undefined for a credential that is
 * missing, malformed, unknown, expired, revoked or used from an address outside the allowlist. A text without the form
 * of our keys costs no query; every other one is looked up by the same statement, which finds no row whatever the
 * reason.
 */
export async function authenticateChannel(
  store: Store,
  bearer: string | undefined,
  { address, wanted }: AuthenticateOptions = {},
): Promise<Admission | undefined> {
  const key = bearer === undefined ? undefined : readCredential(store, bearer);
  return key && admitKey(store, { keyId: key.id, secretHash: key.secretHash, address }, wanted);
}

/** The same of a credential that was read already. */
export async function admitKey(
  store: Store,
  by: Credential,
  wanted: Prefetch | undefined,
): Promise<Admission | undefined> {
  const admission = await admit(store, by, wanted);
  return admission && { ...admission, actor: { ...admission.actor, keyId: by.keyId } };
}
