import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { pino } from "pino";
import { anArchive } from "#test/support/servers/archives";
import { archiveClosedCases } from "#lib/db/archive-closed";
import { type Store, unscoped } from "#lib/db/db";
import { releaseGate } from "#lib/gate/release-gate";
import { risks } from "#lib/task/model/vote-rule";
import { loadTask } from "#lib/task/store/load-task";
import { gateOf, stateOf } from "#lib/task/model/task";
import { rowToTask } from "#lib/task/store/task-rows";
import { operator } from "#test/support/people/admin";
import { aHeldTask, aPerson, actsOf, fullReview, keyPepper, receiptKey, sealingKey } from "#test/support/cases/cases";
import { dropClone, freshDatabase, type TestDatabase } from "#test/support/database/fresh-database";
import { openWholeStore } from "#test/support/database/whole-store";
import { createLedger, openWriter, readLedger, type LedgerLine } from "./ledger/ledger-files.ts";
import { inspectRecord, recoverRecord } from "./recover-record.ts";
import { readRecordStops, writeRecordStops } from "./shared/record-stops.ts";

let database: TestDatabase;
let store: Store;
let folder: string;

beforeAll(async () => {
  database = await freshDatabase();
  store = openWholeStore({ url: database.appUrl, sealingKey, receiptKey, keyPepper, connectionsMax: 8 });
});
beforeEach(async () => {
  folder = join(mkdtempSync(join(tmpdir(), "ledger-")), "ledger");
  await createLedger(folder);
});
afterAll(async () => {
  await store.close();
  await dropClone(database);
});

const given = () =>
  [
    { actor: operator, store },
    { folder, heads: [] },
  ] as const;
const recover = () => recoverRecord(...given());

/** Entries that the ledger has of a chain, and the database has not. */
async function seen(lines: readonly LedgerLine[]): Promise<void> {
  const writer = await openWriter(folder, "started");
  await writer.write(lines);
  await writer.close();
}

const place = (chain: string) =>
  ({ kind: "place", at: 1, chain, seq: 999, hash: "of an entry that was seen" }) as const;

async function taskNow(taskId: string) {
  const row = await loadTask(store, { taskId, practices: "every" });
  if (!row) throw new Error("The case is gone.");
  return rowToTask(store, row);
}

async function stateNow(taskId: string) {
  return stateOf(await taskNow(taskId));
}

/** A case whose release waits for its recall window. */
async function aRelease() {
  const held = await aHeldTask(store, { recallWindowS: 3_600, routed: true, review: fullReview });
  expect(await releaseGate(held.reviewer, held)).toMatchObject({ ok: true });
  return held;
}

test("where a chain that practices share lacks an entry, the releases of every practice are held again", async () => {
  const [one, other] = [await aRelease(), await aRelease()];
  await seen([place("people")]);
  const { practices, chains } = await recover();
  expect(chains.map(({ chain }) => chain)).toEqual(["people"]);
  expect(practices).toEqual(expect.arrayContaining([one.practiceId, other.practiceId]));
  expect([await stateNow(one.taskId), await stateNow(other.taskId)]).toEqual(["transmit-held", "transmit-held"]);
});

test("where the chain of one practice lacks an entry, the releases of another stand", async () => {
  const [one, other] = [await aRelease(), await aRelease()];
  await seen([place(one.practiceId)]);
  expect(await recover()).toMatchObject({ practices: [one.practiceId], held: 1 });
  expect([await stateNow(one.taskId), await stateNow(other.taskId)]).toEqual(["transmit-held", "transmit-released"]);
});

test("what another worker has seen and this ledger has not is recovered too, and its stop is lifted", async () => {
  const { practiceId, taskId } = await aRelease();
  await writeRecordStops(store, [place(practiceId)]);
  expect(await recover()).toMatchObject({ practices: [practiceId], chains: [{ chain: practiceId }], held: 1 });
  expect(await stateNow(taskId)).toBe("transmit-held");
  expect(await readRecordStops(store)).toEqual([]);
});

test("a gate that some have voted on gets a new one without votes; a gate without votes stays", async () => {
  const voted = await aHeldTask(store);
  await store.prisma.voteRule.createMany({
    data: risks.map((risk) => ({
      practiceId: voted.practiceId,
      action: "transmit",
      risk,
      votes: 2,
    })),
  });
  await aPerson(store, { practices: [voted.practiceId] });
  expect(await releaseGate(voted.reviewer, voted)).toMatchObject({ ok: true, value: { state: "transmit-held" } });
  const untouched = await aHeldTask(store);
  await seen([place(voted.practiceId), place(untouched.practiceId)]);
  expect(await recover()).toMatchObject({ held: 1 });
  const gateId = gateOf(await taskNow(voted.taskId))?.id ?? "";
  expect(gateId).not.toBe(voted.seen.gateId);
  expect(await store.prisma.vote.count({ where: { gateId } })).toBe(0);
  expect(gateOf(await taskNow(untouched.taskId))?.id).toBe(untouched.seen.gateId);
});

test("of several attempts of one release, the last is the one that is recorded as found", async () => {
  const { practiceId, taskId, seen: at } = await aRelease();
  const attempt = (n: number) =>
    ({
      ...place(practiceId),
      kind: "started",
      at: n * 1_000,
      seq: 900 + n,
      taskId,
      gateId: at.gateId,
      attempt: n,
    }) as const;
  await seen([attempt(1), attempt(2)]);
  expect(await recover()).toMatchObject({ found: [{ taskId, at: new Date(2_000), as: "inquired" }] });
  expect(await stateNow(taskId)).toBe("transmit-unconfirmed");
});

test("a submission of a case that is archived is recovered though the archive is away, and nothing of it is lost", async () => {
  const archive = await anArchive();
  const { taskId, practiceId, seen: at } = await aRelease();
  await store.prisma.task.updateMany({
    where: { id: taskId },
    data: { state: "withdrawn", stage: "ended", stageEnd: "withdrawn" },
  });
  const log = pino({ enabled: false });
  await archiveClosedCases({ ...unscoped(store), archive: archive.store }, { log, afterDays: 0, bytesMin: 64 });
  expect(archive.objects().filter((name) => name.startsWith(`${practiceId}/`))).not.toEqual([]);
  await archive.stop();
  await seen([{ ...place(practiceId), kind: "started", taskId, gateId: at.gateId, attempt: 1 }]);
  expect(await recover()).toMatchObject({ found: [{ taskId, as: "unknown-gate" }] });
  expect(await taskNow(taskId)).toMatchObject({ attention: "lost-submission" });
});

test("a submission whose gate is gone leaves its case to a person, once, and is not taken for the gate that is there", async () => {
  const { practiceId, taskId } = await aRelease();
  const gateId = crypto.randomUUID();
  await seen([{ ...place(practiceId), kind: "started", taskId, gateId, attempt: 1 }]);
  expect(await recover()).toMatchObject({ found: [{ taskId, as: "unknown-gate" }] });
  expect(await taskNow(taskId)).toMatchObject({ attention: "lost-submission", stage: { kind: "held" } });
  const acts = await actsOf(store, taskId);
  expect(acts).toContain("transmission.lost");
  expect(acts).not.toContain("transmission.found");
});

test("a case of which something does not open stops the recovery of no other, is named, and is left to a person where it may have left", async () => {
  const [found, released, sound] = [await aRelease(), await aRelease(), await aRelease()];
  for (const { taskId } of [found, released])
    await store.prisma.revision.updateMany({ where: { taskId }, data: { serviceReview: Buffer.from([9, 9]) } });
  const gateId = crypto.randomUUID();
  await seen([{ ...place(found.practiceId), kind: "started", taskId: found.taskId, gateId, attempt: 1 }]);
  await seen([place(released.practiceId), place(sound.practiceId)]);
  const report = await recover();
  expect(report).toMatchObject({ found: [{ taskId: found.taskId, as: "unreadable" }], held: 1 });
  expect(report.notHeld).toEqual([found.taskId, released.taskId].sort());
  expect(await taskNow(found.taskId)).toMatchObject({ attention: "lost-submission" });
  expect(await stateNow(sound.taskId)).toBe("transmit-held");
  expect(await inspectRecord(...given())).toMatchObject({ chains: [] });
});

test("recovered, the database lacks nothing any more and nothing is found again; releases from before are held", async () => {
  const { practiceId, taskId, seen: at } = await aRelease();
  await seen([{ ...place(practiceId), kind: "started", taskId, gateId: at.gateId, attempt: 1 }]);
  const began = Date.now();
  await recover();
  const acts = await actsOf(store, taskId);
  expect(await inspectRecord(...given())).toEqual({ isNewLedger: false, chains: [], submissions: [] });
  expect(await recover()).toMatchObject({ found: [], held: 0, practices: [] });
  expect(await actsOf(store, taskId)).toEqual(acts);
  const { database: known } = await readLedger(folder);
  expect(known?.since).toBeGreaterThan(began - 1_000);
});
