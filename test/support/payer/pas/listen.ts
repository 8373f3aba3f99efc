import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo, Server as SocketServer } from "node:net";
import { onTestFinished } from "vitest";

/** Listens on a free loopback port until the test is over; the base address comes back. */
export async function listening(server: Server | SocketServer): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    if ("closeAllConnections" in server) server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  // Safe because the server listens on a TCP port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A payer of one answer, for one test. */
export function aPayer(answer: RequestListener): Promise<string> {
  return listening(createServer(answer));
}

/** A signal that never fires. */
export function noHurry(): AbortSignal {
  return new AbortController().signal;
}
