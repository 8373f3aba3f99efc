import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { exchange, listening } from "#test/served";
import { boundConnections } from "./connections.ts";
import { createFront } from "./front.ts";
import { watchOpenBodies } from "./open-bodies.ts";

const ends: (() => void)[] = [];
afterEach(() => ends.splice(0).forEach((end) => end()));

/** A server that reads what comes and says how much it was, under these bounds; addresses are what a header says. */
async function aReader(bounds: Pick<Parameters<typeof watchOpenBodies>[0], "each" | "all">) {
  const server = createServer();
  const gaveUp: string[] = [];
  let seen = 0;
  const named = ({ headers }: IncomingMessage) => String(headers["x-name"]);
  const watch = watchOpenBodies({
    ...bounds,
    addressOf: ({ headers }) => String(headers["x-from"]),
    giveUp: (incoming) => {
      gaveUp.push(named(incoming));
      incoming.socket.destroy();
    },
  });
  server.on("request", (incoming, outgoing) => {
    seen += 1;
    watch(incoming, 1_000);
    let bytes = 0;
    incoming.on("data", (chunk: Buffer) => (bytes += chunk.length)).on("end", () => outgoing.end(String(bytes)));
  });
  const url = await listening(server);
  ends.push(() => (server.closeAllConnections(), server.close()));
  const head = (from: string, name: string, bytes: number) =>
    `POST / HTTP/1.1\r\nHost: a\r\nX-From: ${from}\r\nX-Name: ${name}\r\nContent-Length: ${bytes}\r\nConnection: close\r\n\r\n`;
  return {
    gaveUp,
    begin: async (from: string, name: string, bytes = 10) => {
      const before = seen;
      aSocket(url).write(head(from, name, bytes));
      await vi.waitUntil(() => seen > before);
    },
    send: (from: string, bytes = 10) => exchange(url, head(from, "whole", bytes) + "x".repeat(bytes)),
  };
}

function aSocket(url: string): Socket {
  const socket = connect(Number(new URL(url).port), "127.0.0.1").on("error", () => undefined);
  ends.push(() => socket.destroy());
  return socket;
}

test("a body sent at once is taken however many of its address are unfinished; the one begun first gives way", async () => {
  const { begin, send, gaveUp } = await aReader({ each: { bodies: 3, bytes: 10_000 } });
  for (const name of ["one", "two", "three"]) await begin("a", name);
  await begin("b", "another's");
  for (const _ of [1, 2]) expect(await send("a")).toMatch(/\r\n\r\n10$/);
  expect(gaveUp).toEqual(["one"]);
});

test("what bodies may come to in bytes is bounded as well, and one counts for no more than is read of it", async () => {
  const { begin, send, gaveUp } = await aReader({ each: { bodies: 100, bytes: 2_500 } });
  for (const name of ["one", "two"]) await begin("a", name, 1_000_000);
  expect(await send("a", 100)).toMatch(/\r\n\r\n100$/);
  expect(gaveUp).toEqual([]);
  await begin("a", "three", 1_000_000);
  expect(gaveUp).toEqual(["one"]);
});

test("where all together have too much, one of the address that has most gives way", async () => {
  const { begin, gaveUp } = await aReader({ each: { bodies: 100, bytes: 10_000 }, all: { bodies: 100, bytes: 3_500 } });
  await begin("b", "small", 600);
  for (const name of ["one", "two"]) await begin("a", name, 1_000);
  await begin("b", "another", 900);
  await begin("c", "new", 500);
  expect(gaveUp).toEqual(["one"]);
});

test("one address has so many connections open: the oldest that brought no request gives way, and a call is served", async () => {
  const server = createFront({
    byPath: {},
    rest: (_, outgoing) => void outgoing.end("served"),
    upgrades: () => false,
    onError: () => undefined,
  });
  boundConnections(server, 3);
  const url = await listening(server);
  ends.push(() => (server.closeAllConnections(), server.close()));
  const silent = aSocket(url);
  await once(silent, "connect");
  const closed = once(silent, "close");
  for (const _ of [1, 2]) await once(aSocket(url), "connect");
  expect(await exchange(url, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")).toMatch(/served$/);
  await closed;
});
