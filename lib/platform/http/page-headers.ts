import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { postingHost, tellHost, type ForwardingTrust } from "./addressed.ts";
import { frontHeader } from "./arrival-headers.ts";
import { answer } from "./front.ts";
import type { Reply } from "./reply.ts";

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void | Promise<void>;

/** What every page and asset carries. */
const alwaysSent = {
  // `no-referrer` would make forms posted without JavaScript send `Origin: null`, which actions refuse.
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "cross-origin-opener-policy": "same-origin",
};

/** What everything carries where people reach the service over TLS. */
export const transportSecurity = { "strict-transport-security": "max-age=63072000; includeSubDomains" };

/**
 * A case's file is no page, nor is what a payer sent: each lets itself be framed here, and all its headers are its own.
 */
const file =
  /^\/(?:tasks\/[^/]+\/attachments\/[0-9a-f]{64}|tasks\/[^/]+\/answers\/[0-9a-f-]{36}|notifications\/[0-9a-f-]{36})$/;

/** Nor is a receipt: it has a policy of its own, which Next would write beside a page's. */
const receipt = /^\/tasks\/[^/]+\/receipts\/[0-9a-f-]{36}$/;

export type RequestedPage = {
  readonly method: string | undefined;
  readonly path: string;
  readonly origin: string | undefined;
  /** The host the request was sent to, from `tellHost`. */
  readonly host: string;
};

export type PageTerms =
  | { readonly refusal: Reply }
  | {
      readonly refusal?: undefined;
      /** What the answer carries. */
      readonly headers: Readonly<Record<string, string>>;
      /** What Next is told by the request: it reads the nonce in the policy and gives it to every script it writes. */
      readonly forwarded: Readonly<Record<string, string>>;
    };

/**
 * The security headers of a page, with a nonce of its own, or the refusal of what another site's page posts. It guards
 * nothing else: each verb does that.
 */
export function pageTerms(request: RequestedPage, { publicUrl, development }: TermsOptions): PageTerms {
  const { path } = request;
  const posting = postingHost(request, publicUrl);
  if (posting === undefined) return { refusal: plain(403, "This form was not posted by a page of ours.") };
  // Next answers such an address as a failure of its own where it is that of a page with an id.
  if (!isReadable(path)) return { refusal: plain(400, "A percent sign in this address begins no character.") };
  // Next would answer its own page for failures, as if there had been one; and nothing here asks it to change images.
  if (path === "/_global-error" || path.startsWith("/_next/image")) return { refusal: plain(404, "Not found") };
  const forwarded = { "x-forwarded-host": posting };
  if (file.test(path)) return { headers: {}, forwarded };
  if (receipt.test(path)) return { headers: alwaysSent, forwarded };
  const policy = { "content-security-policy": policyWith(randomBytes(16).toString("base64"), development) };
  return { headers: { ...alwaysSent, ...policy }, forwarded: { ...forwarded, ...policy } };
}

/** Whether every character that is written by its bytes is one (RFC 3986, 2.1 and 2.5). */
function isReadable(path: string): boolean {
  try {
    return !path.includes("%") || decodeURIComponent(path) !== "";
  } catch {
    return false;
  }
}

type TermsOptions = Pick<ForwardingTrust, "publicUrl"> & { readonly development: boolean };

export type PageOptions = ForwardingTrust & TermsOptions;

/** The terms of every page, before Next: its own place for them, `proxy.ts`, takes 2 ms of every page. */
export function pageHeaders(listener: Listener, options: PageOptions): Listener {
  return (incoming, outgoing) => {
    tellHost(incoming, options);
    const { method, headers } = incoming;
    const [path = ""] = (incoming.url ?? "").split("?", 1);
    const host = String(headers["x-forwarded-host"]);
    const terms = pageTerms({ method, path, origin: headers.origin, host }, options);
    if (terms.refusal) return answer(outgoing, terms.refusal);
    outgoing.setHeaders(new Map(Object.entries(terms.headers)));
    Object.assign(headers, terms.forwarded, { [frontHeader]: "1" });
    if (!mayCompress(headers)) delete headers["accept-encoding"];
    return listener(incoming, outgoing);
  };
}

/**
 * Whether a page may be compressed (W3C Fetch Metadata): only if our own page or its reader asks for it. The length of a
 * compressed page tells whoever chose a part of the address, such as a search, and sees the network, what else is on it.
 */
function mayCompress({ "sec-fetch-site": site }: IncomingHttpHeaders): boolean {
  return site === "same-origin" || site === "none";
}

function plain(status: number, body: string): Reply {
  return { status, headers: { "content-type": "text/plain;charset=UTF-8" }, body };
}

function policyWith(nonce: string, development: boolean): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    // The viewer of PDF documents works beside the page.
    "worker-src 'self'",
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
