import { contextOf, peekSession } from "#lib/person/session/person";
import { liveHeaders } from "#lib/queue/live/live-headers";
import { readSince } from "#lib/queue/live/read-since";
import { waitingNews } from "#lib/queue/live/waiting-news";

/** What to notify a reviewer of who looks at something else. */
export async function GET({ url }: Request): Promise<Response> {
  const person = (await peekSession())?.actor;
  if (!person) return new Response(null, { status: 401, headers: liveHeaders });
  const since = readSince(new URL(url).searchParams.get("since"));
  if (!since) return Response.json({ problem: "since is malformed" }, { status: 400, headers: liveHeaders });
  return Response.json(await waitingNews(contextOf(person), { since }), { headers: liveHeaders });
}
