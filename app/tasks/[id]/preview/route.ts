import { contextOf, currentPerson } from "#lib/person/session/person";
import { previewCase } from "#lib/queue/preview-case";
import { previewText } from "./preview-text.ts";

type Params = { readonly params: Promise<{ readonly id: string }> };

const headers = { "cache-control": "no-store" };

/** A case in words, for the pane beside the queue. It is asked for where somebody chooses a row, so it is use of the page. */
export async function GET(_: Request, { params }: Params): Promise<Response> {
  const person = await currentPerson();
  if (!person) return new Response(null, { status: 401, headers });
  const { id: taskId } = await params;
  const found = await previewCase(contextOf(person), { taskId });
  if (!found.ok) return new Response(null, { status: 404, headers });
  return Response.json(await previewText(found.value), { headers });
}
