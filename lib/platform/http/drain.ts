import type { Server } from "node:http";
import type { Socket } from "node:net";

const drainMs = 7_000;

/**
 * Watches a server's connections from its start, so that it can be drained:
 * it then takes no new connections, lets every request under way be answered
 * for up to 7 seconds, and cuts what is left.
 */
export function drainable(server: Server): () => Promise<void> {
  // Node closes connections between two requests, but not those that never sent one, as browsers open in advance.
  const fresh = new Set<Socket>();
  server.on("connection", (socket) => {
    fresh.add(socket);
    socket.once("close", () => fresh.delete(socket));
  });
  server.on("request", ({ socket }) => fresh.delete(socket));
  return async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of fresh) socket.destroy();
    // A connection becomes idle only after its answer, so it is looked for again and again.
    const idle = setInterval(() => server.closeIdleConnections(), 20);
    const enough = setTimeout(() => server.closeAllConnections(), drainMs);
    await closed;
    clearInterval(idle);
    clearTimeout(enough);
  };
}
