import { createServer, type RequestListener, type Server } from "node:http";
import { afterEach, expect, test } from "vitest";
import { listening } from "#test/support/servers/served";
import { noteBegun, noteUnread } from "#lib/platform/process/page-post";
import { unreadPosts } from "./unread-posts.ts";

const opened: Server[] = [];
afterEach(() => opened.splice(0).forEach((server) => (server.closeAllConnections(), server.close())));

/** Stands for whatever reads forms behind the front, and fails in one of the ways it has. */
async function served(page: RequestListener): Promise<string> {
  const listener = unreadPosts((incoming, outgoing) => page(incoming, outgoing));
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  opened.push(server);
  return listening(server);
}

const waysToFail: Readonly<Record<string, RequestListener>> = {
  "a head and a body": (_, outgoing) => outgoing.writeHead(500, { "x-of-next": "1" }).end("we failed"),
  "a status and a body": (_, outgoing) => void ((outgoing.statusCode = 500), outgoing.end("we failed")),
  "a status, its headers and pieces": (_, outgoing) => {
    outgoing.statusCode = 500;
    outgoing.setHeader("x-of-next", "1").flushHeaders();
    outgoing.write("we ");
    outgoing.end("failed");
  },
};

test.each(Object.entries(waysToFail))(
  "a post that failed before anything worked on it is told, by %s, that it could not be read",
  async (_, fail) => {
    const url = await served(fail);
    const answer = await fetch(url, { method: "POST", body: "?" });
    expect([answer.status, answer.headers.get("x-of-next")]).toEqual([400, null]);
    expect(await answer.text()).toContain("That form could not be read");
  },
);

test("a post that could not be read is answered under the id and with the headers that its request had before", async () => {
  const listener = unreadPosts((_, outgoing) => void outgoing.writeHead(500, { "x-of-next": "1" }).end("we failed"));
  const server = createServer((incoming, outgoing) => {
    outgoing.setHeader("x-request-id", "one").setHeader("strict-transport-security", "max-age=1");
    void listener(incoming, outgoing);
  });
  opened.push(server);
  const { headers } = await fetch(await listening(server), { method: "POST", body: "?" });
  const names = ["x-request-id", "strict-transport-security", "x-of-next"];
  expect(names.map((name) => headers.get(name))).toEqual(["one", "max-age=1", null]);
});

test("what fails once something worked on it, or is no post, stays our failure; what was served is served", async () => {
  const url = await served((incoming, outgoing) => {
    if (incoming.url === "/begun") noteBegun();
    outgoing.writeHead(incoming.url === "/served" ? 200 : 500).end("said");
  });
  const statusOf = async (path: string, method = "POST") => (await fetch(url + path, { method })).status;
  expect([await statusOf("/begun"), await statusOf("/", "GET"), await statusOf("/served")]).toEqual([500, 500, 200]);
});

test("a post that failed unread stays so, whatever the page that says so works on", async () => {
  const url = await served((_, outgoing) => {
    expect(noteUnread()).toBe(true);
    noteBegun();
    outgoing.writeHead(500).end("we failed");
  });
  expect((await fetch(url, { method: "POST" })).status).toBe(400);
});

/** As Next answers a post that names an action it does not have: 400 where no build can have it, otherwise 409. */
async function servedWithout(status: number): Promise<string> {
  return served((_, outgoing) => {
    outgoing.statusCode = status;
    outgoing.setHeader("x-nextjs-action-not-found", "1").setHeader("content-type", "text/plain");
    outgoing.end("Of Next.");
  });
}

test.each([
  [400, "That form could not be read"],
  [409, "That page is out of date"],
])(
  "a form sent without a script that names no action of this build is answered %i by a page",
  async (status, title) => {
    const url = await servedWithout(status);
    const answer = await fetch(url, { method: "POST", body: "?" });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([status, "text/html; charset=utf-8"]);
    expect(await answer.text()).toContain(`<h1>${title}</h1>`);
  },
);

test("a script that names an action of an earlier build is left what Next tells it by", async () => {
  const headers = { "next-action": "40".repeat(21) };
  const answer = await fetch(await servedWithout(409), { method: "POST", headers });
  const seen = [answer.status, answer.headers.get("x-nextjs-action-not-found"), await answer.text()];
  expect(seen).toEqual([409, "1", "Of Next."]);
});

test("what cannot be the name of an action reaches nothing", async () => {
  let reached = 0;
  const url = await served((_, outgoing) => void ((reached += 1), outgoing.end()));
  const statusOf = async (action: string) =>
    (await fetch(url, { method: "POST", headers: { "next-action": action } })).status;
  for (const action of ["x", '{"level":"error"}', "", "0".repeat(129), "toString"])
    expect(await statusOf(action)).toBe(400);
  expect(reached).toBe(0);
  expect(await statusOf("40".repeat(21))).toBe(200);
});
