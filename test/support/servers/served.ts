import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import type { Server } from "node:http";

/** Starts a server on a free port of the loopback, and gives its URL. */
export async function listening(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Sends exactly these bytes, and gives everything that came back until the server closed the connection. */
export async function exchange(url: string, bytes: string | Uint8Array): Promise<string> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.on("error", () => undefined);
  socket.write(bytes);
  await once(socket, "close");
  return Buffer.concat(chunks).toString();
}
