"use server";

import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/server";
import { accountStore } from "#lib/person/session/account-store";
import { newBrowserSecret } from "#lib/person/session/browser-secret";
import { requestOrigin } from "#lib/person/session/request-origin";
import { enter } from "#lib/person/session/enter";
import { addPasskey } from "./own-passkeys.ts";
import { passkeySite } from "./passkey-site.ts";
import { browserRequester, proveByPasskey, signInByPasskey } from "./passkey-sign-in.ts";
import { requestSignature, type PasskeyResponse } from "./passkeys.ts";
import { currentPerson, selfOf } from "#lib/person/session/person";
import { returnPath } from "#lib/person/session/return-path";
import { sessionIdOfCookie } from "#lib/person/session/session-cookie";
import { ticketOwner } from "#lib/person/sign-in/sign-in-ticket";
import { setTicketCookie, ticketOfCookie } from "#lib/person/sign-in/ticket-cookie";

/** What this browser's passkey is to sign for a sign-in; in the second step, one of the person who took the first. */
export async function askSignIn(): Promise<PublicKeyCredentialRequestOptionsJSON | undefined> {
  const site = passkeySite();
  if (!site) return undefined;
  const known = await ticketOfCookie();
  const browser = known ?? newBrowserSecret();
  if (known === undefined) await setTicketCookie(browser);
  const personId = await ticketOwner(accountStore(), browser);
  return requestSignature(accountStore(), { site, requester: browserRequester(browser), personId });
}

/** Signs in by a passkey alone and goes on; false where it is not one of ours, or signed something else. */
export async function signInSigned(response: PasskeyResponse, next: string): Promise<false> {
  const [site, browser] = [passkeySite(), await ticketOfCookie()];
  if (!site || browser === undefined || !isObject(response)) return false;
  const begun = await signInByPasskey(accountStore(), { site, browser, response, from: await requestOrigin() });
  return begun ? enter(begun, returnPath(next)) : false;
}

/** What a passkey of the signed-in person is to sign, to prove again who they are. */
export async function askProof(): Promise<PublicKeyCredentialRequestOptionsJSON | undefined> {
  const [site, person, sessionId] = [passkeySite(), await currentPerson(), await sessionIdOfCookie()];
  if (!site || !person || sessionId === undefined) return undefined;
  return requestSignature(accountStore(), { site, requester: `session:${sessionId}:prove`, personId: person.id });
}

/** Whether it proved who they are; it holds for ten minutes. */
export async function proveSigned(response: PasskeyResponse): Promise<boolean> {
  const [site, person, sessionId] = [passkeySite(), await currentPerson(), await sessionIdOfCookie()];
  if (!site || !person || sessionId === undefined || !isObject(response)) return false;
  const session = { personId: person.id, sessionId };
  return (await proveByPasskey(accountStore(), { ...session, site, response })) !== undefined;
}

/** Adds what the device made; the recovery codes that come with a first factor are shown this one time. */
export async function addMade(response: PasskeyResponse, name: string): Promise<readonly string[] | false> {
  const [site, person] = [passkeySite(), await currentPerson()];
  const self = person && (await selfOf(person));
  if (!site || !self || !isObject(response)) return false;
  const added = await addPasskey(self, { site, response, name: typeof name === "string" ? name : "" });
  return added.ok ? added.value.recoveryCodes : false;
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
