import { createServer, type Server } from "node:http";
import { afterEach, expect, test } from "vitest";
import { listening } from "#test/support/servers/served";
import { tellingRefusals, type RefusedRequest } from "./refused-requests.ts";

const opened: Server[] = [];
afterEach(() => opened.splice(0).forEach((server) => (server.closeAllConnections(), server.close())));

test("each request that is refused is told once, and none that was served or failed", async () => {
  const reported: RefusedRequest[] = [];
  const listener = tellingRefusals(
    ({ url }, outgoing) => void outgoing.writeHead(Number(url?.slice(1))).end(),
    (refused) => reported.push(refused),
  );
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  opened.push(server);
  const url = await listening(server);
  for (const status of [200, 303, 400, 500, 403])
    await fetch(`${url}/${status}`, { method: "POST", redirect: "manual" });
  await expect
    .poll(() => reported)
    .toEqual([
      { status: 400, method: "POST", target: "/400", requestId: expect.any(String) },
      { status: 403, method: "POST", target: "/403", requestId: expect.any(String) },
    ]);
});

test("a request that its answer names is told by that name", async () => {
  const reported: RefusedRequest[] = [];
  const listener = tellingRefusals(
    (_, outgoing) => void outgoing.writeHead(401, { "x-request-id": "its-own" }).end(),
    (refused) => reported.push(refused),
  );
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  opened.push(server);
  const answer = await fetch(await listening(server), { method: "POST" });
  expect(answer.headers.get("x-request-id")).toBe("its-own");
  await expect.poll(() => reported).toMatchObject([{ status: 401, requestId: "its-own" }]);
});
