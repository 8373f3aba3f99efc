import { randomInt } from "node:crypto";
import { generateURI, verify } from "otplib";
import { nowMs } from "#lib/platform/now";

/** RFC 4648, section 6. */
const base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** A new secret of 160 random bits, in base32: 32 digits of five bits each. */
export function newTotpSecret(): string {
  return Array.from({ length: 32 }, () => base32[randomInt(base32.length)]).join("");
}

/** The address that an authenticator app reads from a QR code. */
export function totpUri({ secret, email }: { readonly secret: string; readonly email: string }): string {
  return generateURI({ issuer: "Prior authorization", label: email, secret });
}

/**
 * The 30-second step of a code, where it is the step of this moment (RFC 6238) and after `lastTimeStep`; undefined
 * otherwise. A code is valid for its half minute alone (OWASP ASVS 6.5.5).
 */
export async function timeStepOf(
  code: string,
  { secret, lastTimeStep }: { readonly secret: string; readonly lastTimeStep: number },
  now = nowMs(),
): Promise<number | undefined> {
  if (!/^\d{6}$/.test(code)) return undefined;
  const verified = await verify({ secret, token: code, epochTolerance: 0, epoch: Math.floor(now / 1_000) });
  // Compared here, because the library throws where the last step is in the future, as another server's clock may make
  // it.
  const isNew = verified.valid && "timeStep" in verified && verified.timeStep > lastTimeStep;
  return isNew ? verified.timeStep : undefined;
}
