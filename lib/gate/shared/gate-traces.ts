import { type Store, unscoped } from "#lib/db/db";
import { forPractices } from "#lib/db/for-practices";
import { noSpan, type Span, type SpanAttributes, tracing } from "#lib/platform/tracing/tracing";

type OfGate = { readonly gateId: string; readonly practiceId: string };

/** Keeps the trace of the call that opened a gate. The first call keeps its place; a repeated one changes nothing. */
export async function keepGateTrace(
  store: Store,
  { gateId, practiceId, traceparent }: OfGate & { readonly traceparent: string },
): Promise<void> {
  await forPractices(unscoped(store), [practiceId]).pool.query(
    "INSERT INTO gate_trace (gate_id, practice_id, traceparent) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
    [gateId, practiceId, traceparent],
  );
}

/**
 * Does something about a gate as a part of the trace of the call that opened it, whichever process that was in. While
 * traces are off it only does it.
 */
export async function inGateTrace<Value>(
  store: Store,
  { name, gateId, ...attributes }: { readonly name: string; readonly gateId: string } & SpanAttributes,
  run: (span: Span) => Promise<Value>,
): Promise<Value> {
  const open = tracing();
  if (!open) return run(noSpan);
  const span = open.begin(name, {
    parent: await traceOf(store, gateId).catch(() => undefined),
    attributes: { "pa.gate": gateId, ...attributes },
  });
  try {
    const value = await run(span);
    span.end();
    return value;
  } catch (error) {
    span.end({ failed: true });
    throw error;
  }
}

async function traceOf(store: Store, gateId: string): Promise<string | undefined> {
  const { rows } = await store.pool.query<{ traceparent: string }>(
    "SELECT traceparent FROM gate_trace WHERE gate_id = $1",
    [gateId],
  );
  return rows[0]?.traceparent;
}
