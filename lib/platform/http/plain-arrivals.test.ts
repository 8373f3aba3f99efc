import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from "node:http";
import { afterEach, expect, test } from "vitest";
import { listening } from "#test/support/servers/served";
import { arrivalAddress, arrivalPlace, isOwnMark, tellArrival } from "./arrival-headers.ts";
import { tellPlainArrivals } from "./plain-arrivals.ts";
import type { RefusedRequest } from "./refused-requests.ts";

const opened: Server[] = [];
afterEach(() => opened.splice(0).forEach((server) => (server.closeAllConnections(), server.close())));

const refused: RefusedRequest[] = [];

async function aServer(
  tell?: (incoming: IncomingMessage) => void,
): Promise<{ url: string; reached: IncomingHttpHeaders[] }> {
  const reached: IncomingHttpHeaders[] = [];
  const server = createServer((incoming, outgoing) => {
    const { headers, url } = incoming;
    tell?.(incoming);
    reached.push(headers);
    outgoing.writeHead(url === "/refused" ? 403 : 200).end();
  });
  opened.push(server);
  return { url: await listening(server), reached };
}

const forged = {
  "x-arrival": "guessed",
  "x-client-address": "203.0.113.9",
  "x-place": "/elsewhere",
  "x-front": "1",
  "x-forwarded-for": "203.0.113.9",
  "x-forwarded-host": "elsewhere.example",
  "content-security-policy": "script-src 'nonce-guessed'",
};

const asHeaders = (headers: IncomingHttpHeaders | undefined) =>
  new Headers(Object.entries(headers ?? {}).map(([name, value]): [string, string] => [name, String(value)]));

test("a page believes nothing of its arrival that a stranger's request says", async () => {
  const unmarked = new Headers(forged);
  expect([isOwnMark(unmarked), arrivalAddress(unmarked), arrivalPlace(unmarked)]).toEqual([
    false,
    undefined,
    undefined,
  ]);
});

test.each([
  ["what Next's router says of its page stays", '["",{"children":["queue",{}]}]', true],
  ["what Next could not read of it is gone", '["",', false],
])("%s", async (_, state, stays) => {
  const { url, reached } = await aServer(tellArrival);
  await fetch(url, { headers: { "next-router-state-tree": encodeURIComponent(state) } });
  expect(reached[0]?.["next-router-state-tree"] !== undefined).toBe(stays);
});

test("under plain Next every request is told by its own connection, and what it says of the front is gone", async () => {
  const { url, reached } = await aServer();
  tellPlainArrivals({ proxies: [], onRefused: (request) => refused.push(request) });
  await fetch(`${url}/tasks/1/print?secret`, { headers: forged });
  const headers = asHeaders(reached[0]);
  expect([isOwnMark(headers), arrivalAddress(headers), arrivalPlace(headers)]).toEqual([
    true,
    "127.0.0.1",
    "/tasks/[id]/print",
  ]);
  expect([headers.get("x-front"), headers.get("content-security-policy"), headers.get("x-forwarded-for")]).toEqual([
    null,
    null,
    null,
  ]);
  expect(headers.get("x-forwarded-host")).toBe(new URL(url).host);
  await fetch(`${url}/refused`);
  await expect
    .poll(() => refused)
    .toEqual([{ requestId: expect.any(String), status: 403, method: "GET", target: "/refused" }]);
});
