import "server-only";
import NextAuth from "next-auth";
import type { NextRequest } from "next/server";
import { authOptions } from "./options.ts";

type Segment = { readonly params: Promise<{ readonly nextauth: string[] }> };

/**
 * Serves next-auth's own routes. A malformed cookie makes next-auth throw, and it tells an address that can't be and a
 * method that a route of its does not have by a status of 500; none of these is a failure of ours.
 */
export async function nextAuthRoute(request: NextRequest, segment: Segment): Promise<Response> {
  try {
    // Safe because next-auth's route form returns a Response; only its older form does not.
    const answer = (await NextAuth(request as never, segment as never, authOptions())) as Response;
    return answer.status < 500 ? answer : unread(request);
  } catch {
    return unread(request);
  }
}

function unread({ nextUrl }: NextRequest): Response {
  return Response.json({}, { status: nextUrl.pathname.endsWith("/session") ? 200 : 400 });
}
