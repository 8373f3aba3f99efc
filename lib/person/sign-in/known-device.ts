import { createHash } from "node:crypto";
import type { Store } from "#lib/db/db";
import { isAnybodysDevice, isKnownDevice, knowDevice } from "#lib/person/store/known-devices";
import { newBrowserSecret } from "#lib/person/session/browser-secret";

/**
 * What a browser keeps of having signed in before: 256 random bits that say nothing of whom. It opens nothing, proves
 * nothing and takes the place of no password or code; it only lets whoever tries on it be counted apart from strangers.
 */
export type Device = string;

/** A fast hash will do, because what it covers has 256 random bits. */
function deviceHash(device: Device): Buffer {
  return createHash("sha256").update(`known device ${device}`).digest();
}

/** By what a device's tries at this account are counted; undefined where nobody signed in to it there. */
export async function deviceOf(
  store: Store,
  { account, device }: { readonly account: string; readonly device?: Device | undefined },
): Promise<string | undefined> {
  if (device === undefined) return undefined;
  const hash = deviceHash(device);
  return (await isKnownDevice(store, { account, hash })) ? hash.toString("hex") : undefined;
}

/** Knows the browser from now on as one this person signed in on; gives what it is to keep, its own where it had some. */
export async function rememberDevice(store: Store, personId: string, had: Device | undefined): Promise<Device> {
  // What nobody signed in on may have been put there by somebody who knows it.
  const device = had !== undefined && (await isAnybodysDevice(store, deviceHash(had))) ? had : newBrowserSecret();
  await knowDevice(store, { personId, hash: deviceHash(device) });
  return device;
}
