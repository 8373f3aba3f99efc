import { connect } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { CallBook } from "#lib/a2a/admit/call-book";
import { showChannelCalls } from "#lib/channel/channel-calls";
import { keyWarnings } from "#lib/channel/key-warnings";
import { showChannel } from "#lib/channel/list-channels";
import { revokeKey } from "#lib/channel/revoke-key";
import { setChannelClient } from "#lib/channel/set-channel-client";
import { issueToken, tokenLifeS } from "#lib/channel/access-token";
import { authenticateChannel } from "#lib/channel/authenticate-channel";
import type { PersonActor } from "#lib/access/model/actor";
import { newId } from "#lib/db/new-id";
import { loadStanding } from "#lib/submission/store/release-standing";
import { inTransaction } from "#lib/db/db";
import { aPayer } from "#test/support/payer/pas/listen";
import { aPerson, done, entriesOf, operator, proved } from "#test/support/people/admin";
import { aChannel, aPractice, aStore, smallReview } from "#test/support/cases/cases";
import { edgeDeps } from "#test/support/agents/edge";
import { versions } from "#test/support/agents/sdk-clients";
import { listening } from "#test/support/servers/served";
import { tokenServer } from "#test/support/agents/token-server";
import { aSigner, signed } from "#test/support/agents/signers";

// Two servers with a store each, as two processes of the service are; assertions are made out to one public address.
const tokenUrl = "https://pa.example.org/api/token";
const stores = [aStore(), aStore()] as const;
const [store] = stores;
const books: CallBook[] = [];
const servers = stores.map((each) => {
  const deps = edgeDeps(each);
  books.push(deps.book);
  return tokenServer(deps, tokenUrl);
});
let urls: readonly string[];
beforeAll(async () => void (urls = await Promise.all(servers.map(listening))));
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  for (const each of stores) await each.close();
});

const ctx = { actor: operator, store };
const intake = (practiceId: string) => ({ skill: "prior_auth_intake", practiceId, serviceReview: smallReview });

/** How many requests a server has begun since. */
function countingRequests(server: (typeof servers)[number] | undefined): () => number {
  let seen = 0;
  server?.on("request", () => void (seen += 1));
  return () => seen;
}

async function aClient(alg?: string) {
  const practiceId = await aPractice(store);
  const channel = await aChannel(store, { practices: [practiceId] });
  await done(revokeKey(ctx, { channelId: channel.actor.id }));
  const signer = await aSigner(alg);
  const { clientId } = await done(setChannelClient(ctx, { channelId: channel.actor.id, jwks: signer.jwks }));
  return { practiceId, channelId: channel.actor.id, clientId, signer };
}

const now = () => Math.floor(Date.now() / 1_000);
const claims = (clientId: string) => ({ iss: clientId, sub: clientId, aud: tokenUrl, jti: uuidv7(), exp: now() + 240 });

async function ask(assertion: string, { server = 0, form = {} } = {}) {
  const response = await fetch(`${urls[server]}/api/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: assertion,
      ...form,
    }),
  });
  const { status, headers } = response;
  return { status, headers, json: (await response.json()) as Record<string, string> };
}

const deniedAs = async (channelId: string) =>
  (await done(showChannelCalls(ctx, { channelId }))).denials.map(({ rule }) => rule);

const speaksFor = async (token: string) => (await authenticateChannel(store, token))?.actor.id;

describe.each(["ES384", "RS384", "EdDSA"])("a client that signs with %s", (alg) => {
  test.each(versions)("works with its token in the official client $name", async ({ connect }) => {
    const { clientId, signer, practiceId } = await aClient(alg);
    const granted = await ask(await signed(signer, claims(clientId)));
    expect(granted).toMatchObject({ status: 200, json: { token_type: "Bearer", expires_in: 300 } });
    expect(granted.headers.get("cache-control")).toBe("no-store");
    const client = await connect(urls[1] ?? "", granted.json.access_token);
    const sent = await client.send(intake(practiceId));
    expect(sent.state).toBe("working");
  });
});

test("one assertion is used once, also on two servers at once", async () => {
  const { clientId, signer } = await aClient();
  for (let round = 0; round < 5; round += 1) {
    const assertion = await signed(signer, claims(clientId));
    const answers = await Promise.all([0, 1, 0, 1, 0, 1].map((server) => ask(assertion, { server })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
  }
});

test("520 connections that never send their form hold no place: every valid call and every valid assertion is answered", async () => {
  const { clientId, signer, practiceId } = await aClient();
  const { key } = await aChannel(store, { practices: [practiceId] });
  const [url = ""] = urls;
  const head = "POST /api/token HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\n";
  const seen = countingRequests(servers[0]);
  const sockets = Array.from({ length: 520 }, () => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1").on("error", () => undefined);
    socket.write(`${head}Content-Length: 2000\r\n\r\n`);
    return socket;
  });
  await vi.waitUntil(() => seen() === sockets.length, { timeout: 20_000 });
  try {
    const params = { message: { role: "user", parts: [{ kind: "data", data: intake(practiceId) }] } };
    const body = JSON.stringify({ jsonrpc: "2.0", id: "1", method: "message/send", params });
    const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
    const calls = Array.from({ length: 20 }, () => fetch(`${url}/api/a2a`, { method: "POST", headers, body }));
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(calls.map(() => 200));
    const assertions = await Promise.all(calls.map(() => signed(signer, claims(clientId))));
    const granted = await Promise.all(assertions.map((assertion) => ask(assertion)));
    expect(granted.map(({ status }) => status)).toEqual(calls.map(() => 200));
  } finally {
    for (const socket of sockets) socket.destroy();
  }
});

test("whatever is wrong with an assertion, the answer is the same, and it grants nothing", async () => {
  const { clientId, signer, channelId } = await aClient();
  const other = await aClient();
  const good = claims(clientId);
  const stranger = await aSigner();
  const used = await signed(signer, good);
  expect((await ask(used)).status).toBe(200);
  const wrong: readonly (readonly [string, string])[] = [
    ["used before", used],
    ["no assertion", "x"],
    ["no signature", `${used.split(".").slice(0, 2).join(".")}.`],
    ["no algorithm", `${btoa('{"alg":"none"}')}.${used.split(".")[1]}.`],
    ["a stranger's key", await signed({ ...stranger, kid: signer.kid }, claims(clientId))],
    ["another client's key", await signed(other.signer, claims(clientId))],
    ["an unknown client", await signed(signer, claims("AAAAAAAAAA"))],
    ["another subject", await signed(signer, { ...claims(clientId), sub: other.clientId })],
    ["another audience", await signed(signer, { ...claims(clientId), aud: "https://elsewhere.example/token" })],
    ["ended", await signed(signer, { ...claims(clientId), exp: now() - 60 })],
    ["over five minutes", await signed(signer, { ...claims(clientId), exp: now() + 600 })],
    ["not yet", await signed(signer, { ...claims(clientId), nbf: now() + 60 })],
    ["no end", await signed(signer, { ...claims(clientId), exp: undefined })],
    ["no jti", await signed(signer, { ...claims(clientId), jti: undefined })],
    ["an empty jti", await signed(signer, { ...claims(clientId), jti: "" })],
  ];
  for (const [what, assertion] of wrong) {
    expect(await ask(assertion), what).toMatchObject({ status: 401, json: { error: "invalid_client" } });
  }
  await store.prisma.channel.update({ where: { id: channelId }, data: { networks: ["203.0.113.0/24"] } });
  expect((await ask(await signed(signer, claims(clientId)))).status).toBe(401);
  await store.prisma.channel.update({ where: { id: channelId }, data: { networks: [], status: "suspended" } });
  expect((await ask(await signed(signer, claims(clientId)))).status).toBe(401);
});

test("each token is recorded in its channel's chain, and a flood of refused assertions makes a few entries with the true reason", async () => {
  const { clientId, signer, channelId } = await aClient();
  const used = await signed(signer, claims(clientId));
  expect((await ask(used)).status).toBe(200);
  const stranger = { ...(await aSigner()), kid: signer.kid };
  const floods = Array.from({ length: 20 }, async () => ask(await signed(stranger, claims(clientId))));
  expect((await Promise.all([...floods, ask(used)])).every(({ status }) => status === 401)).toBe(true);
  await books[0]?.write();
  const entries = (await entriesOf(ctx, `channel:${channelId}`)).filter(
    ({ actor }) => actor === `channel:${channelId}`,
  );
  const denied = entries.filter(({ act }) => act === "channel.denied").map(({ detail }) => detail);
  expect(entries.filter(({ act }) => act === "channel.token-issued").map(({ detail }) => detail)).toEqual([
    { client: clientId, kid: signer.kid },
  ]);
  expect(new Set(denied.map(({ rule }) => rule))).toEqual(new Set(["assertion-wrong", "assertion-used"]));
  expect(denied.reduce((sum, { count }) => sum + Number(count), 0)).toBe(21);
  expect(denied.length).toBeLessThan(10);
});

test("a malformed request gets the error of RFC 6749", async () => {
  expect(await ask("x", { form: { grant_type: "password" } })).toMatchObject({
    status: 400,
    json: { error: "unsupported_grant_type" },
  });
  expect(await ask("x", { form: { client_assertion_type: "x" } })).toMatchObject({
    json: { error: "invalid_request" },
  });
  expect((await fetch(`${urls[0]}/api/token`)).status).toBe(405);
  expect((await fetch(`${urls[0]}/api/token`, { method: "POST", body: "{}" })).status).toBe(400);
});

test("a token ends at once with its five minutes, its client, its client's keys and its channel", async () => {
  const { clientId, signer, channelId } = await aClient();
  const token = async () => (await ask(await signed(signer, claims(clientId)))).json.access_token ?? "";
  const first = await token();
  expect(await speaksFor(first)).toBe(channelId);
  const early = new Date(Date.now() - tokenLifeS * 1_000);
  expect(await speaksFor(issueToken(store, { id: clientId, generation: 0 }, early))).toBeUndefined();
  for (const at of [4, 20, first.length - 1]) {
    const changed = first.slice(0, at) + (first[at] === "1" ? "2" : "1") + first.slice(at + 1);
    expect(await speaksFor(changed)).toBeUndefined();
  }
  await done(setChannelClient(ctx, { channelId, jwks: signer.jwks }));
  expect(await speaksFor(first)).toBeUndefined();
  const second = await token();
  expect(await speaksFor(second)).toBe(channelId);
  await store.prisma.channel.update({ where: { id: channelId }, data: { status: "suspended" } });
  expect(await speaksFor(second)).toBeUndefined();
  await store.prisma.channel.update({ where: { id: channelId }, data: { status: "active" } });
  await done(revokeKey(ctx, { channelId, keyId: clientId }));
  expect(await speaksFor(second)).toBeUndefined();
  expect((await ask(await signed(signer, claims(clientId)))).status).toBe(401);
});

test("the requests of a channel with a client and no key can be submitted, until the client is removed", async () => {
  const { clientId, channelId, practiceId } = await aClient();
  const release = { taskId: newId(), gateId: newId(), channelId, practiceId, atom: "prior_auth_intake" } as const;
  const entitled = async () => (await inTransaction(store, (tx) => loadStanding(tx, release))).channelEntitled;
  expect(await entitled()).toBe(true);
  await done(revokeKey(ctx, { channelId, keyId: clientId }));
  expect(await entitled()).toBe(false);
});

test("only strong public keys are accepted and used, and the audit entry has their ids", async () => {
  const [{ channelId, clientId, signer }, short] = [await aClient(), await aSigner("RS384", 2_048)];
  const { privateKey } = await generateKeyPair("ES384", { extractable: true });
  const weak = await generateKeyPair("ES256", { extractable: true });
  const sets = [
    "",
    "{}",
    '{"keys":[]}',
    JSON.stringify({ keys: [{ ...(await exportJWK(privateKey)), kid: "a" }] }),
    JSON.stringify({ keys: [{ ...(await exportJWK(weak.publicKey)), kid: "a" }] }),
    JSON.stringify({ keys: [{ kty: "RSA", n: "AQAB", e: "AQAB", kid: "a" }] }),
    short.jwks,
    JSON.stringify({ keys: [{ ...(JSON.parse(signer.jwks) as { keys: object[] }).keys[0], kid: undefined }] }),
  ];
  for (const jwks of sets) {
    expect(await setChannelClient(ctx, { channelId, jwks })).toMatchObject({
      refusal: { type: "invalid", issues: [{ field: "jwks" }] },
    });
  }
  // One that was given when it was thought strong enough.
  await store.prisma.channelKey.update({ where: { id: clientId }, data: { jwks: short.jwks } });
  expect((await ask(await signed(short, claims(clientId)))).status).toBe(401);
  await books[0]?.write();
  expect(await deniedAs(channelId)).toEqual(["client-key-weak"]);
  expect(keyWarnings(await done(showChannel(ctx, { channelId })), { practices: 1, now: new Date() })).toContainEqual({
    type: "client-weak",
  });
  expect((await entriesOf(ctx, `channel:${channelId}`)).findLast(({ act }) => act === "channel.changed")).toMatchObject(
    {
      detail: { client: { id: clientId, kids: [signer.kid] } },
    },
  );
});

describe("a client that publishes its keys", () => {
  /** An address that gives the keys it has now, and counts how often it is asked. */
  async function published(...first: readonly { readonly jwks: string }[]) {
    const at = { signers: first, fetches: 0, status: 200 };
    const url = await aPayer((_, response) => {
      at.fetches += 1;
      const keys = at.signers.flatMap(({ jwks }) => (JSON.parse(jwks) as { keys: object[] }).keys);
      const others = [{ kty: "EC", crv: "P-256", kid: "encrypts", x: "AA", y: "AA" }];
      response
        .writeHead(at.status, { "cache-control": "max-age=600" })
        .end(JSON.stringify({ keys: [...others, ...keys] }));
    });
    return { at, url };
  }

  async function aPublishedClient() {
    const signer = await aSigner();
    const { at, url } = await published(signer);
    const channel = await aChannel(store, { practices: [await aPractice(store)] });
    const { clientId } = await done(setChannelClient(ctx, { channelId: channel.actor.id, jwksUrl: url }));
    return { clientId, channelId: channel.actor.id, signer, at, url };
  }

  test("gets tokens with them, and they are fetched once for all its requests", async () => {
    const { clientId, signer, at } = await aPublishedClient();
    expect(at.fetches).toBe(1);
    for (let asks = 0; asks < 3; asks += 1)
      expect((await ask(await signed(signer, claims(clientId)))).status).toBe(200);
    expect(at.fetches).toBe(2);
    expect((await ask(await signed(await aSigner(), claims(clientId)))).status).toBe(401);
    expect(at.fetches).toBe(2);
  });

  test("has its address requested only for an administrator of the channel with a new proof", async () => {
    const { channelId, url, at } = await aPublishedClient();
    const set = (actor: PersonActor) => setChannelClient({ actor, store }, { channelId, jwksUrl: url });
    const before = at.fetches;
    expect(await set(aPerson({ roles: ["admin"] }))).toEqual({ ok: false, refusal: { type: "proof-needed" } });
    const elsewhere = { ...proved(aPerson({ roles: [] })), administers: [await aPractice(store)] };
    expect(await set(elsewhere)).toMatchObject({ refusal: { type: "not-found" } });
    expect(at.fetches).toBe(before);
    await done(set(proved(aPerson({ roles: ["admin"] }))));
    expect(at.fetches).toBe(before + 1);
  });

  test("is refused where there are none, and where the address leads inside", async () => {
    const { channelId, url, at } = await aPublishedClient();
    at.status = 302;
    const set = (jwksUrl: string) => setChannelClient(ctx, { channelId, jwksUrl });
    const bad = { refusal: { type: "invalid", issues: [{ field: "jwksUrl" }] } };
    for (const each of [url, "https://169.254.169.254/keys", "http://agent.example/keys", "nothing"])
      expect(await set(each), each).toMatchObject(bad);
  });
});
