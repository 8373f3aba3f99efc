import type { LiveSession } from "#lib/person/shared/live-session";

/** What a page may know of its session: the person, and how long it lasts. */
export type SessionLeft = { readonly personId: string; readonly idleLeftMs: number; readonly leftMs: number };

export function sessionLeft(session: LiveSession | undefined): SessionLeft | undefined {
  return session && { personId: session.actor.id, idleLeftMs: session.idleLeftMs, leftMs: session.leftMs };
}
