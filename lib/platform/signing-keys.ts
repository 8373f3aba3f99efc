import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { z } from "zod";

/** A public key that verifies receipts, as a JWK of RFC 8037. */
export type ReceiptKey = {
  readonly kty: "OKP";
  readonly crv: "Ed25519";
  readonly x: string;
  readonly kid: string;
  readonly use: "sig";
  readonly alg: "EdDSA";
};

/** A signer; its private key never leaves it. */
export type SigningKey = {
  readonly key: ReceiptKey;
  /** The signature over the text's UTF-8 in base64url. */
  readonly signText: (text: string) => string;
};

/** The PKCS #8 prefix of the 32 bytes of an Ed25519 private key (RFC 8410, 7). */
const privateKeyFrame = Buffer.from("302e020100300506032b657004220420", "hex");

/** An Ed25519 key pair from its 32 private bytes. */
export function openSigningKey(seed: Uint8Array): SigningKey {
  if (seed.length !== 32) throw new Error("A key to sign with must be 32 bytes.");
  const secret = createPrivateKey({ key: Buffer.concat([privateKeyFrame, seed]), format: "der", type: "pkcs8" });
  const { x } = createPublicKey(secret).export({ format: "jwk" });
  if (x === undefined) throw new Error("An Ed25519 key has a public half.");
  return {
    key: receiptKey(x),
    signText: (text) => sign(null, Buffer.from(text, "utf8"), secret).toString("base64url"),
  };
}

/** The public key with these 32 bytes in base64url; its id is its RFC 7638 thumbprint. */
export function receiptKey(x: string): ReceiptKey {
  const kid = createHash("sha256").update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest("base64url");
  return { kty: "OKP", crv: "Ed25519", x, kid, use: "sig", alg: "EdDSA" };
}

/** The public keys of all receipts, the current one first: that of `signingKey` from the environment, and its predecessors. */
export function publishedKeys(signingKey: string | undefined, past: readonly string[]): readonly ReceiptKey[] {
  const current = signingKey === undefined ? [] : [openSigningKey(Buffer.from(signingKey, "base64")).key];
  const before = past.map(receiptKey).filter(({ kid }) => current.every((key) => key.kid !== kid));
  return [...current, ...before];
}

/** Whether the signature, in base64url, is of this key over the UTF-8 of the text. */
export function isTextSignedBy({ x }: ReceiptKey, text: string, signature: string): boolean {
  return verify(null, Buffer.from(text, "utf8"), publicKeyOf(x), Buffer.from(signature, "base64url"));
}

function publicKeyOf(x: string): KeyObject {
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
}

/** The 32 bytes of a public key in canonical base64url. */
export const publicKeyText = z
  .string()
  .refine(
    (text) =>
      Buffer.from(text, "base64url").length === 32 && Buffer.from(text, "base64url").toString("base64url") === text,
    "must be the 43 characters of a public key's `x`",
  );

const anyKey = z.looseObject({ kty: z.string() });
const ed25519Key = z.looseObject({ kty: z.literal("OKP"), crv: z.literal("Ed25519"), x: publicKeyText });

/**
 * Reads a file of public keys: a JWK set (RFC 7517) or one JWK. Keys of other types are ignored, and each key's id is computed
 * anew, whatever the file says. Undefined if the file is invalid or holds no such key.
 */
export function readReceiptKeys(text: string): readonly ReceiptKey[] | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  const read = z.union([
    z.looseObject({ keys: z.array(anyKey) }).transform(({ keys }) => keys),
    anyKey.transform((key) => [key]),
  ]);
  const keys = read.safeParse(json).data ?? [];
  const found = keys.flatMap((key) => {
    const parsed = ed25519Key.safeParse(key);
    return parsed.success ? [receiptKey(parsed.data.x)] : [];
  });
  return found.length > 0 ? found : undefined;
}
