import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from "jose";
import { v7 as uuidv7 } from "uuid";

/** An agent's key. */
type Signer = { readonly privateKey: CryptoKey; readonly kid: string; readonly alg: string };

/** A key of an agent's own, with its public half as the agent gives it. */
export async function aSigner(alg = "ES384", modulusLength = 3_072): Promise<Signer & { readonly jwks: string }> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true, modulusLength });
  const kid = uuidv7();
  return { privateKey, kid, alg, jwks: JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid }] }) };
}

/** An assertion of these claims. */
export function signed({ privateKey, kid, alg }: Signer, payload: object, header: object = {}): Promise<string> {
  return new SignJWT({ ...payload }).setProtectedHeader({ alg, kid, typ: "JWT", ...header }).sign(privateKey);
}
