import { generateSecret, generateURI, verify } from "otplib";

/** A new secret of 160 random bits, in base32. */
export function newTotpSecret(): string {
  return generateSecret();
}

/** What a phone's camera reads into an authenticator app. */
export function totpUri({ secret, email }: { readonly secret: string; readonly email: string }): string {
  return generateURI({ issuer: "Prior authorization", label: email, secret });
}

/** How far a phone's clock may be off, in seconds, either way. */
const toleranceS = 30;

/** The step of 30 s this code belongs to, where it is one of this secret after `lastTimeStep` and of about now (RFC 6238). */
export async function timeStepOf(
  code: string,
  { secret, lastTimeStep }: { readonly secret: string; readonly lastTimeStep: number },
): Promise<number | undefined> {
  if (!/^\d{6}$/.test(code)) return undefined;
  const verified = await verify({
    ...{ secret, token: code, epochTolerance: toleranceS },
    ...(lastTimeStep > 0 ? { afterTimeStep: lastTimeStep } : {}),
  });
  return verified.valid && "timeStep" in verified ? verified.timeStep : undefined;
}
