import { peekSession } from "#lib/person/session/person";
import { sessionLeft } from "#lib/person/session/session-left";

/** How long the session still lasts; 401 once it is over. A page asks by itself, so that asking does not prolong it. */
export async function GET(): Promise<Response> {
  const left = sessionLeft(await peekSession());
  const headers = { "cache-control": "no-store" };
  return left ? Response.json(left, { headers }) : Response.json({}, { status: 401, headers });
}
