import { randomBytes, timingSafeEqual } from "node:crypto";
import { nowMs } from "#lib/platform/now";
import { keyedHash, type KeyPepper } from "#lib/db/keyed-hash";

/** How long a passkey may take to sign. */
export const challengeLifeMs = 5 * 60 * 1000;

/** Who asks a passkey to sign, and what for; what was asked of one is answered by nobody else. */
export type AskedBy = `browser:${string}` | `session:${string}:${"prove" | "add"}`;

const nonceBytes = 16;
const untilBytes = 6;
const macBytes = 32;

/**
 * What a passkey is to sign: random bytes and until when, under our own key with whoever asks. Nothing of it is kept, so
 * that whoever asks again and again writes nothing; `useChallenge` keeps it once it was signed.
 */
export function makeChallenge(by: KeyPepper, askedBy: AskedBy, atMs = nowMs()): Uint8Array<ArrayBuffer> {
  const stated = Buffer.alloc(nonceBytes + untilBytes);
  randomBytes(nonceBytes).copy(stated);
  stated.writeUIntBE(Math.floor(atMs) + challengeLifeMs, nonceBytes, untilBytes);
  return new Uint8Array(Buffer.concat([stated, macOf(by, stated, askedBy)]));
}

/** A challenge that was signed, until its time is over. */
export type Signed = { readonly challenge: string; readonly until: Date };

/** What was signed, where it is a challenge of ours that is not over and that the same asked for. */
export function readChallenge(
  by: KeyPepper,
  { challenge, askedBy }: { readonly challenge: string; readonly askedBy: AskedBy },
): Signed | undefined {
  const bytes = Buffer.from(challenge, "base64url");
  // One text for each challenge, or the same could be used again under another.
  if (bytes.length !== nonceBytes + untilBytes + macBytes || bytes.toString("base64url") !== challenge)
    return undefined;
  const stated = bytes.subarray(0, -macBytes);
  if (!timingSafeEqual(bytes.subarray(-macBytes), macOf(by, stated, askedBy))) return undefined;
  const untilMs = stated.readUIntBE(nonceBytes, untilBytes);
  return untilMs > nowMs() ? { challenge, until: new Date(untilMs) } : undefined;
}

function macOf(by: KeyPepper, stated: Buffer, askedBy: AskedBy): Buffer {
  return keyedHash(by, `passkey challenge ${stated.toString("hex")} ${askedBy}`);
}
