import { randomUUID } from "node:crypto";
import { ArchivedValueLostError } from "#lib/db/archived";
import { isUnavailable, logFailure } from "#lib/db/unavailable";
import { arrivalOfRequest, type Arrival, type HeaderName } from "#lib/platform/http/arrival";
import { ThreadEnded, type ReceivedCall } from "./long-call-thread.ts";
import type {
  CallAdmission,
  CallArrival,
  CallBody,
  CallEnvelope,
  CallJson,
  CallWeight,
  Deps,
  NamedCall,
  Outcome,
  CallResult,
  CallCommand,
} from "./call.ts";
import { checkHttp } from "./envelope/check-http.ts";
import { countCall } from "#lib/platform/metrics/instruments";
import { noteCall } from "./admit/note-call.ts";
import { faults, isTurnedAway, replyFault, type CallError, refusalToFault } from "./reply/faults.ts";
import { messageProblems } from "#lib/messages/problems/agent";
import { rateHeaders } from "./reply/rate-headers.ts";
import { checks } from "./checks.ts";
import { heldAnswer, holdIfRequested, leaveAll } from "./hold-answer.ts";
import { methodNamed } from "./methods.ts";
import { findMethod, parseParams } from "./params/parse-params.ts";
import { readEnvelope, readJson } from "./envelope/read-envelope.ts";
import { named as nameReply, replyResult, toResponse, type Reply } from "#lib/platform/http/reply";
import type { AnsweredCall } from "./wait.ts";
import { taskText } from "./reply/task-text.ts";
import { checkCredential, checkLoad, isLong, takeTurn, weighCall } from "./admit/admit-call.ts";
import type { TaskRecord } from "#lib/task/views";
import { forPractices } from "#lib/db/for-practices";
import { keepTrace } from "#lib/task/keep-trace";
import { tracing } from "#lib/platform/tracing/tracing";

/** Every check of a call, in order. The reply reports the first one that fails, and the later ones do not run. */
export const callChecks = {
  ofArrival: checks<CallArrival>().add("http", checkHttp),
  ofBody: checks<CallArrival & CallBody>()
    .add("bytes", readJson)
    .add("envelope", readEnvelope)
    .add("credential", checkCredential)
    .add("weight", weighCall),
  ofCaller: checks<CallArrival & CallBody & CallJson & CallEnvelope & CallAdmission & CallWeight>()
    .add("limits", checkLoad)
    .add("method", findMethod)
    .add("params", parseParams)
    .add("turn", takeTurn)
    .add("authority, task and state", runVerb),
};

type AnsweredTask = Pick<TaskRecord, "id" | "practiceId" | "gate">;

/** After how many seconds an agent may try again when the database did not answer. */
const unavailableS = 2;

/**
 * Answers one HTTP request to the endpoint. It never throws: a failure of ours is replied as an internal error, or as a
 * busy service when the database was out of reach; the cause is only in the log. The command may have taken effect all
 * the same: sent again with its message id, it gets the answer of the first one.
 */
export async function serveA2a(request: Request, deps: Deps): Promise<Response> {
  return toResponse(await answerCall(arrivalOfRequest(request), deps));
}

/** The same as `serveA2a`, for the request of any server. */
export async function answerCall(arrival: Arrival, deps: Deps): Promise<Reply> {
  const named = { call: { arrival, deps }, began: performance.now(), requestId: randomUUID() };
  const { reply } = await respond(named, async () => holdIfRequested(named, await runChecks(named)));
  return reply;
}

async function runChecks({ call, began, requestId }: NamedCall): Promise<Outcome> {
  const { arrival, deps } = call;
  const read = await callChecks.ofArrival.run(call);
  if ("refused" in read) return read;
  const { bytes } = read.passed;
  const { longCallThread } = deps;
  const answerThere =
    longCallThread &&
    (() => {
      const [authorization, traceparent] = (["authorization", "traceparent"] as const).map(arrival.header);
      const ms = performance.now() - began;
      return longCallThread.answer({ bytes, authorization, traceparent, address: arrival.address, ms, requestId });
    });
  if (answerThere && isLong(bytes.length)) return answerThere();
  const known = await callChecks.ofBody.run(read.passed);
  if ("refused" in known) return known;
  if (answerThere && isLong(known.passed.openedBytes)) return answerThere();
  return callChecks.ofCaller.run(known.passed);
}

/** Answers a call whose body was already read. What its answer is held back for is said with it. */
export async function answerReceived(received: ReceivedCall, deps: Deps): Promise<AnsweredCall> {
  const { bytes, authorization, traceparent, address, ms, requestId } = received;
  const known: Partial<Record<HeaderName, string | undefined>> = { authorization, traceparent };
  const header = (name: HeaderName) => known[name];
  const arrival: Arrival = { method: "POST", address, header, readBody: async () => bytes };
  const call = { arrival, deps, bytes, releaseBody: () => undefined };
  return respond({ call, began: performance.now() - ms, requestId }, async () => {
    const known = await callChecks.ofBody.run(call);
    return "refused" in known ? known : callChecks.ofCaller.run(known.passed);
  });
}

/** Replies to a call. The thread that ran its checks also counts and logs it. */
async function respond(named: NamedCall, answer: () => Promise<Outcome>): Promise<AnsweredCall> {
  const { call, began, requestId } = named;
  const { deps } = call;
  let refused: CallError | undefined;
  let record: AnsweredTask | undefined;
  let isNoted = false;
  try {
    const outcome = await answer();
    isNoted = "reply" in outcome || outcome.isNoted === true;
    if ("reply" in outcome) return outcome;
    if ("passed" in outcome) {
      const { id, record: read } = outcome.passed;
      record = read;
      if ("historyLost" in read && read.historyLost)
        noteLost(deps, { requestId, task: read.id, practice: read.practiceId });
      return {
        reply: nameReply(replyResult(id, taskText(read)), requestId, rateHeaders(call.limits, undefined)),
        held: deps.watch ? undefined : heldAnswer(outcome.passed),
      };
    }
    refused = { ...outcome.refused, id: outcome.refused.id ?? call.id };
  } catch (error) {
    logFailure(deps.log, { requestId, err: error }, "a call failed");
    refused = { ...faultOf(error), id: call.id };
  } finally {
    leaveAll(call, refused !== undefined && isTurnedAway(faults[refused.fault].http));
    if (!isNoted) {
      const ms = performance.now() - began;
      noteCall(named, refused, { taskId: record?.id, ms });
      logCall({ deps, call, requestId, refused, record, ms });
      traceCall({ ...named, fault: refused?.fault, record });
    }
  }
  return {
    reply: nameReply(replyFault(refused, { requestId, help: deps.help }), requestId, rateHeaders(call.limits, refused)),
  };
}

/** The fault of what no check and no verb answered. */
function faultOf(error: unknown): CallError {
  if (isUnavailable(error) || error instanceof ThreadEnded) return { fault: "busy", retryAfterS: unavailableS };
  if (error instanceof ArchivedValueLostError)
    return { fault: "unreadable", data: { problem: messageProblems.archiveLost } };
  return { fault: "internal" };
}

/** The call was answered with less than it asked for, which whoever runs the service has to know. */
function noteLost({ log }: Deps, of: Readonly<Record<"requestId" | "task" | "practice", string>>): void {
  log.error(of, "the archive lost a part of a case: `pa archive verify` says which");
}

type CallLogEntry = {
  readonly deps: Deps;
  readonly call: NamedCall["call"];
  readonly requestId: string;
  readonly refused: CallError | undefined;
  /** The task it was answered with, which its channel may know. */
  readonly record: AnsweredTask | undefined;
  readonly ms: number;
};

/** Logs only values of our own, such as a method we serve or the id of a channel, and nothing that the client sent. */
function logCall({ deps, call, requestId, refused, record, ms }: CallLogEntry): void {
  const method = call.method !== undefined && methodNamed(call.method) ? call.method : undefined;
  const fault = refused?.fault;
  (deps.onAnswered ?? countCall)({ method, fault, ms });
  if (fault === undefined && method === "tasks/get" && deps.isReadLogged?.() === false) return;
  const code = refused && faults[refused.fault].code;
  const line = {
    requestId,
    method,
    channel: call.actor?.id,
    task: record?.id,
    practice: record?.practiceId,
    fault,
    code,
    ms: Math.round(ms * 10) / 10,
    heldMs: call.heldMs,
  };
  deps.log.info(line, "call");
}

/** Checks 8 to 10: the verb itself checks authority, then the task, then its state. */
async function runVerb({
  deps,
  actor,
  prefetched,
  command,
}: CallArrival & CallAdmission & CallCommand): Promise<CallResult | CallError> {
  const store = forPractices(deps.store, actor.practices);
  const done = await command.run({ actor, store, records: deps.records, prefetched });
  return done.ok ? { record: done.value } : refusalToFault(done.refusal);
}

type CallTrace = NamedCall & {
  readonly fault: string | undefined;
  /** The task it was answered with. */
  readonly record: Pick<TaskRecord, "id" | "practiceId" | "gate"> | undefined;
};

/** A call as a span under the caller's, whose place is kept with the gate that it opened. Nothing while traces are off. */
function traceCall({ call, began, requestId, fault, record }: CallTrace): void {
  const open = tracing();
  if (!open) return;
  const method = call.method !== undefined && methodNamed(call.method) ? call.method : undefined;
  const span = open.begin(`a2a ${method ?? "call"}`, {
    parent: call.arrival.header("traceparent") ?? undefined,
    ...{ began, kind: "server" },
    attributes: {
      "pa.request": requestId,
      "pa.channel": call.actor?.id,
      "pa.practice": record?.practiceId,
      "pa.task": record?.id,
      "pa.gate": record?.gate?.id,
    },
  });
  span.end(fault === undefined ? {} : { "pa.fault": fault, failed: true });
  if (method !== "message/send" || !record?.gate || span.traceparent === undefined) return;
  const kept = { gateId: record.gate.id, practiceId: record.practiceId, traceparent: span.traceparent };
  keepTrace(call.deps.store, kept).catch((error: unknown) =>
    call.deps.log.warn({ requestId, err: error }, "the trace of a call was not kept with its gate"),
  );
}
