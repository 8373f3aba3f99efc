import "server-only";
import NextAuth from "next-auth";
import type { NextRequest } from "next/server";
import { authOptions } from "./options.ts";

type Segment = { readonly params: Promise<{ readonly nextauth: string[] }> };

/**
 * Serves next-auth's own routes. A malformed cookie makes next-auth throw; that is no session, not a failure of ours.
 */
export async function nextAuthRoute(request: NextRequest, segment: Segment): Promise<Response> {
  try {
    // Safe because next-auth's route form returns a Response; only its older form does not.
    return (await NextAuth(request as never, segment as never, authOptions())) as Response;
  } catch {
    return Response.json({}, { status: request.nextUrl.pathname.endsWith("/session") ? 200 : 400 });
  }
}
