import pg from "pg";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { openWholeStore } from "#test/support/database/whole-store";
import { aChannel, aPractice, aStore, fullReview, keyPepper, receiptKey, sealingKey } from "#test/support/cases/cases";
import { superuserUrl, testDatabase } from "#test/support/database/fresh-database";
import { callEdge, edgeDeps, intakeParams, rpc, type Answer } from "#test/support/agents/edge";
import { silentProxy } from "#test/support/database/silent-proxy";
import { healthOf } from "./health.ts";

const direct = aStore();
const superuser = new pg.Pool({ connectionString: superuserUrl(testDatabase), max: 4 });
const proxy = await silentProxy(testDatabase.appUrl);
const store = openWholeStore({ url: proxy.url, sealingKey, receiptKey, keyPepper, connectionsMax: 8 });
const deps = edgeDeps(store);
const health = healthOf(store, { mail: false });
const name = new URL(testDatabase.appUrl).pathname.slice(1);

const practiceId = await aPractice(direct);
const { key } = await aChannel(direct, { practices: [practiceId] });
const call = (method: string, params: unknown) => callEdge(deps, rpc(method, params), { key });
const intake = (message: object = {}) =>
  intakeParams({ practiceId, review: fullReview, message: { messageId: crypto.randomUUID(), ...message } });
const opened = await call("message/send", intake());
const { id } = opened.json.result;

/** Every kind of call that changes something, and every kind that does not. */
const writes: readonly (() => Promise<Answer>)[] = [
  () => call("message/send", intake()),
  () => call("message/send", intake({ taskId: id })),
  () => call("tasks/cancel", { id }),
];
const reads: readonly (() => Promise<Answer>)[] = [
  () => call("tasks/get", { id }),
  () => call("tasks/get", { id, historyLength: 10 }),
];

const tryAgain = {
  status: 503,
  headers: { "retry-after": "2", "content-type": "application/json" },
  json: {
    jsonrpc: "2.0",
    id: "1",
    error: { code: -32000, message: "The service is busy", data: { requestId: expect.any(String) } },
  },
};

/** Ends the connections of the application; its new ones begin with what was set meanwhile. */
const endSessions = () =>
  superuser.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND usename <> current_user",
    [name],
  );
const alter = (what: string) => superuser.query(`ALTER DATABASE ${pg.escapeIdentifier(name)} ${what}`);

type Fault = { readonly begin: () => Promise<unknown>; readonly end: () => Promise<unknown> };

const faults: Readonly<Record<string, Fault>> = {
  gone: {
    begin: () => proxy.refuse(),
    end: () => proxy.accept(),
  },
  "out of connections": {
    begin: async () => {
      await alter("CONNECTION LIMIT 0");
      await endSessions();
    },
    end: () => alter("CONNECTION LIMIT -1"),
  },
  "silent on every connection": {
    begin: async () => proxy.fallSilent(),
    end: async () => proxy.speak(),
  },
};

const readOnly: Fault = {
  begin: async () => {
    await alter("SET default_transaction_read_only = on");
    await endSessions();
  },
  end: async () => {
    await alter("RESET default_transaction_read_only");
    await endSessions();
  },
};

let ends: (() => Promise<unknown>)[] = [];
const begin = async (fault: Fault) => {
  ends.push(fault.end);
  await fault.begin();
};
afterEach(async () => {
  for (const end of ends) await end();
  ends = [];
});
afterAll(async () => {
  await Promise.all([store.close(), direct.close(), superuser.end()]);
  await proxy.close();
});

async function isServedAgain() {
  await expect.poll(async () => (await health.readiness()).status, { timeout: 5_000 }).toBe("ready");
  for (const ask of [...reads, ...writes.slice(0, 2)]) expect(await ask()).toMatchObject({ status: 200 });
}

describe("a database that is", () => {
  test.each(Object.entries(faults))(
    "%s is answered 503 by every call, at once as soon as it is known, and serves again by itself",
    async (_, fault) => {
      await begin(fault);
      const first = await Promise.all([...writes, ...reads].map((ask) => ask()));
      for (const answer of first) expect(answer).toMatchObject(tryAgain);
      expect(await health.readiness()).toMatchObject({ status: "not-ready" });
      const began = performance.now();
      for (let n = 0; n < 20; n += 1)
        for (const ask of [...writes, ...reads]) expect(await ask()).toMatchObject(tryAgain);
      // A hundred calls one after the other, of which none waits for anything: a second for each would be 100 s.
      expect(performance.now() - began).toBeLessThan(15_000);
      await fault.end();
      await isServedAgain();
    },
    60_000,
  );

  test("read-only is answered 503 by what writes, and still answers what only reads", async () => {
    await begin(readOnly);
    for (const ask of writes) expect(await ask()).toMatchObject(tryAgain);
    for (const ask of reads) expect(await ask()).toMatchObject({ status: 200 });
    // The last answer is reused for a second.
    await expect.poll(() => health.readiness(), { timeout: 5_000 }).toMatchObject({ because: "database" });
    await readOnly.end();
    await isServedAgain();
  }, 30_000);
});

test("a practice whose audit chain somebody keeps locked is answered 503, and no call of another practice waits for it", async () => {
  const otherId = await aPractice(direct);
  const other = await aChannel(direct, { practices: [otherId] });
  const send = () => callEdge(deps, rpc("message/send", intakeParams({ practiceId: otherId })), { key: other.key });
  const task = (await send()).json.result.id;
  const amend = () => {
    const message = { messageId: crypto.randomUUID(), taskId: task };
    return callEdge(deps, rpc("message/send", intakeParams({ practiceId: otherId, message })), { key: other.key });
  };
  const holder = await superuser.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT pg_advisory_xact_lock(hashtextextended('audit:' || $1, 0))", [practiceId]);
  ends.push(async () => {
    await holder.query("ROLLBACK");
    holder.release();
  });
  let isFirstOver = false;
  const over = (answer: Answer) => {
    isFirstOver = true;
    return answer;
  };
  // More than there are connections, of new tasks and of one that is changed.
  const stuck = Array.from({ length: 40 }, (_, n) =>
    call("message/send", n % 2 === 0 ? intake() : intake({ taskId: id })).then(over),
  );
  const beside = await Promise.all([1, 2, 3, 4].flatMap(() => [send(), amend()]));
  expect(beside.map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect(isFirstOver).toBe(false);
  for (const answer of await Promise.all(stuck)) expect(answer).toMatchObject(tryAgain);
  // One of them waits, as long as a lock is waited for; the others do not.
  const again = Array.from({ length: 20 }, () => call("message/send", intake()).then(over));
  for (const answer of await Promise.all([...again, ...again])) expect(answer).toMatchObject(tryAgain);
  await ends.pop()?.();
  // Tried by one, a second after the last.
  await expect.poll(async () => (await call("message/send", intake())).status, { timeout: 5_000 }).toBe(200);
}, 60_000);
