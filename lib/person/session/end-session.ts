import "server-only";
import { accountStore } from "./account-store.ts";
import { revokeSession } from "#lib/person/store/people";
import { sessionIdOfCookie } from "./session-cookie.ts";

/** Ends this request's session in the database, so that a copy of its cookie opens nothing. */
export async function endSession(): Promise<void> {
  const sessionId = await sessionIdOfCookie();
  if (sessionId !== undefined) await revokeSession(accountStore(), sessionId);
}
