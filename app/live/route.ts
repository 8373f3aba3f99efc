import { sharedStream } from "#lib/queue/live/shared-hub";
import { sessionIdOfCookie } from "#lib/person/session/session-cookie";

/** The stream of what changed, for one browser of a reviewer; it reads and decides nothing. */
export async function GET({ signal }: Request): Promise<Response> {
  return sharedStream({ sessionId: await sessionIdOfCookie(), signal });
}
