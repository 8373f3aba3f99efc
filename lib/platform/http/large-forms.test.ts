import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { afterEach, expect, test } from "vitest";
import { exchange, listening } from "#test/support/servers/served";
import { formBytesMax, strangersFormBytesMax } from "./form-bytes.ts";
import { largeForms } from "./large-forms.ts";
import { wholeForms } from "./whole-forms.ts";

const opened: Server[] = [];
afterEach(() => opened.splice(0).forEach((server) => (server.closeAllConnections(), server.close())));

async function aServer(personId?: string): Promise<string> {
  const listener = wholeForms(
    largeForms((_, outgoing) => void outgoing.end("the page")),
    async () => personId,
  );
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  opened.push(server);
  return listening(server);
}

const post = (url: string, bytes: number) => fetch(url, { method: "POST", body: new Uint8Array(bytes) });

test("a form over the limit is read and told so in a page that says the way back; one at the limit is let through", async () => {
  const url = await aServer("somebody");
  const refused = await post(`${url}/tasks/1`, formBytesMax + 1);
  expect([refused.status, refused.headers.get("content-type")]).toEqual([413, "text/html; charset=utf-8"]);
  expect(await refused.text()).toContain("what you typed is still there");
  const taken = await post(`${url}/tasks/1`, formBytesMax);
  expect([taken.status, await taken.text()]).toEqual([200, "the page"]);
});

test("a stranger's form is let through up to its own limit; beyond, it is read and told to sign in", async () => {
  const url = await aServer();
  const refused = await post(`${url}/tasks/1`, strangersFormBytesMax + 1);
  expect([refused.status, refused.headers.get("content-type")]).toEqual([403, "text/html; charset=utf-8"]);
  expect(await refused.text()).toContain("You are not signed in any more");
  expect((await post(`${url}/tasks/1`, formBytesMax + 1)).status).toBe(413);
  expect(await (await post(`${url}/tasks/1`, strangersFormBytesMax)).text()).toBe("the page");
});

test("a form that does not say its length is refused unread, and no request without a body is", async () => {
  const url = await aServer();
  const refused = await exchange(url, "POST /tasks/1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}");
  expect(refused).toMatch(/^HTTP\/1\.1 411 /);
  expect(refused.toLowerCase()).toContain("connection: close");
  const taken = await fetch(url, { method: "POST" });
  expect([taken.status, await taken.text()]).toEqual([200, "the page"]);
});

test("the limit is that of the pages' actions", () => {
  expect(readFileSync("next.config.mjs", "utf8")).toContain(`bodySizeLimit: "${formBytesMax / 1024 / 1024}mb"`);
});
