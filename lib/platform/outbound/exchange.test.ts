import { createServer } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { listening } from "#test/support/payer/pas/listen";
import { exchange } from "./exchange.ts";
import { readNetworks } from "./networks.ts";

/** A host that answers every connection with these bytes, then says nothing, or hangs up. */
async function aHost(answer: string, { hangsUp = false }: { readonly hangsUp?: boolean } = {}): Promise<string> {
  return listening(
    createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => (hangsUp ? socket.end(answer, "latin1") : socket.write(answer, "latin1")));
    }),
  );
}

const send = (url: string, deadlineMs = 1_000, more: { readonly isHeadEnough?: boolean } = {}) =>
  exchange(
    { method: "POST", url, contentType: "application/json", body: Buffer.from("{}") },
    { signal: AbortSignal.timeout(deadlineMs), networks: readNetworks("127.0.0.0/8"), ...more },
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

test.each([
  ["more than is read", `Content-Length: 9000000\r\n\r\n${"x".repeat(100_000)}`],
  ["an encoding that is not understood", "Content-Encoding: zstd\r\nContent-Length: 2\r\n\r\n{}"],
  ["less than it announces", "Content-Length: 10\r\n\r\n{}"],
])("a reply whose head is enough is its head, also where its body is %s", async (_, rest) => {
  const url = await aHost(`HTTP/1.1 202 Accepted\r\n${rest}`);
  expect(await send(url, 25_000, { isHeadEnough: true })).toMatchObject({ kind: "reply", status: 202 });
});

test("a host that says without end that it will answer is left at once, so that reading it costs nothing", async () => {
  const seen = { bytes: 0 };
  const hints = Buffer.from("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(1_000));
  const url = await listening(
    createServer((socket) => {
      const pour = () => {
        while (!socket.destroyed && socket.write(hints)) seen.bytes += hints.length;
      };
      socket.on("error", () => undefined);
      socket.on("drain", pour).once("data", pour);
    }),
  );
  // Long before its deadline, on a machine that does much else too.
  const began = performance.now();
  expect(await send(url, 25_000)).toMatchObject({ kind: "lost" });
  expect(performance.now() - began).toBeLessThan(10_000);
});

test("a small reply that unfolds to more than is read is lost, and no more of it is unfolded", async () => {
  const bomb = gzipSync(Buffer.alloc(200_000_000));
  const url = await aHost(
    `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n${bomb.toString("latin1")}`,
  );
  const before = process.memoryUsage().rss;
  expect(await send(url)).toMatchObject({ kind: "lost", reason: expect.stringContaining("larger than") });
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
});
