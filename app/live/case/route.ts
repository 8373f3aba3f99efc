import { contextOf, peekSession } from "#lib/person/session/person";
import { caseNews } from "#lib/queue/live/case-news";
import { liveHeaders } from "#lib/queue/live/live-headers";
import { readSince } from "#lib/queue/live/read-since";

/** What somebody else did to a case since the page that asks was drawn. */
export async function GET({ url }: Request): Promise<Response> {
  const person = (await peekSession())?.actor;
  if (!person) return new Response(null, { status: 401, headers: liveHeaders });
  const { searchParams } = new URL(url);
  const [since] = Object.values(readSince(searchParams.get("since")) ?? {});
  if (since === undefined)
    return Response.json({ problem: "since is malformed" }, { status: 400, headers: liveHeaders });
  const news = await caseNews(contextOf(person), { taskId: searchParams.get("task") ?? "", since });
  return Response.json(news ?? {}, { headers: liveHeaders });
}
