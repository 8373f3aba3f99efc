import "server-only";
import { sharedStore } from "#lib/db/db";
import { revokeSession } from "#lib/person/store/people";
import { sessionIdOfCookie } from "./session-cookie.ts";

/** Ends the session of this request in the database, so that a copy of its cookie is worth nothing. */
export async function endSession(): Promise<void> {
  const sessionId = await sessionIdOfCookie();
  if (sessionId !== undefined) await revokeSession(sharedStore(), sessionId);
}
