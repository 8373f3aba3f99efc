import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";

/** What a device answered; the server verifies it. */
type CredentialJson = Readonly<Record<string, unknown>>;

/** Has a device sign, by code that is fetched only now. Undefined where it does not, or nobody lets it. */
export async function signWithPasskey(
  ask: () => Promise<PublicKeyCredentialRequestOptionsJSON | undefined>,
): Promise<CredentialJson | undefined> {
  try {
    const [optionsJSON, { startAuthentication }] = [await ask(), await import("@simplewebauthn/browser")];
    return optionsJSON && { ...(await startAuthentication({ optionsJSON })) };
  } catch {
    return undefined;
  }
}

/** Has a device make a passkey. Undefined where it does not, or knows one already. */
export async function makePasskey(
  optionsJSON: PublicKeyCredentialCreationOptionsJSON,
): Promise<CredentialJson | undefined> {
  try {
    const { startRegistration } = await import("@simplewebauthn/browser");
    return { ...(await startRegistration({ optionsJSON })) };
  } catch {
    return undefined;
  }
}
