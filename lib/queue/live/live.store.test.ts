import { once } from "node:events";
import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { pino } from "pino";
import { v7 as uuidv7 } from "uuid";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { announce } from "#lib/db/announce";
import { openHints } from "#lib/db/hints";
import { readHeads } from "#lib/audit/shared/heads";
import { revokeSession } from "#lib/person/store/people";
import { releaseGate } from "#lib/gate/release-gate";
import { sendMessage } from "#lib/task/send-message";
import { done, operator } from "#test/support/people/admin";
import { disablePerson } from "#lib/person/disable-person";
import { aChannel, anIntake, aPerson, aPractice, aStore, seenOn } from "#test/support/cases/cases";
import { testDatabase } from "#test/support/database/fresh-database";
import { aPng, aReceivedFile } from "#test/support/agents/files";
import { createHub } from "./hub.ts";
import { openStream } from "./stream.ts";
import { unscoped } from "#lib/db/db";

const store = aStore();
afterAll(() => store.close());

type Timing = Parameters<typeof openStream>[0]["timing"];

/** One server process's part: a hub of its own, and streams from it over real sockets. */
async function aServer({ timing, everyMs = 3_600_000 }: { timing?: Timing; everyMs?: number } = {}) {
  const hints = openHints({ url: testDatabase.appUrl, onLost: () => undefined });
  const hub = createHub({ store: unscoped(store), hints, log: pino({ level: "silent" }), everyMs });
  const answer = (request: Request) =>
    openStream({
      hub,
      store: unscoped(store),
      sessionId: new URL(request.url).pathname.slice(1),
      signal: request.signal,
      timing,
    });
  const listener = getRequestListener(answer, { overrideGlobalObjects: false });
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    hub.close();
    await hints.close();
  });
  // Safe because a server that listens on TCP has such an address.
  return { hub, port: (server.address() as AddressInfo).port };
}

/** Opens a stream as a browser would, and keeps what it is told. */
async function aReader({ port }: { port: number }, sessionId: string) {
  const request = get({ port, path: `/${sessionId}`, agent: false });
  // Safe because `response` comes with the answer.
  const [response] = (await once(request, "response")) as [IncomingMessage];
  let text = "";
  let ended = false;
  response.setEncoding("utf8");
  response.on("data", (part: string) => (text += part));
  response.on("error", () => undefined);
  response.on("close", () => (ended = true));
  const announced = (topic: string): unknown[] =>
    text.split("\n\n").flatMap((event) => {
      const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(event) ?? [];
      return name === topic && data !== undefined ? [JSON.parse(data)] : [];
    });
  return {
    status: response.statusCode,
    headers: response.headers,
    announced,
    /** The furthest a practice was said to have come. */
    head: (practiceId: string) => {
      const heads = announced("cases") as Record<string, number>[];
      return Math.max(0, ...heads.map((head) => head[practiceId] ?? 0));
    },
    text: () => text,
    hasEnded: () => ended,
    leave: () => request.destroy(),
  };
}

async function aSession(practices: readonly string[], options: { personId?: string; roles?: ["admin"] } = {}) {
  const personId = options.personId ?? (await aPerson(store, { practices, ...options })).actor.id;
  const id = uuidv7();
  const expiresAt = new Date(Date.now() + 3_600_000);
  await store.prisma.session.create({ data: { id, personId, expiresAt } });
  return { id, personId };
}

async function aPracticeWithAgent() {
  const practiceId = await aPractice(store);
  const agent = await aChannel(store, { practices: [practiceId] });
  const sendOne = () => sendMessage(agent, anIntake({ practiceId }));
  const headNow = async () => (await readHeads(store, [practiceId]))[practiceId] ?? -1;
  return { practiceId, sendOne, headNow };
}

const killListeners = () =>
  store.pool.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'live' AND datname = current_database()",
  );

const soon = { timeout: 20_000, interval: 10 };

test("a change reaches the streams of every process, and never a reader of another practice", async () => {
  const [here, elsewhere] = [await aPracticeWithAgent(), await aPracticeWithAgent()];
  const session = await aSession([here.practiceId]);
  const other = await aSession([elsewhere.practiceId]);
  const servers = [await aServer(), await aServer()];
  const readers = await Promise.all(servers.map((server) => aReader(server, session.id)));
  const strangers = await Promise.all(servers.map((server) => aReader(server, other.id)));
  for (const reader of readers) await expect.poll(() => reader.announced("cases"), soon).not.toHaveLength(0);
  await here.sendOne();
  const head = await here.headNow();
  for (const reader of readers) await expect.poll(() => reader.head(here.practiceId), soon).toBe(head);
  await elsewhere.sendOne();
  for (const stranger of strangers) {
    await expect.poll(() => stranger.head(elsewhere.practiceId), soon).toBe(await elsewhere.headNow());
    expect(stranger.text()).not.toContain(here.practiceId);
  }
  for (const reader of readers) expect(reader.text()).not.toContain(elsewhere.practiceId);
});

test("a case opened with files, a decision, and changes of who works on a case are sent as well", async () => {
  const { practiceId, headNow } = await aPracticeWithAgent();
  const agent = await aChannel(store, { practices: [practiceId] });
  const reader = await aReader(await aServer(), (await aSession([practiceId])).id);
  const opened = await done(sendMessage(agent, anIntake({ practiceId, files: [aReceivedFile(aPng(), "image/png")] })));
  const afterOpening = await headNow();
  await expect.poll(() => reader.head(practiceId), soon).toBe(afterOpening);
  const reviewer = await aPerson(store, { practices: [practiceId] });
  await done(releaseGate(reviewer, { taskId: opened.id, seen: seenOn(opened) }));
  const afterRelease = await headNow();
  await expect.poll(() => reader.head(practiceId), soon).toBe(afterRelease);
  announce(store, "desk", practiceId);
  await expect.poll(() => reader.announced("desk"), soon).toEqual([[practiceId]]);
});

test("a killed listener is replaced, and missed and later changes are sent", async () => {
  const { practiceId, sendOne, headNow } = await aPracticeWithAgent();
  const reader = await aReader(await aServer(), (await aSession([practiceId])).id);
  await expect.poll(async () => reader.head(practiceId), soon).toBe(await headNow());
  const kills = Promise.all([killListeners(), sendOne()]);
  await kills;
  const missed = await headNow();
  await expect.poll(() => reader.head(practiceId), soon).toBe(missed);
  await killListeners();
  await sendOne();
  await sendOne();
  const head = await headNow();
  await expect.poll(() => reader.head(practiceId), soon).toBe(head);
  expect(reader.hasEnded()).toBe(false);
});

test("a lost notification is made up for by the next check", async () => {
  const { practiceId, headNow } = await aPracticeWithAgent();
  const reader = await aReader(await aServer({ everyMs: 50 }), (await aSession([practiceId])).id);
  await store.pool.query("SELECT audit_append($1, 'worker', 'payer.decided', NULL, '{}')", [practiceId]);
  await expect.poll(() => reader.head(practiceId), soon).toBe(await headNow());
});

test("a stream ends when its session is revoked or its last practice is taken away", async () => {
  const practiceId = await aPractice(store);
  const [revoked, moved] = [await aSession([practiceId]), await aSession([practiceId])];
  const server = await aServer({ timing: { recheckMs: 30 } });
  const readers = [await aReader(server, revoked.id), await aReader(server, moved.id)];
  expect(server.hub.count()).toBe(2);
  await revokeSession(store, revoked.id);
  await store.prisma.personRole.deleteMany({ where: { personId: moved.personId } });
  for (const reader of readers) await expect.poll(() => reader.hasEnded(), soon).toBe(true);
  expect(server.hub.count()).toBe(0);
});

test("a stream ends at once on every process when its person signs out or is deactivated, and no other stream does", async () => {
  const practiceId = await aPractice(store);
  const [left, disabled, other] = [
    await aSession([practiceId]),
    await aSession([practiceId]),
    await aSession([practiceId]),
  ];
  const servers = [await aServer(), await aServer()];
  const readersOf = ({ id }: { id: string }) => Promise.all(servers.map((server) => aReader(server, id)));
  const [leaving, closing, staying] = [await readersOf(left), await readersOf(disabled), await readersOf(other)];
  await revokeSession(store, left.id);
  for (const reader of leaving) await expect.poll(() => reader.hasEnded(), soon).toBe(true);
  for (const reader of leaving) expect(reader.announced("ended")).toEqual([{}]);
  await done(disablePerson({ actor: operator, store }, { id: disabled.personId }));
  for (const reader of closing) await expect.poll(() => reader.hasEnded(), soon).toBe(true);
  for (const reader of staying) expect([reader.hasEnded(), reader.announced("ended")]).toEqual([false, []]);
});

test("a practice that is granted or revoked takes effect while the stream is open", async () => {
  const [kept, given] = [await aPracticeWithAgent(), await aPracticeWithAgent()];
  const session = await aSession([kept.practiceId]);
  const reader = await aReader(await aServer({ timing: { recheckMs: 30 } }), session.id);
  await store.prisma.personRole.create({
    data: { role: "reviewer", personId: session.personId, practiceId: given.practiceId },
  });
  await expect
    .poll(async () => {
      announce(store, "cases", given.practiceId);
      return given.practiceId in Object.assign({}, ...reader.announced("cases"));
    }, soon)
    .toBe(true);
});

test("a stream ends after its lifetime, sends beats until then, and does not extend the session", async () => {
  const practiceId = await aPractice(store);
  const session = await aSession([practiceId]);
  const seenAt = new Date(Date.now() - 10 * 60_000);
  await store.prisma.session.update({ where: { id: session.id }, data: { seenAt } });
  const server = await aServer({ timing: { beatMs: 20, recheckMs: 20, lifeMs: 500 } });
  const reader = await aReader(server, session.id);
  expect(reader.headers).toMatchObject({
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",
  });
  await expect.poll(() => reader.hasEnded(), soon).toBe(true);
  expect(reader.announced("beat").length).toBeGreaterThan(0);
  expect((await store.prisma.session.findUniqueOrThrow({ where: { id: session.id } })).seenAt).toEqual(seenAt);
});

test("a stream ends with its reader, however the reader leaves", async () => {
  const practiceId = await aPractice(store);
  const server = await aServer();
  const sessions = await Promise.all(Array.from({ length: 40 }, () => aSession([practiceId])));
  const readers = await Promise.all(sessions.map(({ id }) => aReader(server, id)));
  expect(server.hub.count()).toBe(40);
  for (const reader of readers) reader.leave();
  await expect.poll(() => server.hub.count(), soon).toBe(0);
});

test("a stopping process ends its streams and opens no other", async () => {
  const practiceId = await aPractice(store);
  const server = await aServer();
  const reader = await aReader(server, (await aSession([practiceId])).id);
  server.hub.close();
  await expect.poll(() => reader.hasEnded(), soon).toBe(true);
  expect((await aReader(server, (await aSession([practiceId])).id)).status).toBe(429);
});

test("whoever reviews for no practice hears when their session ends, and of no case", async () => {
  const { practiceId, sendOne } = await aPracticeWithAgent();
  const server = await aServer();
  const sessions = [await aSession([]), await aSession([practiceId], { roles: ["admin"] })];
  const readers = await Promise.all(sessions.map(({ id }) => aReader(server, id)));
  await sendOne();
  for (const { id } of sessions) await revokeSession(store, id);
  for (const reader of readers) {
    await expect.poll(() => reader.hasEnded(), soon).toBe(true);
    expect(reader.announced("ended")).toEqual([{}]);
    expect(reader.text()).not.toContain(practiceId);
  }
});

test("a stream is refused without a session, and with too many streams", async () => {
  const practiceId = await aPractice(store);
  const server = await aServer();
  const open = async (sessionId: string) => (await aReader(server, sessionId)).status;
  expect(await open("no-session")).toBe(401);
  expect(await open(uuidv7())).toBe(401);
  const { personId, id } = await aSession([practiceId]);
  const other = await aSession([practiceId], { personId });
  const statuses = await Promise.all(Array.from({ length: 14 }, (_, n) => open(n % 2 === 0 ? id : other.id)));
  expect(statuses.filter((status) => status === 200)).toHaveLength(12);
  expect(statuses.filter((status) => status === 429)).toHaveLength(2);
});
