import { NextResponse, type NextRequest } from "next/server";
import { isSecure } from "#lib/person/session/cookie-name";
import { env } from "#lib/platform/env";
import { refusedForm } from "#lib/platform/http/large-forms";
import { pageTerms, transportSecurity } from "#lib/platform/http/page-headers";
import { toResponse } from "#lib/platform/http/reply";

/** The security headers of pages under plain Next. `server.ts` sets the same ones before Next, where this never runs. */
export function proxy(request: NextRequest): Response {
  const { method, nextUrl, headers } = request;
  const [origin, host] = [headers.get("origin") ?? undefined, headers.get("x-forwarded-host") ?? ""];
  const terms = pageTerms(
    { method, path: nextUrl.pathname, origin, host },
    { publicUrl: env().PUBLIC_URL, development: env().NODE_ENV === "development" },
  );
  if (terms.refusal) return toResponse(terms.refusal);
  const refused = refusedForm((name) => headers.get(name) ?? undefined);
  if (refused) return toResponse(refused);
  const forwarded = new Headers(headers);
  for (const [name, value] of Object.entries(terms.forwarded)) forwarded.set(name, value);
  const answered = NextResponse.next({ request: { headers: forwarded } });
  for (const [name, value] of Object.entries({ ...terms.headers, ...(isSecure() && transportSecurity) }))
    answered.headers.set(name, value);
  return answered;
}

/** Everything but the endpoints that machines call, unless `server.ts` has done it. Next reads this without running it. */
export const config = {
  matcher: [
    {
      source: "/((?!api/(?:a2a|token|payers)(?:/|$)|health/).*)",
      missing: [{ type: "header", key: "x-front" }],
    },
  ],
};
