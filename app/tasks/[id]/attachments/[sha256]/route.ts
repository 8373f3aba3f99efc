import { contextOf, currentPerson } from "#lib/person/session/person";
import { readAttachment } from "#lib/task/read-attachment";
import { archiveFailureOf } from "#lib/platform/outbound/archive-away";
import { sharedDeps } from "#lib/a2a/admit/shared-deps";
import { archivedResponse } from "#components/paper/archived-response";
import { headersOf } from "./headers.ts";

type Params = { readonly params: Promise<{ readonly id: string; readonly sha256: string }> };

/** A file of a case to a reviewer of its practice, shown or saved but never run; to anyone else there is none. */
export function GET(_: Request, { params }: Params): Promise<Response> {
  return archivedResponse({ log: sharedDeps().log, failureOf: archiveFailureOf }, () => file(params));
}

async function file(params: Params["params"]): Promise<Response> {
  const { id, sha256 } = await params;
  const person = await currentPerson();
  const found = person && (await readAttachment(contextOf(person), { taskId: id, sha256 }));
  if (!found?.ok) return new Response("Not found", { status: 404, headers: { "cache-control": "no-store" } });
  const { value } = found;
  // Safe because a Uint8Array over its own buffer is a body, which lib.dom only says of narrower types.
  return new Response(value.bytes as BodyInit, { headers: headersOf(value) });
}
