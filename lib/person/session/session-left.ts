import { liveSession, type LiveSession } from "#lib/person/shared/live-session";
import { ok, type Result } from "#lib/platform/result";
import { sessionIdOfCookie } from "./session-cookie.ts";
import type { Visitor } from "./visitor.ts";

/** What a page may know of its session: the person, and how long it lasts. */
export type SessionLeft = { readonly personId: string; readonly idleLeftMs: number; readonly leftMs: number };

export function sessionLeft(session: LiveSession | undefined): SessionLeft | undefined {
  return session && { personId: session.actor.id, idleLeftMs: session.idleLeftMs, leftMs: session.leftMs };
}

/** Uses the session, so that it goes on; undefined where it is over. */
export async function prolongSession({ store }: Visitor): Promise<Result<SessionLeft | undefined, never>> {
  const sessionId = await sessionIdOfCookie();
  return ok(sessionId === undefined ? undefined : sessionLeft(await liveSession(store, sessionId)));
}
