/** Where a span stands in a trace: W3C Trace Context, version 00. Ids only. */
export type SpanPlace = { readonly traceId: string; readonly spanId: string; readonly isSampled: boolean };

const form = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Undefined for what is none: a caller's header is believed only in exactly this form. */
export function readTraceparent(text: string | null | undefined): SpanPlace | undefined {
  const [, traceId, spanId, flags] = form.exec(text ?? "") ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function traceparentOf({ traceId, spanId, isSampled }: SpanPlace): string {
  return `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
}
