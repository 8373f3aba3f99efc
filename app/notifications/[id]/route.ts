import { contextOf, currentPerson } from "#lib/person/session/person";
import { readUnmatched } from "#lib/payer/inbox/unmatched-pushes";
import { receivedResponse, savesWhole } from "#components/paper/received-response";

type Params = { readonly params: Promise<{ readonly id: string }> };

/** An unmatched notification as it was received, to a reviewer of its practice; to anyone else there is none. */
export async function GET(request: Request, { params }: Params): Promise<Response> {
  const { id } = await params;
  const person = await currentPerson();
  const found = person && (await readUnmatched(contextOf(person), { id }));
  if (!found?.ok) return new Response("Not found", { status: 404, headers: { "cache-control": "no-store" } });
  return receivedResponse({ bytes: found.value, name: `notification-${id}` }, { save: savesWhole(request) });
}
