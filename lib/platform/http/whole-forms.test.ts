import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { edgeDeps } from "#test/support/agents/edge";
import { exchange, listening } from "#test/support/servers/served";
import { a2aListener } from "#lib/a2a/listener";
import { strangersFormBytesMax } from "./form-bytes.ts";
import { createFront } from "./front.ts";
import { wholeForms } from "./whole-forms.ts";

const ends: (() => void)[] = [];
afterEach(() => ends.splice(0).forEach((end) => end()));

const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** The front, with a page behind it that says what it was asked, as whom and with what body. */
async function aFront() {
  const reached: string[] = [];
  const personOf = async ({ headers }: IncomingMessage) => headers.cookie;
  const page = wholeForms(async (incoming, outgoing) => {
    reached.push(`${incoming.method} ${incoming.url} ${String(incoming.headers["x-name"])}`);
    outgoing.end(digest(Buffer.concat(await incoming.toArray())));
  }, personOf);
  const refused: number[] = [];
  const server = createFront({
    byPath: { "/api/a2a": a2aListener(edgeDeps()) },
    rest: page,
    upgrades: () => false,
    onError: (error) => ends.push(() => expect.fail(String(error))),
    onRefused: (status) => refused.push(status),
  });
  const url = await listening(server);
  ends.push(() => (server.closeAllConnections(), server.close()));
  let seen = 0;
  server.on("request", () => void (seen += 1));
  return { url, reached, refused, seen: () => seen };
}

const head = (name: string, bytes: number, more = "") =>
  `POST /queue HTTP/1.1\r\nHost: a\r\nX-Name: ${name}\r\n${more}Content-Length: ${bytes}\r\n\r\n`;

function aSocket(url: string, bytes: string): Socket {
  const socket = connect(Number(new URL(url).port), "127.0.0.1").on("error", () => undefined);
  ends.push(() => socket.destroy());
  socket.write(bytes);
  return socket;
}

test("while 520 half-sent forms stand open, no page is asked for one, and calls, pages and whole forms are answered", async () => {
  const { url, reached, refused, seen } = await aFront();
  const half = `${head("half", 500_000)}email=${"x".repeat(30_000)}`;
  const sockets = Array.from({ length: 520 }, () => aSocket(url, half).resume());
  await vi.waitUntil(() => seen() === sockets.length, { timeout: 15_000 });
  // 256 of one address stand open; each beyond sent one away, which is told to come again.
  await vi.waitUntil(() => refused.length === sockets.length - 256, { timeout: 15_000 });
  const call = { method: "POST", headers: { "content-type": "application/json" }, body: "[]" };
  for (const _ of Array.from({ length: 20 })) {
    expect((await fetch(`${url}/api/a2a`, call)).status).toBe(200);
    expect((await fetch(`${url}/queue`, { headers: { "x-name": "reader" } })).status).toBe(200);
    const body = randomBytes(1_000);
    const sent = await fetch(`${url}/queue`, { method: "POST", headers: { "x-name": "whole" }, body });
    expect(await sent.text()).toBe(digest(body));
  }
  expect(reached).toHaveLength(40);
  expect(new Set(reached)).toEqual(new Set(["GET /queue reader", "POST /queue whole"]));
});

test("a form that comes in pieces reaches its page once, whole and unchanged, and its connection takes the next", async () => {
  const { url, reached } = await aFront();
  const body = randomBytes(strangersFormBytesMax).toString("latin1");
  const socket = aSocket(url, "");
  const received: string[] = [];
  socket.setEncoding("latin1").on("data", (text) => void received.push(String(text)));
  for (const part of [head("first", body.length), body.slice(0, 700_000), body.slice(700_000)]) {
    expect(reached).toEqual([]);
    await new Promise((written) => socket.write(part, "latin1", written));
  }
  await vi.waitUntil(() => received.join("").includes(digest(Buffer.from(body, "latin1"))));
  socket.write(`${head("second", 2)}{}`);
  await vi.waitUntil(() => received.join("").includes(digest(Buffer.from("{}"))));
  expect(reached).toEqual(["POST /queue first", "POST /queue second"]);
});

test("a form that is cut short reaches no page", async () => {
  const { url, reached, seen } = await aFront();
  const socket = aSocket(url, `${head("cut", 100)}x`);
  await vi.waitUntil(() => seen() === 1);
  socket.destroy();
  expect(await exchange(url, `${head("whole", 2, "Connection: close\r\n")}{}`)).toContain(digest(Buffer.from("{}")));
  expect(reached).toEqual(["POST /queue whole"]);
});

test("a long form is kept for whoever is signed in; a stranger's is passed on without its body", async () => {
  const { url } = await aFront();
  const body = randomBytes(strangersFormBytesMax + 1);
  const send = async (headers: Record<string, string>) =>
    (await fetch(`${url}/queue`, { method: "POST", headers, body })).text();
  expect(await send({ cookie: "somebody" })).toBe(digest(body));
  expect(await send({})).toBe(digest(Buffer.alloc(0)));
});
