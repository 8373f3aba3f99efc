import type { Server } from "node:http";
import type { Socket } from "node:net";
import { isTrustedProxy, plainAddress, senderOf } from "./client-address.ts";

/** As many as the calls of one channel that may wait for a task, and far more than an office behind one address has open. */
const connectionsEachMax = 2_500;

type Address = {
  readonly all: Set<Socket>;
  /** Those for which nothing is under way: without a request yet, or with one that gave way. The oldest first. */
  readonly spare: Set<Socket>;
};

export type Connections = {
  /** Says that nothing is under way on this connection any more. */
  readonly spare: (socket: Socket) => void;
};

/**
 * Bounds how many connections one address has open. Where one more comes, the oldest that never brought a request, or
 * only one that gave way, goes; where there is none, the new one is closed. A trusted proxy speaks for many addresses and
 * has no bound here.
 */
export function boundConnections(server: Server, eachMax = connectionsEachMax): Connections {
  const addresses = new Map<string, Address>();
  server.on("connection", (socket) => {
    const own = plainAddress(socket.remoteAddress ?? "");
    if (isTrustedProxy(own)) return;
    const from = senderOf(own);
    const address = addresses.get(from) ?? { all: new Set(), spare: new Set() };
    if (address.all.size >= eachMax) {
      const [oldest] = address.spare;
      if (!oldest) return void socket.destroy();
      forget(oldest, from);
      oldest.destroy();
    }
    addresses.set(from, address);
    address.all.add(socket);
    address.spare.add(socket);
    socket.once("close", () => forget(socket, from));
  });
  server.on("request", ({ socket }) => {
    addressOf(socket)?.spare.delete(socket);
  });

  function addressOf(socket: Socket): Address | undefined {
    return addresses.get(senderOf(plainAddress(socket.remoteAddress ?? "")));
  }

  function forget(socket: Socket, from: string): void {
    const address = addresses.get(from);
    if (!address) return;
    address.all.delete(socket);
    address.spare.delete(socket);
    if (address.all.size === 0) addresses.delete(from);
  }

  return { spare: (socket) => void addressOf(socket)?.spare.add(socket) };
}
