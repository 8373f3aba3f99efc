import { randomUUID } from "node:crypto";
import { isUnavailable } from "#lib/db/unavailable";
import { arrivalOfRequest, type Arrival } from "#lib/platform/http/arrival";
import { AsideEnded, bytesAnsweredHere, type ReadCall } from "./aside.ts";
import type { CallAdmission, CallArrival, CallPlace, Deps, CallResult, CallEnvelope, CallBody } from "./call.ts";
import { checkCredential } from "./admit/check-credential.ts";
import { checkHttp } from "./envelope/check-http.ts";
import { checkLoad } from "./admit/check-load.ts";
import { noteCall } from "./admit/note-call.ts";
import { faults, type CallError } from "./reply/faults.ts";
import { findMethod } from "./envelope/find-method.ts";
import { ladder } from "./ladder.ts";
import { methodNamed } from "./methods.ts";
import { parseParams } from "./params/parse-params.ts";
import { readEnvelope } from "./envelope/read-envelope.ts";
import { readJson } from "./envelope/read-json.ts";
import { replyFault, replyResult, toResponse, type Reply } from "#lib/platform/http/reply";
import { runVerb } from "./run-verb.ts";
import { taskView } from "./reply/task-view.ts";

/** Every check of a call, in order. The first that fails is what the client is told, and nothing after it happens. */
export const rungs = {
  ofArrival: ladder<CallArrival>().rung("http", checkHttp),
  ofBody: ladder<CallArrival & CallBody>()
    .rung("bytes", readJson)
    .rung("envelope", readEnvelope)
    .rung("credential", checkCredential)
    .rung("limits", checkLoad)
    .rung("method", findMethod)
    .rung("params", parseParams)
    .rung("authority, task and state", runVerb),
};

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
  const call: Call = { arrival, deps };
  return tell(call, began, async () => {
    const read = await rungs.ofArrival.climb(call);
    if ("refused" in read) return read;
    const { bytes } = read.reached;
    if (!deps.aside || bytes.length <= bytesAnsweredHere) return rungs.ofBody.climb(read.reached);
    const ms = performance.now() - began;
    const { address } = arrival;
    return { reply: await deps.aside.answer({ bytes, authorization: arrival.header("authorization"), address, ms }) };
  });
}

/** The same for a call whose body was read already. */
export async function answerRead({ bytes, authorization, address, ms }: ReadCall, deps: Deps): Promise<Reply> {
  const header = (name: string) => (name === "authorization" ? authorization : undefined);
  const arrival: Arrival = { method: "POST", address, header, readBody: async () => bytes };
  const call = { arrival, deps, bytes, endLong: () => undefined };
  return tell(call, performance.now() - ms, () => rungs.ofBody.climb(call));
}

type Call = CallArrival & Partial<CallBody & CallEnvelope & CallAdmission & CallPlace>;
type Climbed =
  { readonly reached: CallEnvelope & CallResult } | { readonly refused: CallError } | { readonly reply: Reply };

/** The answer of a call, which is noted and logged by whoever found it. */
async function tell(call: Call, began: number, climb: () => Promise<Climbed>): Promise<Reply> {
  const { deps } = call;
  const requestId = randomUUID();
  let refused: CallError | undefined;
  let isNoted = false;
  try {
    const climbed = await climb();
    isNoted = "reply" in climbed;
    if ("reply" in climbed) return climbed.reply;
    if ("reached" in climbed) return replyResult(climbed.reached.id, taskView(climbed.reached.record));
    refused = { ...climbed.refused, id: climbed.refused.id ?? call.id };
  } catch (error) {
    deps.log.error({ requestId, err: error }, "a call failed");
    const isLater = isUnavailable(error) || error instanceof AsideEnded;
    refused = { ...(isLater ? unavailable : internal), id: call.id };
  } finally {
    call.leave?.();
    call.endLong?.();
    if (!isNoted) {
      noteCall(call, refused);
      logCall({ deps, call, requestId, refused, ms: performance.now() - began });
    }
  }
  return replyFault(refused);
}

const internal: CallError = { fault: "internal" };
const unavailable: CallError = { fault: "busy", retryAfterS: unavailableS };

type Answered = {
  readonly deps: Deps;
  readonly call: Partial<CallEnvelope & CallAdmission>;
  readonly requestId: string;
  readonly refused: CallError | undefined;
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
