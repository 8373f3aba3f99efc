/** Ids, words of ours and numbers; never anything of a patient, and nothing that a caller sent. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export type Span = {
  /** The place of this span for others, also in other processes; undefined while traces are off. */
  readonly traceparent: string | undefined;
  readonly child: (name: string, attributes?: SpanAttributes) => Span;
  readonly end: (attributes?: SpanAttributes & { readonly failed?: boolean }) => void;
};

export type SpanStart = {
  /** The traceparent that it belongs under; without one it begins a trace. */
  readonly parent?: string | undefined;
  readonly attributes?: SpanAttributes | undefined;
  /** When it began, by `performance.now()`; now unless it is given. */
  readonly began?: number | undefined;
  /** It answers somebody, or asks somebody. */
  readonly kind?: "server" | "client" | undefined;
};

export type Tracing = {
  readonly begin: (name: string, start?: SpanStart) => Span;
  /** Sends what is left. */
  readonly close: () => Promise<void>;
};

/** Of a process without traces. */
export const noSpan: Span = { traceparent: undefined, child: () => noSpan, end: () => undefined };

const shared = globalThis as { priorAuthorizationTracing?: Tracing };

export function setTracing(opened: Tracing | undefined): void {
  if (opened) shared.priorAuthorizationTracing = opened;
  else delete shared.priorAuthorizationTracing;
}

/** The one of this process, also for Next's own copy of this module; undefined while traces are off. */
export function tracing(): Tracing | undefined {
  return shared.priorAuthorizationTracing;
}
