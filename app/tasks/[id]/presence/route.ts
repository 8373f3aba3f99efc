import { contextOf, currentPerson, peekSession } from "#lib/person/session/person";
import { isOwnOrigin } from "#lib/person/session/own-origin";
import { markPresence } from "#lib/queue/mark-presence";

type Params = { readonly params: Promise<{ readonly id: string }> };

const headers = { "cache-control": "no-store" };

/** What an open case page says of its reader, answered with who else looks at the case. It decides nothing. */
export async function POST(request: Request, { params }: Params): Promise<Response> {
  if (!isOwnOrigin(request)) return new Response(null, { status: 403, headers });
  const { id: taskId } = await params;
  const sign = new URL(request.url).searchParams.get("sign");
  // A page that only stands open keeps nobody signed in.
  const person = await (sign === "used" ? currentPerson() : watchedPerson());
  if (!person) return new Response(null, { status: 401, headers });
  const now = await markPresence(contextOf(person), { taskId, left: sign === "left" });
  return now.ok ? Response.json(now.value, { headers }) : new Response(null, { status: 404, headers });
}

async function watchedPerson() {
  return (await peekSession())?.actor;
}
