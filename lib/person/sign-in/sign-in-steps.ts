import "server-only";
import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/server";
import { passkeySite } from "#lib/person/second-factor/passkey-site";
import { browserRequester, signInByPasskey } from "#lib/person/second-factor/passkey-sign-in";
import { requestSignature, type PasskeyResponse } from "#lib/person/second-factor/passkeys";
import { beginSignIn, type Credentials, type SignInFailure } from "#lib/person/session/begin-session";
import { newBrowserSecret } from "#lib/person/session/browser-secret";
import { enter } from "#lib/person/session/enter";
import { returnPath } from "#lib/person/session/return-path";
import type { Visitor } from "#lib/person/session/visitor";
import { ok, refuse, type Result } from "#lib/platform/result";
import { finishSignIn, type SecondStepRefusal } from "./finish-sign-in.ts";
import { issueTicket, ticketOwner } from "./sign-in-ticket.ts";
import { setTicketCookie, ticketOfCookie } from "./ticket-cookie.ts";

type Next = { readonly next: string };

/** Where it goes on: to where the person was heading, or to the second step. */
type Step<Refusal> = Promise<Result<{ readonly path: string }, { readonly type: Refusal }>>;

/** The first step: email and password. Every failure looks the same. */
export async function takeFirstStep(
  { store, from }: Visitor,
  { next, ...credentials }: Credentials & Next,
): Step<SignInFailure> {
  const begun = await beginSignIn(store, credentials, from);
  if (!begun.ok) return refuse({ type: begun.refusal });
  const path = returnPath(next);
  if (begun.value.sessionId !== undefined) {
    await enter(begun.value);
    return ok({ path });
  }
  await setTicketCookie(await issueTicket(store, begun.value));
  return ok({ path: `/sign-in/second?next=${encodeURIComponent(path)}` });
}

/** The second step: a code of an app or a recovery code, with the ticket that the first step left in the browser. */
export async function takeSecondStep(
  { store, from }: Visitor,
  { code, next }: { readonly code: string } & Next,
): Step<SecondStepRefusal> {
  const finished = await finishSignIn(store, { ticket: (await ticketOfCookie()) ?? "", code, from });
  if (!finished.ok) return refuse({ type: finished.refusal });
  await enter(finished.value);
  return ok({ path: returnPath(next) });
}

/** What a passkey of this browser is to sign; in the second step, one of the person who took the first. */
export async function requestSignInSignature({
  store,
}: Visitor): Promise<Result<PublicKeyCredentialRequestOptionsJSON, { readonly type: "no-passkeys" }>> {
  const site = passkeySite();
  if (!site) return refuse({ type: "no-passkeys" });
  const known = await ticketOfCookie();
  const browser = known ?? newBrowserSecret();
  if (known === undefined) await setTicketCookie(browser);
  const personId = await ticketOwner(store, browser);
  return ok(await requestSignature(store, { site, requester: browserRequester(browser), personId }));
}

/** Both steps at once: what a passkey signed. `not-signed`: it is none of ours, or signed something else. */
export async function takeBothSteps(
  { store, from }: Visitor,
  { response, next }: { readonly response: PasskeyResponse } & Next,
): Step<"not-signed"> {
  const [site, browser] = [passkeySite(), await ticketOfCookie()];
  const begun = site && browser !== undefined && (await signInByPasskey(store, { site, browser, response, from }));
  if (!begun) return refuse({ type: "not-signed" });
  await enter(begun);
  return ok({ path: returnPath(next) });
}
