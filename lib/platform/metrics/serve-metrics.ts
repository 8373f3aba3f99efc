import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { instruments } from "./instruments.ts";

type Options = {
  readonly host: string;
  readonly port: number;
  /** Sets what is read only when somebody asks. */
  readonly onRead?: (() => Promise<void> | void) | undefined;
};

type MetricsServer = { readonly port: number; readonly stop: () => Promise<void> };

/**
 * Serves what this process measures, in Prometheus's text format, on a port of its own that shows nothing else. Rejects if
 * the port is taken; port 0 is any that is free.
 */
export async function serveMetrics({ host, port, onRead }: Options): Promise<MetricsServer> {
  const server = createServer((incoming, outgoing) => {
    if (incoming.method !== "GET" || incoming.url?.split("?")[0] !== "/metrics")
      return void outgoing.writeHead(404).end();
    const { registry } = instruments();
    const read = async () => {
      await onRead?.();
      return registry.metrics();
    };
    read().then(
      (text) => outgoing.writeHead(200, { "content-type": registry.contentType }).end(text),
      () => outgoing.writeHead(500).end(),
    );
  });
  server.headersTimeout = 5_000;
  server.maxConnections = 16;
  server.listen(port, host);
  await once(server, "listening");
  return {
    // Safe because it listens on a port.
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
