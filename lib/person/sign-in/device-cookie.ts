import "server-only";
import { cookies } from "next/headers";
import { accountStore } from "#lib/person/session/account-store";
import { cookieAttributes, cookieNamed } from "#lib/person/session/cookie-name";
import { rememberDevice } from "./known-device.ts";

/** How long a device is known after the last sign-in on it, in seconds. */
const lifeS = 90 * 24 * 60 * 60;

function cookieName(): string {
  return cookieNamed("device");
}

/** The device secret of this browser. */
export async function deviceOfCookie(): Promise<string | undefined> {
  const value = (await cookies()).get(cookieName())?.value;
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined;
}

/** From now on counts this browser's tries at this person's account apart from strangers' tries. */
export async function keepDevice(personId: string): Promise<void> {
  const device = await rememberDevice(accountStore(), personId, await deviceOfCookie());
  (await cookies()).set(cookieName(), device, { ...cookieAttributes(), maxAge: lifeS });
}
