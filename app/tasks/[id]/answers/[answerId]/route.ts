import { contextOf, currentPerson } from "#lib/person/session/person";
import { readPayerAnswer } from "#lib/submission/read-payer-answer";
import { archiveFailureOf } from "#lib/platform/outbound/archive-away";
import { sharedDeps } from "#lib/a2a/admit/shared-deps";
import { archivedResponse } from "#components/paper/archived-response";
import { receivedResponse, savesWhole } from "#components/paper/received-response";

type Params = { readonly params: Promise<{ readonly id: string; readonly answerId: string }> };

/** A payer's answer as it was received, to a reviewer of its practice; to anyone else there is none. */
export function GET(request: Request, { params }: Params): Promise<Response> {
  return archivedResponse({ log: sharedDeps().log, failureOf: archiveFailureOf }, () => payerAnswer(request, params));
}

async function payerAnswer(request: Request, params: Params["params"]): Promise<Response> {
  const { id: taskId, answerId } = await params;
  const person = await currentPerson();
  const found = person && (await readPayerAnswer(contextOf(person), { taskId, answerId }));
  if (!found?.ok) return new Response("Not found", { status: 404, headers: { "cache-control": "no-store" } });
  return receivedResponse({ bytes: found.value, name: `payer-answer-${answerId}` }, { save: savesWhole(request) });
}
