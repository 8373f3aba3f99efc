import type { Server } from "node:http";
import type { Socket } from "node:net";
import { isTrustedProxy, plainAddress, senderOf } from "#lib/a2a/client-address";

/** Far more than an agent's pool or an office behind one address has open. */
const connectionsEachMax = 1_000;

type Address = {
  readonly all: Set<Socket>;
  /** Those that have not brought a request yet, the oldest first. */
  readonly fresh: Set<Socket>;
};

/**
 * Bounds how many connections one address has open. Where one more comes, the oldest that never brought a request gives
 * way to it; where there is none, the new one is closed. A trusted proxy speaks for many addresses and has no bound here.
 */
export function boundConnections(server: Server, eachMax = connectionsEachMax): void {
  const addresses = new Map<string, Address>();
  server.on("connection", (socket) => {
    const own = plainAddress(socket.remoteAddress ?? "");
    if (isTrustedProxy(own)) return;
    const from = senderOf(own);
    const address = addresses.get(from) ?? { all: new Set(), fresh: new Set() };
    if (address.all.size >= eachMax) {
      const [oldest] = address.fresh;
      if (!oldest) return void socket.destroy();
      forget(oldest, from);
      oldest.destroy();
    }
    addresses.set(from, address);
    address.all.add(socket);
    address.fresh.add(socket);
    socket.once("close", () => forget(socket, from));
  });
  server.on("request", ({ socket }) => {
    const from = senderOf(plainAddress(socket.remoteAddress ?? ""));
    addresses.get(from)?.fresh.delete(socket);
  });

  function forget(socket: Socket, from: string): void {
    const address = addresses.get(from);
    if (!address) return;
    address.all.delete(socket);
    address.fresh.delete(socket);
    if (address.all.size === 0) addresses.delete(from);
  }
}
