import { env } from "#lib/platform/env";
import { setTracing } from "./tracing.ts";

/**
 * Begins to send traces where an endpoint is set. The SDK is loaded only then, so that off costs one look at a variable.
 * Returns what sends the last spans at the end.
 */
export async function startTracing(process: "server" | "worker"): Promise<() => Promise<void>> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = env();
  if (endpoint === undefined) return async () => undefined;
  const { openTracing } = await import("./open-tracing.ts");
  const opened = openTracing({ endpoint, process });
  setTracing(opened);
  return opened.close;
}
