import { contextOf, peekSession } from "#lib/person/session/person";
import { liveHeaders } from "#lib/queue/live/live-headers";
import type { ListName } from "#lib/queue/model/saved-view";
import { savedViews } from "#lib/queue/saved-views";

/** The saved views of a reviewer, for going to one from any page. */
export async function GET(): Promise<Response> {
  const person = (await peekSession())?.actor;
  if (!person) return new Response(null, { status: 401, headers: liveHeaders });
  const views = await savedViews(contextOf(person));
  const names: readonly ListName[] = views.map(({ id, name, query }) => ({ id, name, query }));
  return Response.json(names, { headers: liveHeaders });
}
