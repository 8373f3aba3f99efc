import { createHash } from "node:crypto";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aHeldTask, anIntake, aStore, fullReview } from "#test/support/cases/cases";
import { aFailingArchive, anArchive, noArchive, type TestArchive } from "#test/support/servers/archives";
import { aPdf, aReceivedFile } from "#test/support/agents/files";
import { anAnsweredTask, approved } from "#test/support/cases/sent-cases";
import { ArchiveAwayError, type ObjectStore } from "./object-store.ts";
import { agentNotes } from "#lib/task/agent-notes";
import { getTask } from "#lib/task/get-task";
import { sendMessage } from "#lib/task/send-message";
import { readAttachment } from "#lib/task/read-attachment";
import { reviewTask } from "#lib/task/review-task";
import { listPayerAnswers } from "#lib/submission/store/payer-answers";
import { readPayerAnswer } from "#lib/submission/read-payer-answer";
import { rotatePracticeKey } from "#lib/practice/turn-keys";
import { verifyAuditLog } from "#lib/audit/verify-audit-log";
import { archiveClosedCases } from "./archive-closed.ts";
import { listFailures } from "./archive-failures.ts";
import { isArchived, referenceOf } from "./archived.ts";
import { inTransaction, type Store } from "./db.ts";
import { resealValues } from "./reseal.ts";
import { openArchivedBytes } from "./sealed.ts";
import { isUnavailable } from "./unavailable.ts";
import { verifyArchive } from "./verify-archive.ts";

/** Of pairs of task and object. */
const byDigest = ([, one = ""]: readonly string[], [, other = ""]: readonly string[]) => one.localeCompare(other);

const log = pino({ enabled: false });
const bare = aStore();
let archive: TestArchive;
let store: Store;
beforeAll(async () => {
  archive = await anArchive();
  store = { ...bare, archive: archive.store };
});
afterAll(async () => {
  await bare.close();
  await archive.stop();
});

const now = { log, afterDays: 0, bytesMin: 64 } as const;

/** Every practice is looked at again at once, as if the pause of each were over. */
async function archiveAll(over: Store = store, options: Partial<Parameters<typeof archiveClosedCases>[1]> = {}) {
  for (const table of ["archive_progress", "archive_failure"])
    await bare.pool.query(`UPDATE ${table} SET due_at = clock_timestamp()`);
  await archiveClosedCases(over, { ...now, ...options });
}

const columns = [
  ["message", "body"],
  ["gate", "calls"],
  ["payer_event", "payload"],
  ["attachment", "bytes"],
] as const;

/** How many values of a case are in the archive, by table. */
async function archivedOf(taskId: string): Promise<Readonly<Record<string, number>>> {
  const counts = await Promise.all(
    columns.map(async ([table, column]) => {
      const { rows } = await bare.pool.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM ${table} WHERE task_id = $1 AND ${isArchived(column)}`,
        [taskId],
      );
      return [table, rows[0]?.n ?? 0] as const;
    }),
  );
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

const report = aReceivedFile(aPdf("Six weeks of therapy"), "application/pdf", "report.pdf");

/** A case with a file, a note and a payer's answer that is decided. */
async function aClosedCase(over: Store = store) {
  const held = await anAnsweredTask(over, { type: "decided", determination: approved });
  await bare.pool.query("UPDATE payer_event SET handled_at = clock_timestamp() WHERE task_id = $1", [held.taskId]);
  return held;
}

async function aWithdrawnCaseWithFile(over: Store = store) {
  const held = await aHeldTask(over, { review: fullReview, files: [report] });
  await withdraw(held.taskId);
  return held;
}

const withdraw = (taskId: string) =>
  bare.pool.query("UPDATE task SET state = 'withdrawn', stage = 'ended', stage_end = 'withdrawn' WHERE id = $1", [
    taskId,
  ]);

/** Cases of one practice that were withdrawn one after the other. */
async function someWithdrawnCases(count: number) {
  const { taskId: first, practiceId, channel } = await aHeldTask(store, { review: fullReview });
  const taskIds = [first];
  while (taskIds.length < count) {
    const sent = await sendMessage(channel, anIntake({ practiceId, review: fullReview }));
    if (!sent.ok) throw new Error("The intake was refused.");
    taskIds.push(sent.value.id);
  }
  for (const taskId of taskIds) await withdraw(taskId);
  return { practiceId, taskIds };
}

/** The archive, except that it takes no message of this case. */
async function refusing(taskId: string, refusal: () => Error): Promise<ObjectStore> {
  const { rows } = await bare.pool.query<{ body: Uint8Array }>("SELECT body FROM message WHERE task_id = $1", [taskId]);
  const digests = rows.map(({ body }) => createHash("sha256").update(body).digest("hex"));
  return {
    ...archive.store,
    put: (name, bytes) =>
      digests.some((digest) => name.endsWith(digest)) ? Promise.reject(refusal()) : archive.store.put(name, bytes),
  };
}

type Readable = Pick<Awaited<ReturnType<typeof aClosedCase>>, "taskId" | "practiceId" | "channel" | "reviewer">;

/** All that anybody reads of a case. */
async function everyReading(over: Store, { taskId, practiceId, channel, reviewer }: Readable) {
  const scoped = { ...reviewer, store: { ...reviewer.store, archive: over.archive } };
  const record = await getTask({ ...channel, store: over }, { taskId, historyLength: 10 });
  const page = await reviewTask(scoped, { taskId });
  const answers = await listPayerAnswers(over, { taskId, practiceId });
  const opened = await Promise.all(answers.map(({ id }) => readPayerAnswer(scoped, { taskId, answerId: id })));
  return {
    history: record.ok && [record.value.messages, record.value.files],
    lost: record.ok && record.value.historyLost,
    page: page.ok && page.value.gate?.calls,
    unread: page.ok && page.value.unread,
    answers: opened.map((each) => each.ok && Buffer.from(each.value).toString()),
    notes: await agentNotes(over, { taskId, practiceId, shown: "all" }),
  };
}

describe("a closed case's large values", () => {
  test("go to the archive, and every reader has the same bytes as before", async () => {
    const of = await aClosedCase();
    const before = await everyReading(store, of);
    await archiveAll();
    expect(await archivedOf(of.taskId)).toMatchObject({ message: 1, gate: 1 });
    expect(await everyReading(store, of)).toEqual(before);
    expect(before.page).toHaveLength(1);
    expect(before.history).toMatchObject([[expect.any(Uint8Array)], expect.any(Map)]);
    const report = await verifyArchive(store, { practiceId: of.practiceId });
    expect(report).toMatchObject({
      values: archive.objects().filter((name) => name.startsWith(of.practiceId)).length,
      faults: [],
    });
  });

  test("include files, and a file is downloaded as it came", async () => {
    const of = await aWithdrawnCaseWithFile();
    await archiveAll();
    expect(await archivedOf(of.taskId)).toMatchObject({ attachment: 1 });
    const reviewer = { ...of.reviewer, store: { ...of.reviewer.store, archive: archive.store } };
    const read = await readAttachment(reviewer, { taskId: of.taskId, sha256: report.sha256 });
    expect(read.ok && Buffer.compare(read.value.bytes, report.bytes)).toBe(0);
  });

  test("stay where they are if it ends between the object and the reference, and go there the next time", async () => {
    const of = await aClosedCase();
    const before = await everyReading(store, of);
    const ends = () => Promise.reject(new Error("ended here"));
    await archiveAll(store, { onKept: ends });
    expect(await archivedOf(of.taskId)).toEqual({});
    expect(await everyReading(store, of)).toEqual(before);
    await archiveAll();
    await archiveAll();
    expect(await archivedOf(of.taskId)).toMatchObject({ message: 1, gate: 1 });
    expect(await everyReading(store, of)).toEqual(before);
  });

  test("go there once though two workers move them, and only where the case is still closed", async () => {
    const of = await aClosedCase();
    const before = await everyReading(store, of);
    await Promise.all([archiveAll(), archiveAll()]);
    await archiveAll();
    expect(await everyReading(store, of)).toEqual(before);
    const open = await aHeldTask(store, { review: fullReview });
    await archiveAll();
    expect(await archivedOf(open.taskId)).toEqual({});
  });

  test("are left out of the case's page while the archive is away, which shows the rest and says what it lacks", async () => {
    const of = await aClosedCase();
    const read = (over: ObjectStore) =>
      reviewTask({ ...of.reviewer, store: { ...of.reviewer.store, archive: over } }, { taskId: of.taskId });
    const before = await read(archive.store);
    await archiveAll();
    const [page, known] = [await read(noArchive()), before.ok ? before.value : undefined];
    const unread = { notes: "away", calls: "away", records: undefined };
    expect(page).toEqual({
      ok: true,
      value: { ...known, gate: { ...known?.gate, calls: [] }, unread, history: expect.any(Array) },
    });
    expect(known).toMatchObject({ unread: {}, gate: { documentDigests: [expect.any(String)] } });
    expect(known?.gate?.calls.map(({ documentDigest }) => documentDigest)).toEqual(known?.gate?.documentDigests);
  });

  test("of an open gate are never left out of the page on which it is decided", async () => {
    const { taskId, reviewer, seen } = await aHeldTask(store, { review: fullReview });
    // As no archiving leaves it: a reference where a person is about to decide.
    await bare.pool.query("UPDATE gate SET calls = decode(repeat('05', 41), 'hex') WHERE id = $1", [seen.gateId]);
    const over = { ...reviewer, store: { ...reviewer.store, archive: noArchive() } };
    await expect(reviewTask(over, { taskId })).rejects.toBeInstanceOf(ArchiveAwayError);
  });

  test("are not at hand while the archive is away, and nothing is lost", async () => {
    const of = await aClosedCase();
    const before = await everyReading(store, of);
    const failing = await aFailingArchive(503);
    const ways = [noArchive(), failing.store, archive.withoutBucket];
    for (const away of ways) await archiveAll({ ...bare, archive: away });
    expect(await archivedOf(of.taskId)).toEqual({});
    await archiveAll();
    const filed = await aWithdrawnCaseWithFile();
    await archiveAll();
    for (const away of [...ways, undefined]) {
      const reviewer = { ...filed.reviewer, store: { ...filed.reviewer.store, archive: away } };
      const file = readAttachment(reviewer, { taskId: filed.taskId, sha256: report.sha256 });
      await expect(file).rejects.toBeInstanceOf(ArchiveAwayError);
      const reading = everyReading({ ...bare, archive: away }, of);
      const refused = await reading.then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(refused).toBeInstanceOf(ArchiveAwayError);
      expect(isUnavailable(refused)).toBe(true);
    }
    expect(await everyReading(store, of)).toEqual(before);
  });

  test("of a case that the archive refuses each time keep no other case waiting, and go there once it takes them", async () => {
    const { practiceId, taskIds } = await someWithdrawnCases(3);
    const [refused = "", ...others] = taskIds;
    const away = () => new ArchiveAwayError("it answered HTTP 413");
    const partial = { ...bare, archive: await refusing(refused, away) };
    const noted = async () => (await listFailures(bare)).filter((each) => each.practiceId === practiceId);
    for (const failures of [1, 2, 3]) {
      const before = Date.now();
      await archiveAll(partial);
      const [failure, ...more] = await noted();
      expect([failure, more]).toMatchObject([
        { taskId: refused, failures, reason: "the archive: it answered HTTP 413" },
        [],
      ]);
      const waits = (failure?.dueAt.getTime() ?? 0) - before;
      expect(waits).toBeGreaterThan(2 ** (failures - 1) * 60_000 - 5_000);
      expect(waits).toBeLessThan(2 ** (failures - 1) * 60_000 + 60_000);
    }
    expect(await archivedOf(refused)).not.toHaveProperty("message");
    for (const taskId of others) expect(await archivedOf(taskId)).toMatchObject({ message: 1, gate: 1 });
    await archiveClosedCases(store, now);
    expect(await archivedOf(refused)).not.toHaveProperty("message");
    await archiveAll();
    expect(await archivedOf(refused)).toMatchObject({ message: 1, gate: 1 });
    expect(await noted()).toEqual([]);
  });

  test("that are too young for a limit that was raised since keep their practice from no other's turn", async () => {
    const { practiceId, taskIds } = await someWithdrawnCases(1);
    const away = () => new ArchiveAwayError("it answered HTTP 413");
    await archiveAll({ ...bare, archive: await refusing(taskIds[0] ?? "", away) });
    await archiveAll(store, { afterDays: 365 });
    const { rows } = await bare.pool.query<{ waits: boolean }>(
      "SELECT due_at > clock_timestamp() + interval '30 minutes' AS waits FROM archive_progress WHERE practice_id = $1",
      [practiceId],
    );
    expect(rows).toEqual([{ waits: true }]);
    await archiveAll();
  });

  test("that the database cannot read are noted with its code, and a case that changes since is forgotten", async () => {
    const { practiceId, taskIds } = await someWithdrawnCases(2);
    const [refused = ""] = taskIds;
    const damaged = () => Object.assign(new Error("invalid page"), { code: "XX001" });
    await archiveAll({ ...bare, archive: await refusing(refused, damaged) });
    const noted = async () => (await listFailures(bare)).filter((each) => each.practiceId === practiceId);
    expect(await noted()).toMatchObject([{ taskId: refused, failures: 1, reason: "the database: XX001" }]);
    await bare.pool.query("UPDATE task SET changed_at = clock_timestamp() WHERE id = $1", [refused]);
    await archiveAll({ ...bare, archive: await refusing(refused, damaged) });
    expect(await noted()).toMatchObject([{ taskId: refused, failures: 1 }]);
    await archiveAll();
    await archiveAll();
    expect(await archivedOf(refused)).toMatchObject({ message: 1, gate: 1 });
    expect(await noted()).toEqual([]);
  });

  test("of no case are noted as failing while the archive takes nothing at all", async () => {
    const { practiceId } = await someWithdrawnCases(2);
    const failing = await aFailingArchive(503);
    for (const away of [noArchive(), failing.store, archive.withoutBucket])
      await archiveAll({ ...bare, archive: away });
    expect((await listFailures(bare)).filter((each) => each.practiceId === practiceId)).toEqual([]);
  });

  test("are refused where an object was changed or removed, which verifying names", async () => {
    const of = await aClosedCase();
    await archiveAll();
    const names = archive.objects().filter((name) => name.startsWith(`${of.practiceId}/`));
    names.forEach((name, index) => archive.damage(name, index % 2 === 0 ? "change" : "remove"));
    const unread = { notes: "lost", calls: "lost", records: undefined };
    expect(await everyReading(store, of)).toMatchObject({ history: [[], new Map()], lost: 1, page: [], unread });
    const place = { row: of.seen.gateId, practiceId: of.practiceId };
    const { calls } = await bare.prisma.gate.findUniqueOrThrow({ where: { id: of.seen.gateId } });
    await expect(openArchivedBytes(store, "gate.calls", place, calls)).rejects.toThrow(
      /An archived value is (changed|missing)/,
    );
    const { faults } = await verifyArchive(store, { practiceId: of.practiceId });
    expect(faults.map(({ taskId, digest }) => [taskId, `${of.practiceId}/${digest}`]).toSorted(byDigest)).toEqual(
      names.map((name) => [of.taskId, name]).toSorted(byDigest),
    );
  });

  test("are fetched for a transaction while none is open, and another practice's reference leads nowhere", async () => {
    const [of, other] = [await aClosedCase(), await aClosedCase()];
    await archiveAll();
    const { calls } = await bare.prisma.gate.findUniqueOrThrow({ where: { id: of.seen.gateId } });
    expect(referenceOf(calls)).toBeDefined();
    const place = { row: of.seen.gateId, practiceId: of.practiceId };
    const opened = await inTransaction(store, (tx) => openArchivedBytes(tx, "gate.calls", place, calls));
    expect(opened).toEqual(await openArchivedBytes(store, "gate.calls", place, calls));
    await expect(inTransaction(store, () => openArchivedBytes(store, "gate.calls", place, calls))).rejects.toThrow(
      "while no transaction is open",
    );
    const theirs = { row: of.seen.gateId, practiceId: other.practiceId };
    await expect(openArchivedBytes(store, "gate.calls", theirs, calls)).rejects.toThrow("missing");
  });

  test("are sealed anew where they are when a key turns, and the audit log keeps verifying", async () => {
    const of = await aClosedCase();
    await archiveAll();
    const before = await everyReading(store, of);
    const { calls } = await bare.prisma.gate.findUniqueOrThrow({ where: { id: of.seen.gateId } });
    const operator = { actor: { kind: "operator" }, store } as const;
    await rotatePracticeKey(operator, { practiceId: of.practiceId, inSeconds: 0 });
    await resealValues(store, [of.practiceId]);
    const fresh = await bare.prisma.gate.findUniqueOrThrow({ where: { id: of.seen.gateId } });
    expect(referenceOf(fresh.calls)).toBeDefined();
    expect(fresh.calls).not.toEqual(calls);
    expect(await everyReading(store, of)).toEqual(before);
    const found = await verifyAuditLog(operator, { chain: of.practiceId });
    expect(found.ok && found.value.chains.map(({ broken }) => broken)).toEqual([undefined]);
  });
});
