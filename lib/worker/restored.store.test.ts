import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gateOf, stateOf } from "#lib/task/model/task";
import type { Store } from "#lib/db/db";
import { readDatabaseIdentity } from "#lib/db/fence";
import { readRecordStops } from "#lib/submission/shared/record-stops";
import { cancelTask } from "#lib/task/cancel-task";
import { getTask } from "#lib/task/get-task";
import { recallRelease } from "#lib/gate/recall-release";
import { aChannel, aPerson, aPractice, aRoute, actsOf } from "#test/support/cases/cases";
import { freshDatabase } from "#test/support/database/fresh-database";
import { aLedger } from "#test/support/database/ledgers";
import { commandLine, jsonOf } from "#test/support/processes/pa";
import {
  aCase,
  arrivalsAt,
  aWorkerProcess,
  backupOf,
  headsKey,
  overWindows,
  release,
  storeOn,
  taskNow,
} from "#test/support/database/restorable";
import { aSimulator, type RunningSimulator } from "#test/support/payer/simulator";

/** A practice with a payer of its own, whose releases wait until their windows are over. */
async function aGround() {
  const database = await freshDatabase();
  const simulator = await aSimulator();
  const store = storeOn(database.appUrl);
  const practiceId = await aPractice(store, { recallWindowS: 3_600 });
  await aRoute(store, { practiceId, url: `${simulator.url}/fhir`, credential: "right" });
  const channel = await aChannel(store, { practices: [practiceId] });
  const reviewer = await aPerson(store, { practices: [practiceId] });
  const on = (other: Store) => ({
    store: other,
    practiceId,
    channel: { ...channel, store: other },
    reviewer: { ...reviewer, store: other },
  });
  const heads = mkdtempSync(join(tmpdir(), "heads-"));
  return { database, simulator, practiceId, folders: { ledger: await aLedger(store), heads }, hands: on(store), on };
}

/** Another practice on the same database, without a recall window, and its case. */
async function aPracticeBeside(store: Store, simulator: RunningSimulator) {
  const practiceId = await aPractice(store);
  await aRoute(store, { practiceId, url: `${simulator.url}/fhir`, credential: "right" });
  const channel = await aChannel(store, { practices: [practiceId] });
  const reviewer = await aPerson(store, { practices: [practiceId] });
  const beside = { store, practiceId, channel, reviewer };
  return { ...beside, taskId: await aCase(beside, "HMBESIDE") };
}

type Hands = Awaited<ReturnType<typeof aGround>>["hands"];

async function manyReleased(hands: Hands, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    ids.push(await aCase(hands, `HM${n}`));
    await release(hands, ids[n] ?? "");
  }
  return ids;
}

async function recall({ store, reviewer }: Hands, taskId: string): Promise<void> {
  const gateId = gateOf(await taskNow(store, taskId))?.id ?? "";
  expect(await recallRelease(reviewer, { taskId, gateId })).toMatchObject({ ok: true });
}

async function statesOf(store: Store, ids: readonly string[]): Promise<readonly string[]> {
  return Promise.all(ids.map(async (id) => stateOf(await taskNow(store, id))));
}

const payerHasAll = (store: Store, ids: readonly string[]) =>
  expect
    .poll(async () => new Set(await statesOf(store, ids)), { timeout: 30_000, interval: 50 })
    .toEqual(new Set(["transmitted"]));

test(
  "a restored backup submits nothing until it is recovered, and afterwards nothing twice",
  { timeout: 240_000 },
  async () => {
    const { database, simulator, practiceId, folders, hands, on } = await aGround();
    const ids = await manyReleased(hands, 11);
    const atGate = await aCase(hands, "HMGATE");
    await hands.store.close();
    const restore = await backupOf(database);

    const live = on(storeOn(database.appUrl));
    for (const id of ids.slice(6, 9)) await recall(live, id);
    for (const taskId of ids.slice(9)) expect(await cancelTask(live.channel, { taskId })).toMatchObject({ ok: true });
    const later = await aCase(live, "HMLATER");
    await release(live, later);
    await release(live, atGate);
    const submitted = [...ids.slice(0, 6), atGate];
    await overWindows(live.store, [...ids, atGate, later]);
    const before = await aWorkerProcess(database.appUrl, folders);
    await payerHasAll(live.store, [...submitted, later]);
    await before.stop();
    const once = Array.from({ length: 8 }, () => 1);
    expect(await arrivalsAt(simulator)).toEqual(once);
    await live.store.close();

    await restore();
    const { store, channel } = on(storeOn(database.appUrl));
    await overWindows(store, ids);
    const worker = await aWorkerProcess(database.appUrl, folders);
    await worker.says("the record lacks an entry that was seen");
    expect(await readRecordStops(store)).toMatchObject([{ chain: practiceId, isShared: false }]);
    // So no other worker begins a ledger on its word.
    const reports = () => store.prisma.workerHeartbeat.findMany({ orderBy: { beatAt: "desc" }, take: 1 });
    await expect.poll(reports, { timeout: 30_000 }).toMatchObject([{ comparedIdentity: null }]);
    const signed = headsOf(folders.heads, practiceId).length;
    // A practice that lacks nothing goes on, in the rounds that would submit what is due here.
    const { taskId: elsewhere, ...another } = await aPracticeBeside(store, simulator);
    await release(another, elsewhere);
    await payerHasAll(store, [elsewhere]);
    expect(await arrivalsAt(simulator)).toEqual([...once, 1]);
    expect(headsOf(folders.heads, practiceId)).toHaveLength(signed);
    expect(await cancelTask(channel, { taskId: ids[0] ?? "" })).toEqual({
      ok: false,
      refusal: { type: "record-stopped" },
    });
    expect(await getTask(channel, { taskId: ids[0] ?? "", historyLength: 0 })).toMatchObject({ ok: true });

    const pa = commandLine(database);
    const given = {
      SUBMISSION_LEDGER_DIR: folders.ledger,
      AUDIT_HEADS_DIR: folders.heads,
      AUDIT_SIGNING_KEY: headsKey.toString("base64"),
    };
    const shown = await pa(["recover"], "", given);
    expect(shown).toMatchObject({ code: 1 });
    expect(shown.out).toContain("8 submissions left for payers that the database does not know.");
    const recovered = await pa(["recover", "--yes"], "", given);
    expect(recovered).toMatchObject({ code: 0, err: "" });
    expect(recovered.out).toContain("7 are asked about at their payers.");
    expect(recovered.out).toContain(later);
    expect(recovered.out).toContain("5 releases are held again.");

    await worker.says("the record was recovered");
    await payerHasAll(store, submitted);
    expect(new Set(await statesOf(store, ids.slice(6)))).toEqual(new Set(["transmit-held"]));
    expect(await actsOf(store, ids[0] ?? "")).toContain("transmission.found");
    expect(await actsOf(store, atGate)).toContain("transmission.found");
    expect(await arrivalsAt(simulator)).toEqual([...once, 1]);
    expect(await readRecordStops(store)).toEqual([]);
    const { rows } = await store.pool.query<{ act: string }>(
      "SELECT act FROM audit_entry WHERE chain = $1 AND act = 'audit.recovered'",
      [practiceId],
    );
    expect(rows).toHaveLength(1);
    await expect.poll(() => headsOf(folders.heads, practiceId).length, { timeout: 10_000 }).toBeGreaterThan(signed);
    await release(on(store), ids[6] ?? "");
    await overWindows(store, [ids[6] ?? ""]);
    await payerHasAll(store, [ids[6] ?? ""]);
    await worker.stop();
    expect((await pa(["recover"], "", given)).code).toBe(0);
    await store.close();
  },
);

test(
  "a worker with an empty ledger over a database that others submitted from submits nothing until it is told to",
  { timeout: 120_000 },
  async () => {
    const { database, simulator, hands } = await aGround();
    const { store } = hands;
    const [waiting = ""] = await manyReleased(hands, 1);
    await overWindows(store, [waiting]);
    // Neither a worker of another database nor one that has been silent since vouches for this one.
    await hadWorkers(store);
    const ledger = emptyLedger();
    const worker = await aWorkerProcess(database.appUrl, { ledger });
    await worker.says("this ledger is empty and the database knows another");
    // Found in the same round as the release that is due.
    const expired = await aCase(hands, "HMOLD");
    await store.pool.query("UPDATE gate SET expires_at = clock_timestamp() WHERE task_id = $1", [expired]);
    await expect.poll(() => statesOf(store, [expired]), { timeout: 30_000 }).toEqual(["needs-information"]);
    expect(await arrivalsAt(simulator)).toEqual([]);
    const pa = commandLine(database);
    const given = { SUBMISSION_LEDGER_DIR: ledger };
    expect(await jsonOf((args) => pa(args, "", given), ["recover", "--yes"])).toMatchObject({
      newLedger: true,
      held: 1,
    });
    await expect.poll(async () => (await statesOf(store, [waiting]))[0]).toBe("transmit-held");
    await release(hands, waiting);
    await overWindows(store, [waiting]);
    await payerHasAll(store, [waiting]);
    expect(await arrivalsAt(simulator)).toEqual([1]);
    await worker.stop();
    await store.close();
  },
);

test(
  "a worker that is added begins a ledger beside one that compares the database, and submits what was released before",
  { timeout: 120_000 },
  async () => {
    const { database, simulator, folders, hands } = await aGround();
    const { store } = hands;
    const first = await aWorkerProcess(database.appUrl, folders);
    const [waiting = ""] = await manyReleased(hands, 1);
    const second = await aWorkerProcess(database.appUrl, { ledger: emptyLedger() });
    await second.says("this ledger begins beside its own");
    await first.stop();
    await overWindows(store, [waiting]);
    await payerHasAll(store, [waiting]);
    expect(await arrivalsAt(simulator)).toEqual([1]);
    await second.stop();
    await store.close();
  },
);

const emptyLedger = () => join(mkdtempSync(join(tmpdir(), "empty-")), "ledger");

async function hadWorkers(store: Store): Promise<void> {
  const { identity } = await readDatabaseIdentity(store);
  const row = { host: "a", inHand: 0, maySubmit: true, heldBefore: new Date(0) };
  const longAgo = new Date(Date.now() - 20_000);
  await store.prisma.workerHeartbeat.createMany({
    data: [
      { ...row, workerId: randomUUID(), comparedIdentity: `${identity}0` },
      { ...row, workerId: randomUUID(), comparedIdentity: identity, beatAt: longAgo },
    ],
  });
}

function headsOf(folder: string, chain: string): readonly string[] {
  return readdirSync(folder)
    .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"))
    .filter((line) => line.includes(`"chain":"${chain}"`));
}
