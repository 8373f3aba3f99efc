import { generateSecret, generateURI, verify } from "otplib";
import { nowMs } from "#lib/platform/now";

/** A new secret of 160 random bits, in base32. */
export function newTotpSecret(): string {
  return generateSecret();
}

/** What a phone's camera reads into an authenticator app. */
export function totpUri({ secret, email }: { readonly secret: string; readonly email: string }): string {
  return generateURI({ issuer: "Prior authorization", label: email, secret });
}

/**
 * The step of 30 s this code belongs to, where it is the one the app shows now (RFC 6238) and after `lastTimeStep`. A code
 * has no life beyond its half minute (OWASP ASVS 6.5.5).
 */
export async function timeStepOf(
  code: string,
  { secret, lastTimeStep }: { readonly secret: string; readonly lastTimeStep: number },
  now = nowMs(),
): Promise<number | undefined> {
  if (!/^\d{6}$/.test(code)) return undefined;
  const verified = await verify({ secret, token: code, epochTolerance: 0, epoch: Math.floor(now / 1_000) });
  // Compared here: the library throws where the last was after now, as another server's clock may have it.
  const isNew = verified.valid && "timeStep" in verified && verified.timeStep > lastTimeStep;
  return isNew ? verified.timeStep : undefined;
}
