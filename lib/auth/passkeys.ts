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
import type { Store } from "#lib/store/db";
import {
  keepChallenge,
  loadPasskey,
  passkeyHandles,
  takeChallenge,
  type AskedBy,
  type Passkey,
} from "#lib/store/passkeys";
import type { PasskeySite } from "./passkey-site.ts";

/** What a browser sent; nothing of it is believed before it is verified. */
export type Unverified = Readonly<Record<string, unknown>>;

/** Asks for a signature of a passkey, of one of this person's where one is named. */
export async function askPasskey(
  store: Store,
  { site, askedBy, personId }: { site: PasskeySite; askedBy: AskedBy; personId?: string | undefined },
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const handles = personId === undefined ? [] : await passkeyHandles(store, personId);
  const options = await generateAuthenticationOptions({
    rpID: site.rpId,
    allowCredentials: handles,
    // Whoever holds the device also shows the device that it is them: two factors in one.
    userVerification: "required",
    timeout: 120_000,
  });
  await keepChallenge(store, { challenge: options.challenge, askedBy });
  return options;
}

/** The passkey that signed what was asked, for this site, with its user verified; each challenge is looked at once. */
export async function verifySigned(
  store: Store,
  { site, askedBy, response }: { site: PasskeySite; askedBy: AskedBy; response: Unverified },
): Promise<{ readonly passkey: Passkey; readonly counter: number } | undefined> {
  const passkey = typeof response.id === "string" ? await loadPasskey(store, response.id) : undefined;
  if (!passkey) return undefined;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      // Safe because the library checks it, and what it trips over is no proof either.
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge: (challenge) => takeChallenge(store, { challenge, askedBy }),
      expectedOrigin: site.origin,
      expectedRPID: site.rpId,
      credential: { id: passkey.id, publicKey: passkey.publicKey, counter: passkey.counter },
      requireUserVerification: true,
    });
    return verified ? { passkey, counter: authenticationInfo.newCounter } : undefined;
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
  const options = await generateRegistrationOptions({
    rpName: "Prior authorization",
    rpID: site.rpId,
    userID: new TextEncoder().encode(owner.id),
    userName: owner.email,
    userDisplayName: owner.name,
    excludeCredentials: await passkeyHandles(store, owner.id),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    timeout: 120_000,
  });
  await keepChallenge(store, { challenge: options.challenge, askedBy });
  return options;
}

export type Made = Pick<Passkey, "id" | "publicKey" | "counter"> & { readonly transports: readonly string[] };

/** The passkey a device made as it was asked, with its user verified. */
export async function verifyMade(
  store: Store,
  { site, askedBy, response }: { site: PasskeySite; askedBy: AskedBy; response: Unverified },
): Promise<Made | undefined> {
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      // Safe because the library checks it, and what it trips over is no passkey either.
      response: response as unknown as RegistrationResponseJSON,
      expectedChallenge: (challenge) => takeChallenge(store, { challenge, askedBy }),
      expectedOrigin: site.origin,
      expectedRPID: site.rpId,
      requireUserVerification: true,
    });
    if (!verified) return undefined;
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    const known = transports
      .filter((transport) => typeof transport === "string" && transport.length <= 20)
      .slice(0, 10);
    return { id, publicKey: new Uint8Array(publicKey), counter, transports: known };
  } catch {
    return undefined;
  }
}
