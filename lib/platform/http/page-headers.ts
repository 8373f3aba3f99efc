import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isForeign, type ForwardingTrust } from "./addressed.ts";
import { answer } from "./front.ts";

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void | Promise<void>;

/** What every page and asset carries. */
const alwaysSent = new Map([
  // `no-referrer` would make forms posted without JavaScript send `Origin: null`, which actions refuse.
  ["referrer-policy", "same-origin"],
  ["x-content-type-options", "nosniff"],
  ["x-frame-options", "DENY"],
  ["permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"],
  ["cross-origin-opener-policy", "same-origin"],
]);

/**
 * A case's file is no page, nor is what a payer sent: each lets itself be framed here, and all its headers are its own.
 */
const file =
  /^\/(?:tasks\/[^/]+\/attachments\/[0-9a-f]{64}|tasks\/[^/]+\/answers\/[0-9a-f-]{36}|notifications\/[0-9a-f-]{36})$/;

/** Nor is a receipt: it has a policy of its own, which Next would write beside a page's. */
const receipt = /^\/tasks\/[^/]+\/receipts\/[0-9a-f-]{36}$/;

export type PageOptions = ForwardingTrust & { readonly development: boolean };

/**
 * Gives every page its content security policy with its nonce, and turns away what another site's page posts. It guards
 * nothing else: each verb does that. It stands before Next, whose own place for this takes 2 ms of every page.
 */
export function pageHeaders(listener: Listener, { development, ...believed }: PageOptions): Listener {
  return (incoming, outgoing) => {
    const [path = ""] = (incoming.url ?? "").split("?", 1);
    if (isForeign(incoming, believed)) return say(outgoing, 403, "This form was not posted by a page of ours.");
    // Next would answer its own page for failures, as if there had been one; and nothing here asks it to change images.
    if (path === "/_global-error" || path.startsWith("/_next/image")) return say(outgoing, 404, "Not found");
    if (file.test(path)) return listener(incoming, outgoing);
    outgoing.setHeaders(alwaysSent);
    if (receipt.test(path)) return listener(incoming, outgoing);
    const policy = policyWith(randomBytes(16).toString("base64"), development);
    // Over whatever the request says: Next reads the nonce here and gives it to every script it writes.
    incoming.headers["content-security-policy"] = policy;
    outgoing.setHeader("content-security-policy", policy);
    return listener(incoming, outgoing);
  };
}

function say(outgoing: ServerResponse, status: number, body: string): void {
  answer(outgoing, { status, headers: { "content-type": "text/plain;charset=UTF-8" }, body });
}

function policyWith(nonce: string, development: boolean): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    `style-src 'self' ${development ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "img-src 'self' data:",
    "font-src 'self'",
    // Attachments of a case and what payers sent; only they let themselves be framed.
    "frame-src 'self'",
    `connect-src 'self'${development ? " ws:" : ""}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
