import type { Store } from "#lib/db/db";
import { keepGateTrace } from "#lib/gate/shared/gate-traces";

/** Keeps which trace a gate belongs to, so that its release and its submission join the trace of the agent's call. */
export async function keepTrace(
  store: Store,
  kept: { readonly gateId: string; readonly practiceId: string; readonly traceparent: string },
): Promise<void> {
  await keepGateTrace(store, kept);
}
