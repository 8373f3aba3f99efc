import "server-only";
import { cookies } from "next/headers";
import { sharedStore } from "#lib/db/db";
import { cookieAttributes, cookieNamed } from "#lib/person/session/cookie-name";
import { rememberDevice } from "./known-device.ts";

/** As long as a device is known after the last sign-in on it. */
const lifeS = 90 * 24 * 60 * 60;

function cookieName(): string {
  return cookieNamed("device");
}

/** What this browser keeps of having signed in before. */
export async function deviceOfCookie(): Promise<string | undefined> {
  const value = (await cookies()).get(cookieName())?.value;
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined;
}

/** Counts this browser's tries apart from strangers' from now on, where it is this person's account. */
export async function keepDevice(personId: string): Promise<void> {
  const device = await rememberDevice(sharedStore(), personId, await deviceOfCookie());
  (await cookies()).set(cookieName(), device, { ...cookieAttributes(), maxAge: lifeS });
}
