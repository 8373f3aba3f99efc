import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { decodeClientDataJSON } from "@simplewebauthn/server/helpers";
import type { Store } from "#lib/db/db";
import { loadPasskey, passkeyHandles, type Passkey } from "#lib/person/store/passkeys";
import { makeChallenge, readChallenge, type Requester, type SignedChallenge } from "./passkey-challenge.ts";
import type { PasskeySite } from "./passkey-site.ts";

/** What a browser sent. It must be verified before any use. */
export type PasskeyResponse = Readonly<Record<string, unknown>>;

/** Returns the options for a signature by a passkey; by one of this person's passkeys where a person is given. */
export async function requestSignature(
  store: Store,
  { site, requester, personId }: { site: PasskeySite; requester: Requester; personId?: string | undefined },
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const handles = personId === undefined ? [] : await passkeyHandles(store, personId);
  return generateAuthenticationOptions({
    rpID: site.rpId,
    challenge: makeChallenge(store, requester),
    allowCredentials: handles,
    // The device verifies its user, which makes a passkey two factors in one.
    userVerification: "required",
    timeout: 120_000,
  });
}

/**
 * Finds the passkey that signed this challenge, for this site, with its user verified. The caller uses the challenge up
 * in the commit that acts on it.
 */
export async function verifySignature(
  store: Store,
  { site, requester, response }: { site: PasskeySite; requester: Requester; response: PasskeyResponse },
): Promise<{ readonly passkey: Passkey; readonly counter: number; readonly signed: SignedChallenge } | undefined> {
  const passkey = typeof response.id === "string" ? await loadPasskey(store, response.id) : undefined;
  if (!passkey) return undefined;
  try {
    // Safe because the library checks every member, and an input that makes it throw is no proof either.
    const answered = response as unknown as AuthenticationResponseJSON;
    const signed = signedChallenge(store, answered, requester);
    if (!signed) return undefined;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answered,
      expectedChallenge: signed.challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rpId,
      credential: { id: passkey.id, publicKey: passkey.publicKey, counter: passkey.counter },
      requireUserVerification: true,
    });
    return verified ? { passkey, counter: authenticationInfo.newCounter, signed } : undefined;
  } catch {
    return undefined;
  }
}

/** The challenge that a response says it signed, if it is one of ours. The library compares the two again. */
function signedChallenge(
  store: Store,
  { response }: { readonly response: { readonly clientDataJSON: string } },
  requester: Requester,
): SignedChallenge | undefined {
  const { challenge } = decodeClientDataJSON(response.clientDataJSON);
  return readChallenge(store, { challenge, requester });
}

type Owner = { readonly id: string; readonly email: string; readonly name: string };

/** Returns the options from which a device creates a discoverable passkey that verifies its user. */
export async function requestNewPasskey(
  store: Store,
  { site, requester, owner }: { site: PasskeySite; requester: Requester; owner: Owner },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  return generateRegistrationOptions({
    rpName: "Prior authorization",
    rpID: site.rpId,
    challenge: makeChallenge(store, requester),
    userID: new TextEncoder().encode(owner.id),
    userName: owner.email,
    userDisplayName: owner.name,
    excludeCredentials: await passkeyHandles(store, owner.id),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    timeout: 120_000,
  });
}

export type VerifiedPasskey = Pick<Passkey, "id" | "publicKey" | "counter"> & {
  readonly transports: readonly string[];
};

/**
 * Verifies a new passkey: created for this challenge, with its user verified. The caller uses the challenge up, as
 * above.
 */
export async function verifyNewPasskey(
  store: Store,
  { site, requester, response }: { site: PasskeySite; requester: Requester; response: PasskeyResponse },
): Promise<{ readonly made: VerifiedPasskey; readonly signed: SignedChallenge } | undefined> {
  try {
    // Safe because the library checks every member, and an input that makes it throw is no passkey either.
    const made = response as unknown as RegistrationResponseJSON;
    const signed = signedChallenge(store, made, requester);
    if (!signed) return undefined;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: made,
      expectedChallenge: signed.challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rpId,
      requireUserVerification: true,
    });
    if (!verified) return undefined;
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    const known = transports
      .filter((transport) => typeof transport === "string" && transport.length <= 20)
      .slice(0, 10);
    return { made: { id, publicKey: new Uint8Array(publicKey), counter, transports: known }, signed };
  } catch {
    return undefined;
  }
}
