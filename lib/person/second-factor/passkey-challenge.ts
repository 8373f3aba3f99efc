import { randomBytes, timingSafeEqual } from "node:crypto";
import { nowMs } from "#lib/platform/now";
import { keyedHash, type KeyPepper } from "#lib/db/keyed-hash";

/** How long a passkey may take to sign. */
export const challengeLifeMs = 5 * 60 * 1000;

/** Who requested a signature, and for what. A signature made for one request is not valid for another. */
export type Requester = `browser:${string}` | `session:${string}:${"prove" | "add"}`;

const nonceBytes = 16;
const untilBytes = 6;
const macBytes = 32;

/**
 * What a passkey signs: random bytes and an expiry, authenticated with our key for one requester. It is not stored, so
 * that repeated requests write nothing; `useChallenge` stores it once it was signed.
 */
export function makeChallenge(by: KeyPepper, requester: Requester, atMs = nowMs()): Uint8Array<ArrayBuffer> {
  const stated = Buffer.alloc(nonceBytes + untilBytes);
  randomBytes(nonceBytes).copy(stated);
  stated.writeUIntBE(Math.floor(atMs) + challengeLifeMs, nonceBytes, untilBytes);
  return new Uint8Array(Buffer.concat([stated, macOf(by, stated, requester)]));
}

/** A signed challenge, and when it expires. */
export type SignedChallenge = { readonly challenge: string; readonly until: Date };

/** Reads a signed challenge; undefined unless it is ours, unexpired, and was made for this requester. */
export function readChallenge(
  by: KeyPepper,
  { challenge, requester }: { readonly challenge: string; readonly requester: Requester },
): SignedChallenge | undefined {
  const bytes = Buffer.from(challenge, "base64url");
  // Each challenge has one valid text; otherwise it could be used again in another spelling.
  if (bytes.length !== nonceBytes + untilBytes + macBytes || bytes.toString("base64url") !== challenge)
    return undefined;
  const stated = bytes.subarray(0, -macBytes);
  if (!timingSafeEqual(bytes.subarray(-macBytes), macOf(by, stated, requester))) return undefined;
  const untilMs = stated.readUIntBE(nonceBytes, untilBytes);
  return untilMs > nowMs() ? { challenge, until: new Date(untilMs) } : undefined;
}

function macOf(by: KeyPepper, stated: Buffer, requester: Requester): Buffer {
  return keyedHash(by, `passkey challenge ${stated.toString("hex")} ${requester}`);
}
