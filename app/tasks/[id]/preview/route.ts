import { contextOf, currentPerson } from "#lib/person/session/person";
import { previewCase } from "#lib/queue/preview-case";
import { previewText } from "./preview-text.ts";

type Params = { readonly params: Promise<{ readonly id: string }> };

const headers = { "cache-control": "no-store" };

/** The summary of a case for the preview pane. A reviewer requests it by selecting a row, so it keeps their session alive. */
export async function GET(_: Request, { params }: Params): Promise<Response> {
  const person = await currentPerson();
  if (!person) return new Response(null, { status: 401, headers });
  const { id: taskId } = await params;
  const found = await previewCase(contextOf(person), { taskId });
  if (!found.ok) return new Response(null, { status: 404, headers });
  return Response.json(await previewText(found.value), { headers });
}
