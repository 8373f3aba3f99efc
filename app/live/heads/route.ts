import { contextOf, peekSession } from "#lib/person/session/person";
import { liveHeaders } from "#lib/queue/live/live-headers";
import { liveHeads } from "#lib/queue/live/live-heads";

/** For a browser that gets no stream: the same heads, asked for now and then. */
export async function GET(): Promise<Response> {
  const person = (await peekSession())?.actor;
  if (!person) return new Response(null, { status: 401, headers: liveHeaders });
  return Response.json(await liveHeads(contextOf(person)), { headers: liveHeaders });
}
