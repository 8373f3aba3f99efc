import { randomUUID } from "node:crypto";
import { isUnavailable } from "#lib/store/unavailable";
import { arrivalOfRequest, type Arrival } from "./arrival.ts";
import type { Admitted, Arrived, Carried, Deps, Enveloped, Read } from "./call.ts";
import { checkCredential } from "./check-credential.ts";
import { checkHttp } from "./check-http.ts";
import { checkLoad } from "./check-load.ts";
import { noteCall } from "./note-call.ts";
import { faults, type Refused } from "./faults.ts";
import { findMethod } from "./find-method.ts";
import { ladder } from "./ladder.ts";
import { methodNamed } from "./methods.ts";
import { parseParams } from "./parse-params.ts";
import { readEnvelope } from "./read-envelope.ts";
import { readJson } from "./read-json.ts";
import { replyFault, replyResult, toResponse, type Reply } from "./reply.ts";
import { runVerb } from "./run-verb.ts";
import { taskView } from "./task-view.ts";

/** Every check of a call, in order. The first that fails is what the client is told, and nothing after it happens. */
export const rungs = ladder<Arrived>()
  .rung("http", checkHttp)
  .rung("bytes", readJson)
  .rung("envelope", readEnvelope)
  .rung("credential", checkCredential)
  .rung("limits", checkLoad)
  .rung("method", findMethod)
  .rung("params", parseParams)
  .rung("authority, task and state", runVerb);

/** When to try again where the database did not answer: in 2 s. */
const unavailableS = 2;

/**
 * Answers one HTTP request to the endpoint. Never throws: what fails here is told as an internal error, or, where the
 * database was out of reach, as a service that is busy; its cause only to the log. What was asked may have been done
 * then, and is answered by its message id when it is asked again.
 */
export async function serveA2a(request: Request, deps: Deps): Promise<Response> {
  return toResponse(await answerCall(arrivalOfRequest(request), deps));
}

/** The same over any server's request. */
export async function answerCall(arrival: Arrival, deps: Deps): Promise<Reply> {
  const began = performance.now();
  const call: Arrived & Partial<Read & Enveloped & Admitted & Carried> = { arrival, deps };
  const requestId = randomUUID();
  let refused: Refused | undefined;
  try {
    const climbed = await rungs.climb(call);
    if ("reached" in climbed) return replyResult(climbed.reached.id, taskView(climbed.reached.record));
    refused = { ...climbed.refused, id: climbed.refused.id ?? call.id };
  } catch (error) {
    deps.log.error({ requestId, err: error }, "a call failed");
    refused = { ...(isUnavailable(error) ? unavailable : internal), id: call.id };
  } finally {
    call.leave?.();
    call.endLong?.();
    noteCall(call, refused);
    logCall({ deps, call, requestId, refused, ms: performance.now() - began });
  }
  return replyFault(refused);
}

const internal: Refused = { fault: "internal" };
const unavailable: Refused = { fault: "busy", retryAfterS: unavailableS };

type Answered = {
  readonly deps: Deps;
  readonly call: Partial<Enveloped & Admitted>;
  readonly requestId: string;
  readonly refused: Refused | undefined;
  readonly ms: number;
};

/** Names only what we named ourselves: a method we serve, a channel, a code. */
function logCall({ deps, call, requestId, refused, ms }: Answered): void {
  const method = call.method !== undefined && methodNamed(call.method) ? call.method : undefined;
  const code = refused && faults[refused.fault].code;
  const line = {
    requestId,
    method,
    channel: call.actor?.id,
    fault: refused?.fault,
    code,
    ms: Math.round(ms * 10) / 10,
  };
  deps.log.info(line, "call");
}
