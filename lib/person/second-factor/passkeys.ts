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
import type { Store } from "#lib/db/db";
import { loadPasskey, passkeyHandles, type Passkey } from "#lib/person/store/passkeys";
import { makeChallenge, readChallenge, type AskedBy, type Signed } from "./passkey-challenge.ts";
import type { PasskeySite } from "./passkey-site.ts";

/** What a browser sent; nothing of it is believed before it is verified. */
export type PasskeyResponse = Readonly<Record<string, unknown>>;

/** Asks for a signature of a passkey, of one of this person's where one is named. */
export async function askPasskey(
  store: Store,
  { site, askedBy, personId }: { site: PasskeySite; askedBy: AskedBy; personId?: string | undefined },
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const handles = personId === undefined ? [] : await passkeyHandles(store, personId);
  return generateAuthenticationOptions({
    rpID: site.rpId,
    challenge: makeChallenge(store, askedBy),
    allowCredentials: handles,
    // Whoever holds the device also shows the device that it is them: two factors in one.
    userVerification: "required",
    timeout: 120_000,
  });
}

/**
 * The passkey that signed what was asked, for this site, with its user verified. Whoever acts on it uses the challenge up
 * in the same commit.
 */
export async function verifySigned(
  store: Store,
  { site, askedBy, response }: { site: PasskeySite; askedBy: AskedBy; response: PasskeyResponse },
): Promise<{ readonly passkey: Passkey; readonly counter: number; readonly signed: Signed } | undefined> {
  let signed: Signed | undefined;
  const passkey = typeof response.id === "string" ? await loadPasskey(store, response.id) : undefined;
  if (!passkey) return undefined;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      // Safe because the library checks it, and what it trips over is no proof either.
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge: (challenge) => {
        signed = readChallenge(store, { challenge, askedBy });
        return signed !== undefined;
      },
      expectedOrigin: site.origin,
      expectedRPID: site.rpId,
      credential: { id: passkey.id, publicKey: passkey.publicKey, counter: passkey.counter },
      requireUserVerification: true,
    });
    return verified && signed ? { passkey, counter: authenticationInfo.newCounter, signed } : undefined;
  } catch {
    return undefined;
  }
}

type Owner = { readonly id: string; readonly email: string; readonly name: string };

/** Asks a device to make a passkey that is found without a name and verifies its user. */
export async function askNewPasskey(
  store: Store,
  { site, askedBy, owner }: { site: PasskeySite; askedBy: AskedBy; owner: Owner },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  return generateRegistrationOptions({
    rpName: "Prior authorization",
    rpID: site.rpId,
    challenge: makeChallenge(store, askedBy),
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

/** The passkey a device made as it was asked, with its user verified; the challenge is used up as above. */
export async function verifyMade(
  store: Store,
  { site, askedBy, response }: { site: PasskeySite; askedBy: AskedBy; response: PasskeyResponse },
): Promise<{ readonly made: VerifiedPasskey; readonly signed: Signed } | undefined> {
  let signed: Signed | undefined;
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      // Safe because the library checks it, and what it trips over is no passkey either.
      response: response as unknown as RegistrationResponseJSON,
      expectedChallenge: (challenge) => {
        signed = readChallenge(store, { challenge, askedBy });
        return signed !== undefined;
      },
      expectedOrigin: site.origin,
      expectedRPID: site.rpId,
      requireUserVerification: true,
    });
    if (!verified || !signed) return undefined;
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    const known = transports
      .filter((transport) => typeof transport === "string" && transport.length <= 20)
      .slice(0, 10);
    return { made: { id, publicKey: new Uint8Array(publicKey), counter, transports: known }, signed };
  } catch {
    return undefined;
  }
}
