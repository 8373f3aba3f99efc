import "server-only";
import { decode, encode } from "next-auth/jwt";
import { cookies } from "next/headers";
import { z } from "zod";
import { sessionSecret } from "#lib/platform/env";
import type { Identity } from "#lib/person/model/identity";
import { cookieAttributes, cookieNamed } from "#lib/person/session/cookie-name";
import type { SsoTrip } from "./sso-flow.ts";
import { ssoPurpose } from "./sso-purpose.ts";

/** How long a trip to the provider may take, and how long a refusal can be read. */
const lifeS = 600;

const tripSchema = z.object({
  purpose: ssoPurpose,
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  since: z.number(),
});

const identitySchema = z.object({ issuer: z.string(), subject: z.string() });

/** Sealed, because a browser may hand its cookies to whoever sits at it; each under a key of its own. */
const kinds = {
  "sso-trip": { path: "/sign-in/sso", schema: tripSchema },
  "sso-unlinked": { path: "/sign-in", schema: identitySchema },
} as const;

type Kind = keyof typeof kinds;
type Kept = { "sso-trip": SsoTrip; "sso-unlinked": Identity };

async function keep<Name extends Kind>(name: Name, value: Kept[Name]): Promise<void> {
  const sealed = await encode({ token: { ...value }, secret: sessionSecret(), maxAge: lifeS, salt: name });
  await set(name, sealed, lifeS);
}

async function set(name: Kind, value: string, maxAge: number): Promise<void> {
  // Lax, because the provider sends the browser back from another site.
  (await cookies()).set(cookieNamed(name), value, { ...cookieAttributes(kinds[name].path), maxAge });
}

async function kept<Name extends Kind>(name: Name): Promise<Kept[Name] | undefined> {
  const sealed = (await cookies()).get(cookieNamed(name))?.value;
  if (!sealed) return undefined;
  try {
    const token = await decode({ token: sealed, secret: sessionSecret(), salt: name });
    // Safe because the schema of a kind reads exactly what is kept under it.
    return kinds[name].schema.safeParse(token).data as Kept[Name] | undefined;
  } catch {
    return undefined;
  }
}

/** Remembers a trip in the browser that sets out; another one forgets it. */
export function keepTrip(trip: SsoTrip): Promise<void> {
  return keep("sso-trip", trip);
}

/** The trip this browser is on, which ends with this: it comes back once. */
export async function takeTrip(): Promise<SsoTrip | undefined> {
  const trip = await kept("sso-trip");
  if (trip) await set("sso-trip", "", 0);
  return trip;
}

/** Lets the next page say as whom somebody came, so that they can tell it to an administrator. */
export function keepUnlinked({ issuer, subject }: Identity): Promise<void> {
  return keep("sso-unlinked", { issuer, subject });
}

export function unlinkedIdentity(): Promise<Identity | undefined> {
  return kept("sso-unlinked");
}
