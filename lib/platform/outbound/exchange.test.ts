import { createServer } from "node:net";
import { expect, test } from "vitest";
import { listening } from "#test/support/pas/listen";
import { exchange } from "./exchange.ts";
import { readNetworks } from "./networks.ts";

/** A host that answers every connection with these bytes, then says nothing, or hangs up. */
async function aHost(answer: string, { hangsUp = false }: { readonly hangsUp?: boolean } = {}): Promise<string> {
  return listening(
    createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => (hangsUp ? socket.end(answer) : socket.write(answer)));
    }),
  );
}

const send = (url: string) =>
  exchange(
    { method: "POST", url, contentType: "application/json", body: Buffer.from("{}") },
    { signal: AbortSignal.timeout(1_000), networks: readNetworks("127.0.0.0/8") },
  );

const switching = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n";

test.each([
  ["switches to another protocol", switching, {}],
  ["switches to another protocol and hangs up", switching, { hangsUp: true }],
  ["says nothing but that it will answer", "HTTP/1.1 103 Early Hints\r\n\r\n", {}],
  ["announces more than it sends", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}", {}],
  ["announces more than it sends and hangs up", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}", { hangsUp: true }],
  ["speaks no HTTP", "220 mail.example.org ESMTP\r\n", {}],
])("an exchange with a host that %s is over by its deadline, and lost", async (_, answer, how) => {
  expect(await send(await aHost(answer, how))).toMatchObject({ kind: "lost" });
});
