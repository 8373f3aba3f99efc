import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { giveBackTry, signInCounters, takeTry } from "#lib/person/store/sign-in-tries";
import { inTransaction, type Store, unscoped } from "#lib/db/db";
import { forgetSignIns } from "#lib/person/store/sign-in-failures";
import { createSession, revokeSession } from "#lib/person/store/people";
import { endedSessions } from "#lib/person/shared/ended-sessions";
import { liveSession, sessionActor } from "#lib/person/shared/live-session";
import { purgeSessions } from "#lib/person/store/sessions";
import { entriesOf } from "#test/support/people/admin";
import { aPerson, aPractice, aStore } from "#test/support/cases/cases";
import { beginSession } from "./begin-session.ts";
import { hashPassword } from "#lib/person/sign-in/password";

const password = "correct horse battery";

let store: Store;
let passwordHash: string;
beforeAll(async () => {
  store = aStore();
  passwordHash = await hashPassword(password);
});
afterAll(() => store.close());

async function aReviewer({ status = "active" } = {}) {
  const practiceId = await aPractice(store);
  const id = uuidv7();
  const email = `${id}@example.org`;
  await store.prisma.person.create({
    data: {
      id,
      email,
      name: "Dana Whitfield",
      passwordHash,
      status,
      personRoles: { create: { role: "reviewer", practiceId } },
    },
  });
  return { id, email, practiceId };
}

test("a correct password opens a session of its person", async () => {
  const { id, email, practiceId } = await aReviewer();
  const begun = await beginSession(store, { email: ` ${email.toUpperCase()} `, password });
  expect(begun?.personId).toBe(id);
  expect(await sessionActor(store, begun?.sessionId ?? "")).toMatchObject({ id, practices: [practiceId] });
});

test("a revoked session ends at once, and a deactivated person's too", async () => {
  const { id, email } = await aReviewer();
  const first = await beginSession(store, { email, password });
  await revokeSession(store, first?.sessionId ?? "");
  expect(await sessionActor(store, first?.sessionId ?? "")).toBeUndefined();
  const second = await beginSession(store, { email, password });
  expect([first, second].map((each) => endedSessions().has(each?.sessionId ?? ""))).toEqual([true, false]);
  await store.prisma.person.update({ where: { id }, data: { status: "disabled" } });
  expect(await sessionActor(store, second?.sessionId ?? "")).toBeUndefined();
});

const changes = { "a password changed": { passwordHash: "another" }, "an account deactivated": { status: "disabled" } };

test.each(Object.entries(changes))("%s while the password is checked opens no session", async (_, data) => {
  const { id, email } = await aReviewer();
  const waiting = `SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FROM person WHERE%'`;
  const trying = await inTransaction(store, async (tx) => {
    await tx.person.update({ where: { id }, data });
    const begun = beginSession(store, { email, password });
    let isOver = false;
    void begun.then(() => (isOver = true));
    const isWaiting = async () => ((await store.pool.query(waiting)).rowCount ?? 0) > 0;
    await expect.poll(async () => isOver || (await isWaiting()), { timeout: 20_000 }).toBe(true);
    return { begun };
  });
  expect(await trying.begun).toBeUndefined();
  expect(await store.prisma.session.count({ where: { personId: id } })).toBe(0);
});

test("a session that ended a month ago is forgotten, and of the last one all but when it was used", async () => {
  const { actor } = await aPerson(store, { practices: [await aPractice(store)] });
  const begin = async () =>
    (await createSession(store, { personId: actor.id, address: "192.0.2.7", userAgent: "Firefox" })).id;
  const ids = [await begin(), await begin(), await begin()];
  const [first = "", last = "", live = ""] = ids;
  const day = 86_400_000;
  const end = (id: string, days: number) =>
    store.prisma.session.update({ where: { id }, data: { expiresAt: new Date(Date.now() - days * day) } });
  const left = async () =>
    (await store.prisma.session.findMany({ where: { personId: actor.id }, orderBy: { id: "asc" } })).map(
      ({ id, address, userAgent }) => [ids.indexOf(id), address, userAgent],
    );
  await end(first, 31);
  await end(last, 29);
  await purgeSessions(store);
  const whole = (index: number) => [index, "192.0.2.7", "Firefox"];
  expect(await left()).toEqual([whole(1), whole(2)]);
  await end(last, 31);
  await end(live, 31);
  await purgeSessions(store);
  expect(await left()).toEqual([[2, null, null]]);
  expect(
    (await entriesOf({ store }, "people")).some(({ act, actor: by }) => act === "sessions.purged" && by === "worker"),
  ).toBe(true);
});

test("requests that a page makes by itself let a session idle out, and a person's press extends it", async () => {
  const { email } = await aReviewer();
  const { sessionId = "" } = (await beginSession(store, { email, password })) ?? {};
  const idle = async (minutes: number) =>
    store.prisma.session.update({
      where: { id: sessionId },
      data: { seenAt: new Date(Date.now() - minutes * 60_000) },
    });
  await idle(20);
  const watched = await liveSession(unscoped(store), sessionId, { isUse: false });
  expect(watched?.idleLeftMs).toBeLessThanOrEqual(10 * 60_000);
  expect((await liveSession(unscoped(store), sessionId, { isUse: false }))?.idleLeftMs).toBeLessThan(10 * 60_000);
  expect((await liveSession(unscoped(store), sessionId))?.idleLeftMs).toBe(30 * 60_000);
  expect((await liveSession(unscoped(store), sessionId, { isUse: false }))?.idleLeftMs).toBeGreaterThan(29 * 60_000);
  await idle(31);
  expect(await liveSession(unscoped(store), sessionId)).toBeUndefined();
});

test("a session ends after twelve hours, however much it is used", async () => {
  const { email } = await aReviewer();
  const { sessionId = "" } = (await beginSession(store, { email, password })) ?? {};
  const { leftMs = 0 } = (await liveSession(unscoped(store), sessionId)) ?? {};
  expect(leftMs / 60_000).toBeCloseTo(12 * 60, 0);
  const endsIn = (ms: number) =>
    store.prisma.session.update({ where: { id: sessionId }, data: { expiresAt: new Date(Date.now() + ms) } });
  await endsIn(60_000);
  expect((await liveSession(unscoped(store), sessionId))?.leftMs).toBeLessThanOrEqual(60_000);
  expect((await liveSession(unscoped(store), sessionId))?.leftMs).toBeLessThanOrEqual(60_000);
  await endsIn(-1);
  expect(await liveSession(unscoped(store), sessionId)).toBeUndefined();
});

test("a password is compared exactly as typed: no case, space, accent or end of it is taken lightly", async () => {
  const { id, email } = await aReviewer();
  const long = ` Wånder tulip 9 ${"x".repeat(220)}Z `;
  await store.prisma.person.update({ where: { id }, data: { passwordHash: await hashPassword(long) } });
  const others = [long.trim(), long.toLowerCase(), long.normalize("NFD"), long.slice(0, -2), `${long} `];
  for (const typed of others) {
    expect(await beginSession(store, { email, password: typed })).toBeUndefined();
    await store.prisma.signInFailure.deleteMany({ where: { subject: { endsWith: email } } });
  }
  expect(await beginSession(store, { email, password: long })).toBeDefined();
});

test("a wrong password, an unknown person and a disabled one look the same", async () => {
  const { email } = await aReviewer();
  const disabled = await aReviewer({ status: "disabled" });
  expect(await beginSession(store, { email, password: "something else" })).toBeUndefined();
  expect(await beginSession(store, { email: "nobody@example.org", password })).toBeUndefined();
  expect(await beginSession(store, { email: disabled.email, password })).toBeUndefined();
});

test("after five failures even the right password waits, and then works again", async () => {
  const { email } = await aReviewer();
  for (let tries = 0; tries < 5; tries += 1) await beginSession(store, { email, password: `guess ${tries}` });
  expect(await beginSession(store, { email, password })).toBeUndefined();
  const aMinuteAgo = new Date(Date.now() - 61_000);
  await store.prisma.signInFailure.updateMany({
    where: { subject: { endsWith: email } },
    data: { lastAt: aMinuteAgo },
  });
  expect(await beginSession(store, { email, password })).toBeDefined();
  expect(await store.prisma.signInFailure.count({ where: { subject: { endsWith: email } } })).toBe(0);
});

const failing = (address: string, count: number) =>
  Promise.all(
    Array.from({ length: count }, () =>
      beginSession(store, { email: `${uuidv7()}@example.org`, password: "guess" }, { address }),
    ),
  );

test("an address with failures over many accounts waits for each of them, also after a restart", async () => {
  const [{ email }, other] = [await aReviewer(), await aReviewer()];
  await failing("198.51.100.7", 30);
  expect(await beginSession(store, { email, password }, { address: "198.51.100.7" })).toBeUndefined();
  const again = aStore();
  try {
    const credentials = { email: other.email, password };
    expect(await beginSession(again, credentials, { address: "198.51.100.7" })).toBeUndefined();
    expect(await beginSession(again, credentials, { address: "198.51.100.8" })).toBeDefined();
    expect(await beginSession(again, credentials)).toBeDefined();
  } finally {
    await again.close();
  }
  await store.prisma.signInFailure.update({
    where: { subject: "ADDRESS 198.51.100.7" },
    data: { lastAt: new Date(Date.now() - 61_000) },
  });
  expect(await beginSession(store, { email, password }, { address: "198.51.100.7" })).toBeDefined();
});

test("guesses at two processes at once are counted together: of an account five from one place are looked at, of an address thirty", async () => {
  const { email } = await aReviewer();
  const other = aStore();
  try {
    const at = (index: number) => (index % 2 === 0 ? store : other);
    const guesses = Array.from({ length: 16 }, (_, index) =>
      beginSession(at(index), { email, password: `guess ${index}` }),
    );
    await Promise.all(guesses);
    expect((await store.prisma.signInFailure.findUnique({ where: { subject: email } }))?.count).toBe(5);
    for (const where of [store, other]) expect(await beginSession(where, { email, password })).toBeUndefined();
    const address = "198.51.100.77";
    const spread = Array.from({ length: 40 }, (_, index) =>
      beginSession(at(index), { email: `${uuidv7()}@example.org`, password: "guess" }, { address }),
    );
    await Promise.all(spread);
    const subject = `ADDRESS ${address}`;
    expect((await store.prisma.signInFailure.findUnique({ where: { subject } }))?.count).toBe(30);
    const fine = await aReviewer();
    for (const where of [store, other])
      expect(await beginSession(where, { email: fine.email, password }, { address })).toBeUndefined();
  } finally {
    await other.close();
  }
});

test("a sign-in neither removes nor adds failures of its address", async () => {
  const { email } = await aReviewer();
  const address = "198.51.100.78";
  await failing(address, 3);
  const row = () => store.prisma.signInFailure.findUnique({ where: { subject: `ADDRESS ${address}` } });
  const before = await row();
  expect(before?.count).toBe(3);
  expect(await beginSession(store, { email, password }, { address })).toBeDefined();
  expect(await row()).toEqual(before);
});

test("concurrent tries that are counted and taken back never deadlock", async () => {
  const address = "198.51.100.79";
  const other = aStore();
  try {
    // On either side of the address in the order of subjects.
    const accounts = ["0@example.org", "zz@example.org"];
    const countersOf = (account: string) => signInCounters({ account, address });
    const rounds = Array.from({ length: 16 }, async (_, index) => {
      const at = index % 2 === 0 ? store : other;
      for (let n = 0; n < 25; n += 1) {
        const tried = await takeTry(at, countersOf(accounts[(index >> 1) % 2] ?? ""));
        if (tried) await giveBackTry(at, tried.toReversed());
      }
    });
    const settled = await Promise.allSettled(rounds);
    expect(settled.filter(({ status }) => status === "rejected")).toEqual([]);
    const subjects = accounts.flatMap((account) => countersOf(account).map(({ subject }) => subject));
    const counted = await store.prisma.signInFailure.aggregate({
      where: { subject: { in: subjects } },
      _sum: { count: true },
    });
    expect(counted._sum.count).toBe(0);
  } finally {
    await other.close();
  }
});

test("failures are forgotten a day after the last try, and not while they count", async () => {
  const [old, fresh] = [await aReviewer(), await aReviewer()];
  for (const { email } of [old, fresh])
    for (let tries = 0; tries < 5; tries += 1) await beginSession(store, { email, password: "guess" });
  const aged = (email: string, hours: number) =>
    store.prisma.signInFailure.updateMany({
      where: { subject: { endsWith: email } },
      data: { lastAt: new Date(Date.now() - hours * 3_600_000) },
    });
  const left = ({ email }: { email: string }) =>
    store.prisma.signInFailure.count({ where: { subject: { endsWith: email } } });
  await aged(old.email, 25);
  await forgetSignIns(store);
  expect([await left(old), await left(fresh)]).toEqual([0, 2]);
  expect(await beginSession(store, { email: fresh.email, password })).toBeUndefined();
  expect(await beginSession(store, { email: old.email, password })).toBeDefined();
});

test("an IPv6 host waits on every address of its network, and an account's name is never taken for an address", async () => {
  const { email } = await aReviewer();
  await failing("2001:db8:7::1", 30);
  expect(await beginSession(store, { email, password }, { address: "2001:db8:7::beef" })).toBeUndefined();
  expect(await beginSession(store, { email, password }, { address: "2001:db8:8::1" })).toBeDefined();
  const typed = { email: "ADDRESS 198.51.100.9", password: "guess" };
  for (let tries = 0; tries < 6; tries += 1) await beginSession(store, typed);
  expect(await store.prisma.signInFailure.findUnique({ where: { subject: "ADDRESS 198.51.100.9" } })).toBeNull();
});
