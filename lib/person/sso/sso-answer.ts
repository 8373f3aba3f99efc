import "server-only";
import { escapeHtml } from "#lib/platform/http/escape-html";
import { createLog } from "#lib/platform/log";
import { providerError, type SsoFailure } from "./sso-flow.ts";
import { ssoLabel } from "./sso-settings.ts";
import { onePerProcess } from "#lib/platform/process/one-per-process";

const unstored = { "cache-control": "no-store" } as const;

export function redirectTo(path: string): Response {
  return new Response(null, { status: 303, headers: { ...unstored, location: path } });
}

/**
 * A page that redirects by itself. It is no HTTP redirect, because browsers hold a form's redirects to its
 * `form-action`, which would have to name every address that the provider may redirect to.
 */
export function redirectOut(url: URL): Response {
  const [href, label] = [escapeHtml(url.href), escapeHtml(ssoLabel() ?? "")];
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta http-equiv="refresh" content="0;url=${href}"><title>Sign in</title><p><a href="${href}">Go on to ${label}</a></p></html>`;
  return new Response(html, { headers: { ...unstored, "content-type": "text/html; charset=utf-8" } });
}

/** Logs for the operator why a sign-in at the provider failed. */
export function logFailure({ type, cause }: SsoFailure): void {
  log().warn({ err: cause, why: type, ...errorCode(cause) }, "a trip to the provider came to nothing");
}

/** The provider's own error code, where it is one word. */
function errorCode(cause: unknown): { error?: string } {
  const error = providerError(cause);
  return error !== undefined && /^[a-z_]{1,40}$/.test(error) ? { error } : {};
}

function log(): ReturnType<typeof createLog> {
  return onePerProcess("sign-in-log", () => createLog("sign-in"));
}
