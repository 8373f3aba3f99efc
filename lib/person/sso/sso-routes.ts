import "server-only";
import type { SsoIdentity } from "#lib/person/model/identity";
import type { Result } from "#lib/platform/result";
import type { ComesFrom } from "#lib/person/store/people";
import { type Store } from "#lib/db/db";
import { accountStore } from "#lib/person/session/account-store";
import type { NewSession, PendingSecondFactor } from "#lib/person/session/begin-session";
import { requestOrigin } from "#lib/person/session/request-origin";
import { keepDevice } from "#lib/person/sign-in/device-cookie";
import { endSession } from "#lib/person/session/end-session";
import { isOwnOrigin } from "#lib/person/session/own-origin";
import { requireRecentProof, type Self } from "#lib/person/second-factor/own-factors";
import { ssoProblems } from "#lib/messages/problems/account";
import { linkOwnAccount, proveByProvider } from "./own-link.ts";
import { currentPerson, selfOf } from "#lib/person/session/person";
import { sessionIdOfCookie, setSessionCookie } from "#lib/person/session/session-cookie";
import { issueTicket } from "#lib/person/sign-in/sign-in-ticket";
import { redirectOut, redirectTo, logFailure } from "./sso-answer.ts";
import { keepTrip, keepUnlinked, takeTrip } from "./sso-cookies.ts";
import { endTrip, startTrip, type SsoFailure } from "./sso-flow.ts";
import { purposeOf, refusalPage, type SsoPurpose } from "./sso-purpose.ts";
import { ssoSettings } from "./sso-settings.ts";
import { signInBySso } from "./sso-sign-in.ts";
import { clearTicketCookie, setTicketCookie } from "#lib/person/sign-in/ticket-cookie";

const formBytesMax = 8_192;

/** Sends the browser to the provider. Only a form of this service starts it. */
export async function startSso(request: Request): Promise<Response> {
  const settings = ssoSettings();
  if (!settings) return new Response(ssoProblems.none, { status: 404 });
  if (!isOwnOrigin(request)) return new Response(ssoProblems.otherOrigin, { status: 403 });
  const form = await formOf(request);
  const purpose = form && purposeOf(form, await sessionIdOfCookie());
  if (!purpose) return new Response(ssoProblems.otherForm, { status: 400 });
  const mayNot = await earlyRefusal(purpose);
  if (mayNot !== undefined) return refused(purpose, mayNot);
  const started = await startTrip(settings, purpose);
  if (!started.ok) return failed(purpose, started.refusal);
  await keepTrip(started.value.trip);
  return redirectOut(started.value.url);
}

/** Accepts an invitation with an account of the provider; a refusal is a code for the page. */
export type Join = (
  store: Store,
  person: { readonly token: string; readonly name: string; readonly identity: SsoIdentity; readonly from: ComesFrom },
) => Promise<Result<NewSession | PendingSecondFactor, string>>;

/**
 * Handles the browser's return from the provider. It is a GET, as the protocol requires; the purpose is in an encrypted
 * cookie.
 */
export async function finishSso(request: Request, { join }: { readonly join: Join }): Promise<Response> {
  const settings = ssoSettings();
  if (!settings) return new Response(ssoProblems.none, { status: 404 });
  const trip = await takeTrip();
  if (!trip) return refused({ kind: "sign-in", next: "/" }, "lost");
  const { purpose } = trip;
  const came = await endTrip(settings, trip, new URL(request.url).searchParams);
  if (!came.ok) return failed(purpose, came.refusal);
  if (purpose.kind === "sign-in") return signIn(purpose, came.value);
  if (purpose.kind !== "join") return completeOwn(purpose, came.value);
  const { code: token, name } = purpose;
  const joined = await join(accountStore(), { token, name, identity: came.value, from: await requestOrigin() });
  return joined.ok ? enter(joined.value, "/") : refused(purpose, joined.refusal);
}

type OwnPurpose = SsoPurpose & { readonly kind: "link" | "prove" };

/** Completes a purpose of the session that started it, as long as this browser still has that session. */
async function completeOwn(purpose: OwnPurpose, identity: SsoIdentity): Promise<Response> {
  const self = await ownerOf(purpose);
  if (!self) return refused(purpose, "lost");
  const done = await (purpose.kind === "link" ? linkOwnAccount(self, identity) : proveByProvider(self, identity));
  if (!done.ok) return refused(purpose, done.refusal);
  return redirectTo(purpose.kind === "link" ? "/account?done=linked" : "/account/proof");
}

/** The person of this purpose's session, where it is live and of this browser. */
async function ownerOf({ sessionId }: OwnPurpose): Promise<Self | undefined> {
  if ((await sessionIdOfCookie()) !== sessionId) return undefined;
  const person = await currentPerson();
  return person && selfOf(person);
}

/** A refusal that would come on the way back in any case, so that it comes before. */
async function earlyRefusal(purpose: SsoPurpose): Promise<string | undefined> {
  if (purpose.kind === "sign-in" || purpose.kind === "join") return undefined;
  const self = await ownerOf(purpose);
  if (!self) return "lost";
  if (purpose.kind === "prove") return self.actor.issuer === undefined ? "not-you" : undefined;
  const proved = requireRecentProof(self);
  return proved.ok ? undefined : proved.refusal;
}

async function signIn(purpose: SsoPurpose & { readonly kind: "sign-in" }, identity: SsoIdentity): Promise<Response> {
  const begun = await signInBySso(accountStore(), identity, await requestOrigin());
  if (begun) return enter(begun, purpose.next);
  await keepUnlinked(identity);
  return refused(purpose, "unlinked");
}

/** Begins the session, or redirects to the second factor that comes first. */
async function enter(begun: NewSession | PendingSecondFactor, next: string): Promise<Response> {
  if (begun.sessionId === undefined) {
    await setTicketCookie(await issueTicket(accountStore(), begun));
    return redirectTo(`/sign-in/second?${new URLSearchParams({ next }).toString()}`);
  }
  await endSession();
  await clearTicketCookie();
  await setSessionCookie(begun);
  await keepDevice(begun.personId);
  return redirectTo(next);
}

async function formOf(request: Request): Promise<FormData | undefined> {
  const length = Number(request.headers.get("content-length") ?? Number.NaN);
  if (!(length <= formBytesMax)) return undefined;
  try {
    return await request.formData();
  } catch {
    return undefined;
  }
}

function failed(purpose: SsoPurpose, failure: SsoFailure): Response {
  logFailure(failure);
  return refused(purpose, failure.type);
}

/** The page has a sentence for each code. */
function refused(purpose: SsoPurpose, why: string): Response {
  return redirectTo(refusalPage(purpose, why));
}
