import { contextOf, peekSession } from "#lib/person/session/person";
import { liveHeaders } from "#lib/queue/live/live-headers";
import { queueNews } from "#lib/queue/live/queue-news";
import { readSince } from "#lib/queue/live/read-since";
import { readAddress } from "#lib/queue/queue-address";

/** What happened in a view of the queue since the page that asks was drawn. */
export async function GET({ url }: Request): Promise<Response> {
  const person = (await peekSession())?.actor;
  if (!person) return new Response(null, { status: 401, headers: liveHeaders });
  const { searchParams } = new URL(url);
  const since = readSince(searchParams.get("since"));
  if (!since) return Response.json({ problem: "since is malformed" }, { status: 400, headers: liveHeaders });
  const question = readAddress(Object.fromEntries(searchParams));
  return Response.json(await queueNews(contextOf(person), { since, question, drawn: readDrawn(searchParams) }), {
    headers: liveHeaders,
  });
}

/** When the page was drawn, where it asks because a snooze has ended. */
function readDrawn(params: URLSearchParams): Date | undefined {
  const ms = params.get("drawn");
  return ms !== null && /^\d{12,14}$/.test(ms) ? new Date(Number(ms)) : undefined;
}
