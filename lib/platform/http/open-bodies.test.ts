import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { exchange, listening } from "#test/support/servers/served";
import { arrivalOfNode } from "./arrival.ts";
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

/** A front whose calls say how long their body was, and the sockets with which 256 of them were begun and not ended. */
async function aFrontFullOfBodies(shedWaitMs: number) {
  const served: number[] = [];
  const server = createFront({
    byPath: {
      "/call": async (incoming, outgoing) => {
        const body = await arrivalOfNode(incoming).readBody({ bytesMax: 1_000 });
        if (typeof body === "string" || outgoing.destroyed) return;
        served.push(body.length);
        outgoing.end("served");
      },
    },
    rest: (_, outgoing) => void outgoing.end(),
    upgrades: () => false,
    onError: () => undefined,
    shedWaitMs,
  });
  let begun = 0;
  server.on("request", () => void (begun += 1));
  const url = await listening(server);
  ends.push(() => (server.closeAllConnections(), server.close()));
  const begin = async () => {
    const socket = aSocket(url);
    const received: string[] = [];
    socket.on("data", (chunk) => void received.push(chunk.toString()));
    const before = begun;
    socket.write(`${call(10)}begun`);
    await vi.waitUntil(() => begun > before);
    return { socket, received: () => received.join("") };
  };
  const call = (bytes: number) =>
    `POST /call HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${bytes}\r\n\r\n`;
  const first = await begin();
  await Promise.all(Array.from({ length: 255 }, begin));
  return { first, served, send: () => exchange(url, `${call(5)}whole`) };
}

test("what gave way is told so only seconds later, so that coming again at once is no flood", async () => {
  const shedWaitMs = 500;
  const { first, send } = await aFrontFullOfBodies(shedWaitMs);
  const before = performance.now();
  expect(await send()).toMatch(/served$/);
  await vi.waitUntil(() => first.received() !== "", { timeout: 30_000 });
  expect(performance.now() - before).toBeGreaterThanOrEqual(shedWaitMs - 1);
  expect(first.received()).toMatch(/^HTTP\/1.1 503 /);
});

test("of what gave way nothing more is read, and ended after all it is served by nobody", async () => {
  const { first, served, send } = await aFrontFullOfBodies(500);
  await send();
  first.socket.write("ended");
  await vi.waitUntil(() => first.received() !== "", { timeout: 30_000 });
  expect(first.received()).toMatch(/^HTTP\/1.1 503 /);
  expect(served).toEqual([5]);
});

test("a connection whose body gave way is the first to go where its address has too many", async () => {
  const server = createServer();
  const { spare } = boundConnections(server, 2);
  const url = await listening(server);
  ends.push(() => (server.closeAllConnections(), server.close()));
  server.on("request", ({ url: path, socket }, outgoing) => {
    if (path === "/") outgoing.end("served");
    else spare(socket);
  });
  const gaveWay = aSocket(url);
  const closed = once(gaveWay, "close");
  gaveWay.write("POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n");
  await once(server, "request");
  const kept = aSocket(url);
  kept.write("POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n");
  await once(server, "request");
  expect(await exchange(url, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")).toMatch(/served$/);
  await closed;
  expect(kept.destroyed).toBe(false);
});
