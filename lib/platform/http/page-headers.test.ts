import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { afterEach, expect, test } from "vitest";
import { listening } from "#test/support/servers/served";
import { readNetworks, type Networks } from "#lib/platform/outbound/networks";
import { pageHeaders } from "./page-headers.ts";

const opened: Server[] = [];
afterEach(() => opened.splice(0).forEach((server) => (server.closeAllConnections(), server.close())));

type SeenRequest = { readonly url: string; readonly reached: IncomingHttpHeaders[] };

const publicUrl = "https://desk.example";

async function aServer({ development = false, proxies = [] as Networks } = {}): Promise<SeenRequest> {
  const reached: IncomingHttpHeaders[] = [];
  const page = pageHeaders(({ headers }, outgoing) => (reached.push(headers), void outgoing.end("the page")), {
    development,
    publicUrl,
    proxies,
  });
  const server = createServer((incoming, outgoing) => void page(incoming, outgoing));
  opened.push(server);
  return { url: await listening(server), reached };
}

const policyOf = (answer: Response) => answer.headers.get("content-security-policy") ?? "";

test("every page has a policy with a nonce of its own, which the page is drawn with whatever the request says", async () => {
  const { url, reached } = await aServer();
  const forged = { headers: { "content-security-policy": "script-src 'nonce-guessed'" } };
  const policies = [];
  for (const path of [
    "/queue",
    "/queue?view=mine",
    "/tasks/1",
    "/live/queue",
    "/live/views",
    "//queue",
    "/tasks/1/attachments/x/../..",
  ])
    policies.push(policyOf(await fetch(url + path, forged)));
  const nonces = policies.map(
    (policy) => /script-src 'self' 'nonce-([A-Za-z0-9+/]{22}==)' 'strict-dynamic';/.exec(policy)?.[1],
  );
  expect(nonces).not.toContain(undefined);
  expect(new Set(nonces).size).toBe(policies.length);
  expect(reached.map((headers) => headers["content-security-policy"])).toEqual(policies);
  for (const policy of policies) expect(policy).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/);
});

test("every page says that it is framed by none, taken for no other kind and told to no other site", async () => {
  const { url } = await aServer();
  const { headers } = await fetch(`${url}/queue`);
  expect(Object.fromEntries(headers)).toMatchObject({
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
  });
});

test("a case's file and what a payer sent have the headers their own answers give them and none beside them, a receipt a policy of its own", async () => {
  const { url } = await aServer();
  for (const [path, framed] of [
    [`/tasks/1/attachments/${"a".repeat(64)}`, null],
    ["/tasks/1/answers/01a1fbb2-38e4-709b-bd96-baa86507fbcc", null],
    ["/notifications/01a1fbb2-38e4-709b-bd96-baa86507fbcc", null],
    ["/tasks/1/receipts/01a1fbb2-38e4-709b-bd96-baa86507fbcc", "DENY"],
  ] as const) {
    const answer = await fetch(url + path);
    expect([answer.status, policyOf(answer), answer.headers.get("x-frame-options")]).toEqual([200, "", framed]);
  }
});

test("what a page of another site posts reaches nothing; a post of our own page, or of none, goes on", async () => {
  const { url, reached } = await aServer();
  const post = (headers: Record<string, string>) => fetch(`${url}/queue`, { method: "POST", body: "a=b", headers });
  for (const origin of ["https://elsewhere.example", "null", "", url.replace(/\d+$/, "1")])
    expect([origin, (await post({ origin })).status]).toEqual([origin, 403]);
  expect(reached).toEqual([]);
  expect([(await post({ origin: url })).status, (await post({})).status]).toEqual([200, 200]);
});

test("a page that another site had opened is not compressed, so that its length tells nothing of what is on it", async () => {
  const { url, reached } = await aServer();
  const accepting = { "accept-encoding": "gzip, br" };
  for (const site of ["cross-site", "same-site", "other", "", undefined])
    await fetch(`${url}/queue?q=guess`, {
      headers: { ...accepting, ...(site !== undefined && { "sec-fetch-site": site }) },
    });
  expect(reached.map((headers) => headers["accept-encoding"])).toEqual(Array(5).fill(undefined));
  for (const site of ["same-origin", "none"])
    await fetch(`${url}/queue?q=guess`, { headers: { ...accepting, "sec-fetch-site": site } });
  expect(reached.slice(5).map((headers) => headers["accept-encoding"])).toEqual(Array(2).fill("gzip, br"));
});

const viaProxy = { "x-forwarded-host": "alias.example", "x-forwarded-proto": "https", "x-real-ip": "192.0.2.1" };

test("the host a header says is believed of nobody but a proxy this deployment trusts; the public address always is", async () => {
  const network = readNetworks("127.0.0.0/8") ?? [];
  for (const [proxies, origin, expected] of [
    [[], "https://alias.example", 403],
    [network, "https://alias.example", 200],
    [network, "https://elsewhere.example", 403],
    [[], publicUrl, 200],
    [network, publicUrl, 200],
  ] as const) {
    const { url, reached } = await aServer({ proxies });
    const { status } = await fetch(`${url}/queue`, { method: "POST", body: "a=b", headers: { ...viaProxy, origin } });
    expect([proxies.length, origin, status]).toEqual([proxies.length, origin, expected]);
    expect(reached.map((headers) => headers["x-forwarded-host"])).toEqual(status === 200 ? [new URL(origin).host] : []);
  }
});

test("nothing after the front is told by a header of the caller's which way a request came", async () => {
  const { url, reached } = await aServer();
  const forged = { ...viaProxy, "x-forwarded-for": "192.0.2.1", "x-forwarded-port": "1", forwarded: "for=192.0.2.1" };
  await fetch(`${url}/queue`, { headers: forged });
  const headers = Object.entries(reached[0] ?? {}).filter(([name]) => /forwarded|real-ip/.test(name));
  expect(headers).toEqual([["x-forwarded-host", new URL(url).host]]);
});

test("the address of Next's page for failures is none of ours", async () => {
  const { url, reached } = await aServer();
  expect((await fetch(`${url}/_global-error?x`)).status).toBe(404);
  expect(reached).toEqual([]);
});

test("an address whose bytes are no characters is answered 400 and reaches no page; any other character does", async () => {
  const { url, reached } = await aServer();
  for (const path of ["/tasks/%ff", "/tasks/%", "/tasks/%c0%af", "/practices/%zz", "/%f0%9f"])
    expect((await fetch(url + path)).status, path).toBe(400);
  expect(reached).toEqual([]);
  for (const path of ["/tasks/%00", "/tasks/%C3%A9", "/queue?view=%ff", "/"])
    expect((await fetch(url + path)).status, path).toBe(200);
});

test("only while developing may a page make code of text", async () => {
  for (const development of [false, true])
    expect(policyOf(await fetch((await aServer({ development })).url)).includes("unsafe")).toBe(development);
});
