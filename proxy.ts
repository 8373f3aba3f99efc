import { NextResponse, type NextRequest } from "next/server";

/**
 * Gives every page its content security policy and its nonce, and turns away what another site's page posts. It guards
 * nothing else: each verb does that.
 */
export function proxy(request: NextRequest): NextResponse {
  if (isForeign(request)) return new NextResponse("This form was not posted by a page of ours.", { status: 403 });
  // Next would answer its own page for failures, as if there had been one.
  if (request.nextUrl.pathname === "/_global-error") return new NextResponse("Not found", { status: 404 });
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
  const policy = contentSecurityPolicy(nonce);
  const forwarded = new Headers(request.headers);
  // Next reads the nonce from the request's policy and gives it to every script it writes.
  forwarded.set("content-security-policy", policy);
  const response = NextResponse.next({ request: { headers: forwarded } });
  response.headers.set("content-security-policy", policy);
  response.headers.set("cross-origin-opener-policy", "same-origin");
  return response;
}

/** A browser names the origin of every post; Next would refuse a foreign one too, as if it were our failure. */
function isForeign({ method, headers }: NextRequest): boolean {
  const origin = headers.get("origin");
  if (method !== "POST" || origin === null) return false;
  return URL.parse(origin)?.host !== (headers.get("x-forwarded-host") ?? headers.get("host"));
}

function contentSecurityPolicy(nonce: string): string {
  const development = process.env.NODE_ENV === "development";
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    `style-src 'self' ${development ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "img-src 'self' data:",
    "font-src 'self'",
    // Attachments of a case; only they let themselves be framed.
    "frame-src 'self'",
    `connect-src 'self'${development ? " ws:" : ""}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

export const config = {
  // An attachment or a receipt is no page and has a policy of its own; what a page asks by itself is no page either.
  matcher: [
    "/((?!api/a2a|api/payers|api/token|\\.well-known|health|_next/static|_next/image|icon\\.svg|live$|live/|tasks/[^/]+/attachments/[0-9a-f]{64}$|tasks/[^/]+/receipts/[0-9a-f-]{36}$).*)",
  ],
};
