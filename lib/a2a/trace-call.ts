import { keepTrace } from "#lib/task/keep-trace";
import { tracing } from "#lib/platform/tracing/tracing";
import type { TaskRecord } from "#lib/task/views";
import type { NamedCall } from "./call.ts";
import { methodNamed } from "./methods.ts";

type Answered = NamedCall & {
  readonly fault: string | undefined;
  /** The task it was answered with. */
  readonly record: Pick<TaskRecord, "id" | "practiceId" | "gate"> | undefined;
};

/** A call as a span under the caller's, whose place is kept with the gate that it opened. Nothing while traces are off. */
export function traceCall({ call, began, requestId, fault, record }: Answered): void {
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
