import "server-only";
import { decode, encode } from "next-auth/jwt";
import { cookies } from "next/headers";
import { z } from "zod";
import { sessionSecret } from "#lib/platform/env";
import type { Identity } from "#lib/person/model/identity";
import { cookieAttributes, cookieNamed } from "#lib/person/session/cookie-name";
import type { SsoTrip } from "./sso-flow.ts";
import { ssoPurpose } from "./sso-purpose.ts";

/** How long a sign-in at the provider may take, and how long a refusal can be read, in seconds. */
const lifeS = 600;

const tripSchema = z.object({
  purpose: ssoPurpose,
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  since: z.number(),
});

const identitySchema = z.object({ issuer: z.string(), subject: z.string() });

/** Encrypted, because the person at the browser can read its cookies; each kind has a key of its own. */
const kinds = {
  "sso-trip": { path: "/sign-in/sso", schema: tripSchema },
  "sso-unlinked": { path: "/sign-in", schema: identitySchema },
} as const;

type Kind = keyof typeof kinds;
type StoredValues = { "sso-trip": SsoTrip; "sso-unlinked": Identity };

async function store<Name extends Kind>(name: Name, value: StoredValues[Name]): Promise<void> {
  const sealed = await encode({ token: { ...value }, secret: sessionSecret(), maxAge: lifeS, salt: name });
  await set(name, sealed, lifeS);
}

async function set(name: Kind, value: string, maxAge: number): Promise<void> {
  // Lax, because the provider sends the browser back from another site.
  (await cookies()).set(cookieNamed(name), value, { ...cookieAttributes(kinds[name].path), maxAge });
}

async function stored<Name extends Kind>(name: Name): Promise<StoredValues[Name] | undefined> {
  const sealed = (await cookies()).get(cookieNamed(name))?.value;
  if (!sealed) return undefined;
  try {
    const token = await decode({ token: sealed, secret: sessionSecret(), salt: name });
    // Safe because the schema of a kind parses exactly what is stored under it.
    return kinds[name].schema.safeParse(token).data as StoredValues[Name] | undefined;
  } catch {
    return undefined;
  }
}

/** Stores a started sign-in in the browser; it replaces an earlier one. */
export function keepTrip(trip: SsoTrip): Promise<void> {
  return store("sso-trip", trip);
}

/** The started sign-in of this browser. Reading it removes it, so that it comes back once. */
export async function takeTrip(): Promise<SsoTrip | undefined> {
  const trip = await stored("sso-trip");
  if (trip) await set("sso-trip", "", 0);
  return trip;
}

/** Lets the next page show the account of the provider, so that the person can tell it to an administrator. */
export function keepUnlinked({ issuer, subject }: Identity): Promise<void> {
  return store("sso-unlinked", { issuer, subject });
}

export function unlinkedIdentity(): Promise<Identity | undefined> {
  return stored("sso-unlinked");
}
