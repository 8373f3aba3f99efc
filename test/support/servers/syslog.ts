import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { createServer } from "node:tls";
import { onTestFinished } from "vitest";
import type { KeyPair } from "./certificates.ts";

/** Reads syslog as RFC 5425 frames it: a count of bytes, a space, so many bytes. */
function messagesIn(bytes: Buffer): readonly string[] {
  const found: string[] = [];
  for (let rest = bytes; rest.length > 0;) {
    const space = rest.indexOf(" ");
    const length = Number(rest.subarray(0, space).toString());
    if (!(length > 0)) throw new Error(`no frame: ${rest.subarray(0, 40).toString()}`);
    if (rest.length < space + 1 + length) break;
    found.push(rest.subarray(space + 1, space + 1 + length).toString());
    rest = rest.subarray(space + 1 + length);
  }
  return found;
}

/** A collector of log lines, until the test is over or it is closed. */
export async function aCollector(own: KeyPair) {
  const response: Buffer[] = [];
  const sockets: Socket[] = [];
  let isAway = false;
  const server = createServer(own, (socket) => {
    socket.on("data", (bytes) => response.push(bytes)).on("error", () => undefined);
  });
  server.on("tlsClientError", () => undefined);
  server.on("connection", (socket: Socket) => (isAway ? socket.destroy() : sockets.push(socket)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  // Safe because it listens on a TCP port.
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`tls://localhost:${port}`),
    messages: () => messagesIn(Buffer.concat(response)),
    /** Whether whoever connects is turned away. */
    isAway: (now: boolean) => void (isAway = now),
  };
}
