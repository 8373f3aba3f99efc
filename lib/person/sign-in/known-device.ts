import { createHash } from "node:crypto";
import type { Store } from "#lib/db/db";
import { isAnybodysDevice, isKnownDevice, knowDevice } from "#lib/person/store/known-devices";
import { newBrowserSecret } from "#lib/person/session/browser-secret";

/**
 * The secret of a browser on which a person signed in before: 256 random bits that name no one. It opens and proves
 * nothing and replaces no password or code; tries on it are only counted apart from strangers' tries.
 */
export type Device = string;

/** A fast hash is enough, because the secret has 256 random bits. */
function deviceHash(device: Device): Buffer {
  return createHash("sha256").update(`known device ${device}`).digest();
}

/** The counter of a device's tries at this account; undefined where the account was never signed in to on it. */
export async function deviceOf(
  store: Store,
  { account, device }: { readonly account: string; readonly device?: Device | undefined },
): Promise<string | undefined> {
  if (device === undefined) return undefined;
  const hash = deviceHash(device);
  return (await isKnownDevice(store, { account, hash })) ? hash.toString("hex") : undefined;
}

/**
 * Remembers the browser as one this person signed in on. Returns the secret it has to keep: its own, where it had a
 * valid one.
 */
export async function rememberDevice(store: Store, personId: string, had: Device | undefined): Promise<Device> {
  // A secret on which no one signed in may have been planted by a person who knows it.
  const device = had !== undefined && (await isAnybodysDevice(store, deviceHash(had))) ? had : newBrowserSecret();
  await knowDevice(store, { personId, hash: deviceHash(device) });
  return device;
}
