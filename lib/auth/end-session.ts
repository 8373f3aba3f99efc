import "server-only";
import { sharedStore } from "#lib/store/db";
import { revokeSession } from "#lib/store/people";
import { sessionIdOfCookie } from "./session-cookie.ts";

/** Ends the session of this request in the database, so that a copy of its cookie is worth nothing. */
export async function endSession(): Promise<void> {
  const sessionId = await sessionIdOfCookie();
  if (sessionId !== undefined) await revokeSession(sharedStore(), sessionId);
}
