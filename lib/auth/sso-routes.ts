import "server-only";
import { sharedStore } from "#lib/store/db";
import { createLog } from "#lib/log";
import { comesFrom } from "./comes-from.ts";
import { endSession } from "./end-session.ts";
import { isOwnOrigin } from "./own-origin.ts";
import { returnPath } from "./return-path.ts";
import { setSessionCookie } from "./session-cookie.ts";
import { issueTicket } from "./sign-in-ticket.ts";
import { keepTrip, keepUnlinked, takeTrip } from "./sso-cookies.ts";
import { endTrip, startTrip, type SsoFailure } from "./sso-flow.ts";
import { ssoLabel, ssoSettings } from "./sso-settings.ts";
import { signInBySso } from "./sso-sign-in.ts";
import { clearTicketCookie, setTicketCookie } from "./ticket-cookie.ts";

const formBytesMax = 8_192;

/** Sends the browser to the provider. A form of ours posts here; nothing else sets out. */
export async function startSso(request: Request): Promise<Response> {
  const settings = ssoSettings();
  if (!settings) return new Response("There is no single sign-on here.", { status: 404 });
  if (!isOwnOrigin(request)) return new Response("This form was not posted by a page of ours.", { status: 403 });
  const form = await formOf(request);
  if (!form) return new Response("This is no form of ours.", { status: 400 });
  const next = returnPath(form.get("next"));
  const started = await startTrip(settings, { purpose: "sign-in", next });
  if (!started.ok) return failed(started.refusal, next);
  await keepTrip(started.value.trip);
  return leadOut(started.value.url);
}

/** What the provider sends the browser back to. A GET, as the protocol has it: what it came for is in a sealed cookie. */
export async function backFromSso(request: Request): Promise<Response> {
  const settings = ssoSettings();
  if (!settings) return new Response("There is no single sign-on here.", { status: 404 });
  const trip = await takeTrip();
  if (!trip) return refused("lost", "/");
  const came = await endTrip(settings, trip, new URL(request.url).searchParams);
  if (!came.ok) return failed(came.refusal, trip.next);
  const begun = await signInBySso(sharedStore(), came.value, await comesFrom());
  if (!begun) {
    await keepUnlinked(came.value);
    return refused("unlinked", trip.next);
  }
  if (begun.sessionId === undefined) {
    await setTicketCookie(await issueTicket(sharedStore(), begun));
    return to(`/sign-in/second?${new URLSearchParams({ next: trip.next }).toString()}`);
  }
  await endSession();
  await clearTicketCookie();
  await setSessionCookie(begun);
  return to(trip.next);
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

/** Why somebody did not get in; the sign-in page has a sentence for each. */
export type SsoRefusal = SsoFailure["type"] | "lost" | "unlinked";

function failed({ type, cause }: SsoFailure, next: string): Response {
  log().warn({ err: cause, why: type, ...errorCode(cause) }, "a sign-in through the provider failed");
  return refused(type, next);
}

function refused(why: SsoRefusal, next: string): Response {
  return to(`/sign-in?${new URLSearchParams({ sso: why, ...(next === "/" ? {} : { next }) }).toString()}`);
}

const unstored = { "cache-control": "no-store" } as const;

function to(path: string): Response {
  return new Response(null, { status: 303, headers: { ...unstored, location: path } });
}

/**
 * A page that goes on by itself. Not a redirect: browsers hold a form's redirects to its `form-action`, which would
 * have to name every address the provider may itself send people on to.
 */
function leadOut(url: URL): Response {
  const [href, label] = [escaped(url.href), escaped(ssoLabel() ?? "")];
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta http-equiv="refresh" content="0;url=${href}"><title>Sign in</title><p><a href="${href}">Go on to ${label}</a></p></html>`;
  return new Response(html, { headers: { ...unstored, "content-type": "text/html; charset=utf-8" } });
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** What the provider calls its own error, where it is a word. */
function errorCode(cause: unknown): { error?: string } {
  const error: unknown = typeof cause === "object" && cause !== null && "error" in cause ? cause.error : undefined;
  return typeof error === "string" && /^[a-z_]{1,40}$/.test(error) ? { error } : {};
}

let made: ReturnType<typeof createLog> | undefined;

function log(): ReturnType<typeof createLog> {
  return (made ??= createLog("sign-in"));
}
