import { createServer } from "node:https";
import pg from "pg";
import { pino, type Logger } from "pino";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { unscoped } from "#lib/db/db";
import type { Fence } from "#lib/db/fence";
import { releaseGate } from "#lib/gate/release-gate";
import type { Guard } from "#lib/submission/ledger/guard";
import { readOutages } from "#lib/submission/store/payer-outages";
import { reserveReleases, reserveTrial } from "#lib/submission/store/reserve-releases";
import { getTask } from "#lib/task/get-task";
import { sendMessage } from "#lib/task/send-message";
import {
  aChannel,
  anIntake,
  aPerson,
  aPractice,
  aRoute,
  fullReview,
  keyPepper,
  receiptKey,
  sealingKey,
  seenOn,
} from "#test/support/cases/cases";
import { freshDatabase } from "#test/support/database/fresh-database";
import { unguarded } from "#test/support/database/ledgers";
import { silentProxy } from "#test/support/database/silent-proxy";
import { anAuthority } from "#test/support/servers/certificates";
import { listening } from "#test/support/servers/served";
import { aSimulator } from "#test/support/payer/simulator";
import { openWholeStore } from "#test/support/database/whole-store";
import { startWorker } from "./run.ts";

const database = await freshDatabase();
const store = openWholeStore({ url: database.appUrl, sealingKey, receiptKey, keyPepper, connectionsMax: 16 });
afterAll(() => store.close());

/** A practice whose payer is at this address, and what it releases to it. */
async function aPracticeAt(url: string) {
  const practiceId = await aPractice(store);
  await aRoute(store, { practiceId, url: `${url}/fhir`, credential: "right", settings: { version: "2.2.1" } });
  const channel = await aChannel(store, { practices: [practiceId] });
  const reviewer = await aPerson(store, { practices: [practiceId] });
  const releaseOne = async (index: number) => {
    const subscriber = { ...fullReview.subscriber, memberId: `HM1-PEND-${index}` };
    const opened = await sendMessage(channel, anIntake({ practiceId, review: { ...fullReview, subscriber } }));
    if (!opened.ok) throw new Error(`The intake was refused: ${opened.refusal.type}`);
    const taskId = opened.value.id;
    const found = await getTask(channel, { taskId, historyLength: 0 });
    if (!found.ok) throw new Error("The task is not read.");
    const released = await releaseGate(reviewer, { taskId, seen: seenOn(found.value) });
    if (!released.ok) throw new Error(`The release was refused: ${released.refusal.type}`);
    return taskId;
  };
  return {
    practiceId,
    releases: async (count: number) => {
      const taskIds: string[] = [];
      for (let index = 0; index < count; index += 1) taskIds.push(await releaseOne(index));
      return taskIds;
    },
    /** How many of its submissions are in this phase. */
    inPhase: (phase: string) => store.prisma.transmission.count({ where: { practiceId, phase } }),
  };
}

/** A payer whose host can be made to go away, and the requests that it has received. */
async function aPayer() {
  const simulator = await aSimulator();
  const host = await silentProxy(simulator.url);
  onTestFinished(async () => {
    host.speak();
    await host.close();
  });
  return { ...host, url: host.url.replace(/\/$/, ""), ledger: simulator.ledger };
}

type Work = {
  readonly deadlineMs: number;
  readonly concurrency: number;
  readonly guard?: Guard;
  readonly log?: Logger;
  readonly onRound?: () => void;
};

function work({ guard = unguarded, log = pino({ level: "silent" }), ...limits }: Work): void {
  const worker = startWorker({ store: unscoped(store), log, guard, everyMs: 50, ...limits });
  onTestFinished(() => worker.stop());
}

test("releases are taken in turn between practices, no more of a payer host than it has room for, and none twice", async () => {
  const [loud, quiet, elsewhere] = [
    await aPracticeAt("http://127.0.0.1:9"),
    await aPracticeAt("http://127.0.0.1:9"),
    await aPracticeAt("http://127.0.0.1:11"),
  ];
  await loud.releases(12);
  await quiet.releases(2);
  await elsewhere.releases(6);
  const limits = { most: 8, otherHosts: 4, inHand: new Map<string, number>(), eachPractice: 8 };
  const take = (hosts: readonly (readonly [string, number])[] = []) =>
    reserveReleases(unscoped(store), { ...limits, hosts: new Map(hosts) });
  const of = (taken: Awaited<ReturnType<typeof take>>) =>
    [loud, quiet, elsewhere].map(({ practiceId }) => taken.filter((each) => each.practiceId === practiceId).length);
  expect(of(await take())).toEqual([2, 2, 4]);
  const both = await Promise.all([take([["127.0.0.1:11", 0]]), take([["127.0.0.1:11", 0]])]);
  const ids = both.flat().map(({ taskId }) => taskId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(of(both.flat())[2]).toBe(0);
  await store.prisma.transmission.updateMany({ data: { phase: "done" } });
});

test("a release that its worker may not submit just then is taken up again within seconds, not when its reservation is over", async () => {
  const payer = await aPayer();
  const practice = await aPracticeAt(payer.url);
  await practice.releases(1);
  let attempts = 0;
  // The database turned between the worker's look and the claim, and back again.
  const fence: Fence = async () =>
    attempts++ === 0 ? { isTrusted: false } : { isTrusted: true, heldBefore: new Date(0) };
  work({ deadlineMs: 20_000, concurrency: 4, guard: { ...unguarded, fence } });
  await expect.poll(() => practice.inPhase("done"), { timeout: 15_000 }).toBe(1);
  expect(await payer.ledger()).toMatchObject([{ times: 1 }]);
});

test("a payer that takes connections and answers nothing holds its own places only: those of others are submitted meanwhile", async () => {
  const [hole, payer] = [await aPayer(), await aPayer()];
  const [stuck, other] = [await aPracticeAt(hole.url), await aPracticeAt(payer.url)];
  hole.fallSilent();
  await stuck.releases(30);
  work({ deadlineMs: 45_000, concurrency: 16 });
  await expect.poll(() => stuck.inPhase("submitting"), { timeout: 15_000 }).toBeGreaterThanOrEqual(8);
  await other.releases(20);
  await expect.poll(() => other.inPhase("done"), { timeout: 30_000 }).toBe(20);
  // Not one exchange with the silent payer has ended, and it got no more places than half of all.
  expect(await stuck.inPhase("submitting")).toBe(8);
  expect(await stuck.inPhase("released")).toBe(22);
  expect((await payer.ledger()).map(({ times }) => times)).toEqual(Array.from({ length: 20 }, () => 1));
  hole.speak();
  await expect.poll(() => stuck.inPhase("done"), { timeout: 30_000 }).toBe(30);
}, 90_000);

test("a host that is away gets one exchange now and then, and once it is back all that waited goes at once, each once", async () => {
  const payer = await aPayer();
  const [one, two] = [await aPracticeAt(payer.url), await aPracticeAt(payer.url)];
  await payer.refuse();
  await one.releases(20);
  await two.releases(20);
  work({ deadlineMs: 20_000, concurrency: 16 });
  const outages = () => readOutages(unscoped(store));
  await expect.poll(outages, { timeout: 15_000 }).toMatchObject([{ payerHost: new URL(payer.url).host }]);
  const tried = () => store.prisma.transmission.aggregate({ _sum: { attempt: true }, where: { phase: "released" } });
  await expect.poll(async () => (await outages())[0]?.tries ?? 0, { timeout: 30_000 }).toBeGreaterThan(0);
  // Far fewer attempts than releases: those that wait were not tried each for itself.
  expect((await tried())._sum.attempt ?? 0).toBeLessThan(25);
  await payer.accept();
  await expect
    .poll(async () => (await one.inPhase("done")) + (await two.inPhase("done")), { timeout: 60_000 })
    .toBe(40);
  expect(await outages()).toEqual([]);
  expect((await payer.ledger()).map(({ times }) => times)).toEqual(Array.from({ length: 40 }, () => 1));
}, 120_000);

/** How many statements of the application with this text wait for a lock. */
async function waitingFor(text: string): Promise<number> {
  const { rows } = await store.pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`,
    [`%${text}%`],
  );
  return rows[0]?.count ?? 0;
}

/** A session of the owner of the tables, in whose transaction something is held up. */
async function anOwner() {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

test("of two workers that find the try of a host that is away due at the same moment, one sends, and sends one release", async () => {
  const payer = await aPayer();
  const practice = await aPracticeAt(payer.url);
  await practice.releases(6);
  const payerHost = new URL(payer.url).host;
  payer.fallSilent();
  await store.pool.query(
    "INSERT INTO payer_outage (payer_host, since, reason, try_at) VALUES ($1, now(), 'ECONNREFUSED', now() - interval '1 s')",
    [payerHost],
  );
  const owner = await anOwner();
  await owner.query("BEGIN");
  await owner.query("SELECT FROM payer_outage WHERE payer_host = $1 FOR UPDATE", [payerHost]);
  const rounds = [0, 0];
  for (const index of rounds.keys())
    work({ deadlineMs: 45_000, concurrency: 16, onRound: () => void (rounds[index] = (rounds[index] ?? 0) + 1) });
  await expect.poll(() => waitingFor("UPDATE payer_outage SET tries"), { timeout: 15_000 }).toBe(2);
  await owner.query("COMMIT");
  await expect.poll(() => practice.inPhase("submitting"), { timeout: 15_000 }).toBe(1);
  // Each has begun its next look at the payers, after whatever it had claimed.
  const least = Math.max(...rounds) + 3;
  await expect.poll(() => Math.min(...rounds), { timeout: 15_000 }).toBeGreaterThan(least);
  expect(await readOutages(unscoped(store))).toMatchObject([{ payerHost, tries: 1 }]);
  expect([await practice.inPhase("submitting"), await practice.inPhase("released")]).toEqual([1, 5]);
  payer.speak();
  await expect.poll(() => practice.inPhase("done"), { timeout: 30_000 }).toBe(6);
  expect((await payer.ledger()).map(({ times }) => times)).toEqual(Array.from({ length: 6 }, () => 1));
}, 90_000);

test("of two workers that reserve a trial of a host with one release at the same moment, one gets it", async () => {
  const practice = await aPracticeAt("http://127.0.0.1:13");
  await practice.releases(1);
  const owner = await anOwner();
  // Whoever reserves stops in the middle of it, so that the other one looks before it is done.
  await owner.query(`
    CREATE FUNCTION wait_a_while() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_advisory_xact_lock(4711); RETURN NEW; END';
    CREATE TRIGGER aa_wait BEFORE UPDATE ON transmission FOR EACH ROW EXECUTE FUNCTION wait_a_while()`);
  onTestFinished(async () => void (await owner.query("DROP FUNCTION wait_a_while CASCADE")));
  await owner.query("SELECT pg_advisory_lock(4711)");
  let over = 0;
  const reserve = () => reserveTrial(unscoped(store), "127.0.0.1:13").finally(() => (over += 1));
  const both = Promise.all([reserve(), reserve()]);
  await expect.poll(async () => over + (await waitingFor("UPDATE transmission x SET reserved_until"))).toBe(2);
  await owner.query("SELECT pg_advisory_unlock(4711)");
  expect((await both).filter((found) => found !== undefined)).toHaveLength(1);
  // And it stays theirs, while it is under way.
  expect(await reserve()).toBeUndefined();
  await store.prisma.transmission.updateMany({ data: { phase: "done" } });
});

test("a payer whose certificate nobody trusts is sent nothing, and the log says why with each exchange", async () => {
  let requests = 0;
  const payer = createServer(anAuthority().certify("127.0.0.1"), (_, answer) => {
    requests += 1;
    answer.end();
  });
  const url = (await listening(payer)).replace(/^http:/, "https:");
  onTestFinished(() => void payer.close());
  const practice = await aPracticeAt(url);
  const lines: string[] = [];
  await practice.releases(1);
  work({
    deadlineMs: 20_000,
    concurrency: 4,
    log: pino({ level: "info" }, { write: (line) => void lines.push(line) }),
  });
  const outcomes = () =>
    lines
      .map((line) => JSON.parse(line) as Readonly<Record<string, string>>)
      .filter(({ msg }) => msg === "sent to the payer")
      .map(({ outcome, away }) => [outcome, away]);
  const why = expect.stringMatching(/\((?:UNABLE_TO_VERIFY_LEAF_SIGNATURE|DEPTH_ZERO_SELF_SIGNED_CERT)\)/) as string;
  await expect.poll(outcomes, { timeout: 15_000 }).toContainEqual(["notSent", why]);
  expect(requests).toBe(0);
});
