import { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Tracer } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import type { Span, SpanStart, Tracing } from "./tracing.ts";
import { readTraceparent, traceparentOf } from "./traceparent.ts";

type Options = { readonly endpoint: string; readonly process: string };

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT } as const;

/** Sends spans by OTLP over HTTP, in batches and past everything else: where nobody takes them they are dropped. */
export function openTracing({ endpoint, process }: Options): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, "")}/v1/traces`, timeoutMillis: 5_000 });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": "prior-authorization", "service.component": process }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: 1_000, exportTimeoutMillis: 5_000 })],
  });
  const tracer = provider.getTracer("prior-authorization");
  return { begin: (name, start) => begin(tracer, name, start), close: () => provider.shutdown() };
}

function begin(tracer: Tracer, name: string, { parent, attributes = {}, began, kind }: SpanStart = {}): Span {
  const place = readTraceparent(parent);
  const remote = place && {
    traceId: place.traceId,
    spanId: place.spanId,
    traceFlags: place.isSampled ? 1 : 0,
    isRemote: true,
  };
  const under = remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : context.active();
  const startTime = began === undefined ? undefined : performance.timeOrigin + began;
  const span = tracer.startSpan(
    name,
    {
      kind: kind ? kinds[kind] : SpanKind.INTERNAL,
      attributes: { ...attributes },
      ...(startTime !== undefined && { startTime }),
    },
    under,
  );
  const { traceId, spanId, traceFlags } = span.spanContext();
  const traceparent = traceparentOf({ traceId, spanId, isSampled: (traceFlags & 1) === 1 });
  return {
    traceparent,
    child: (childName, more) => begin(tracer, childName, { parent: traceparent, attributes: more, kind: "client" }),
    end: ({ failed, ...more } = {}) => {
      span.setAttributes({ ...more });
      if (failed === true) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}
