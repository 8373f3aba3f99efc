import { afterAll, expect, test } from "vitest";
import { noteOutage } from "#lib/submission/store/payer-outages";
import { beat } from "#lib/submission/store/worker-heartbeats";
import { unscoped } from "#lib/db/db";
import { autoRelease } from "#lib/gate/auto-release";
import { done } from "#test/support/people/admin";
import { aHeldTask } from "#test/support/cases/cases";
import { anArchive } from "#test/support/servers/archives";
import { dropClone, freshDatabase } from "#test/support/database/fresh-database";
import { commandLine, jsonOf, keyPepper, receiptKey, sealingKey } from "#test/support/processes/pa";
import { aSandboxTask } from "#test/support/cases/sandbox";
import { aReleasedTask } from "#test/support/cases/sent-cases";
import { openWholeStore } from "#test/support/database/whole-store";

const database = await freshDatabase();
const whole = openWholeStore({ url: database.appUrl, sealingKey, receiptKey, keyPepper, connectionsMax: 4 });
const store = unscoped(whole);
const pa = commandLine(database);
afterAll(async () => {
  await whole.close();
  await dropClone(database);
});

const isAtWork = { workerId: crypto.randomUUID(), host: "a", inHand: 0, maySubmit: true, compared: undefined };

test("pa task show says of a case what keeps it from being submitted, and pa payers which payer is away", async () => {
  const held = await aHeldTask(whole);
  const released = await aReleasedTask(whole);
  const whyOf = async (taskId: string) =>
    ((await jsonOf(pa, ["task", "show", taskId])) as { readonly why: { readonly type: string }[] }).why;
  expect(await whyOf(held.taskId)).toEqual([{ type: "held" }]);
  expect((await pa(["task", "show", released.taskId])).out).toMatch(/^gate +\S+, transmit, released$/m);
  expect(await whyOf(released.taskId)).toEqual([{ type: "no-worker" }]);
  await beat(store, isAtWork);
  expect(await whyOf(released.taskId)).toEqual([{ type: "about-to-leave" }]);
  expect(await jsonOf(pa, ["payers"])).toMatchObject([{ waiting: 1, away: null }]);

  const { payerHost } = await whole.prisma.transmission.findFirstOrThrow();
  await noteOutage(store, { payerHost, reason: "ECONNREFUSED", forMs: 120_000 });
  expect(await whyOf(released.taskId)).toMatchObject([{ type: "payer-away", reason: "ECONNREFUSED" }]);
  const shown = await pa(["task", "show", released.taskId]);
  expect(shown.out).toContain("The payer has not answered for 2 min (ECONNREFUSED).");
  const payers = await pa(["payers"]);
  expect([payers.code, payers.err]).toEqual([1, ""]);
  expect(payers.out).toMatch(new RegExp(`${payerHost} +away for 2 min`));
  expect(await pa(["task", "show", "nothing"])).toMatchObject({ code: 1, out: "There is no case of that id.\n" });
});

test("pa task show says of a release that no person made it", async () => {
  const { practiceId, taskId, gateId } = await aSandboxTask(whole);
  await done(autoRelease({ actor: { kind: "auto-reviewer", practiceId }, store: whole }, { taskId, gateId }));
  expect((await pa(["task", "show", taskId])).out).toMatch(/^gate +\S+, transmit, released automatically$/m);
});

test("pa doctor examines everything, and its exit code says whether something is bad", async () => {
  const examined = async (env = {}) => {
    const { code, out, err } = await pa(["doctor", "--json"], "", env);
    const findings = JSON.parse(out) as { readonly check: string; readonly stands: string; readonly text: string }[];
    return { code, err, findings, bad: findings.filter(({ stands }) => stands === "bad").map(({ check }) => check) };
  };
  await beat(store, isAtWork);
  const good = await examined();
  expect(good).toMatchObject({ code: 0, err: "", bad: [] });
  expect(new Set(good.findings.map(({ check }) => check))).toEqual(
    new Set([
      ...["settings", "database", "clock", "keys", "pepper", "guards", "audit log", "replication", "workers"],
      ...["releases", "payers", "archive"],
    ]),
  );
  await beat(store, { ...isAtWork, maySubmit: false });
  expect(await examined()).toMatchObject({ code: 1, bad: ["workers"] });
  await whole.prisma.workerHeartbeat.deleteMany();
  expect(await examined()).toMatchObject({ code: 1, bad: ["workers"] });
  await beat(store, isAtWork);
  const { practiceId } = await aHeldTask(whole);
  await whole.pool.query("INSERT INTO archive_progress (practice_id, moved_values) VALUES ($1, 3)", [practiceId]);
  const unset = await examined();
  expect(unset).toMatchObject({ code: 1, bad: ["archive"] });
  const archiveIn = ({ findings }: typeof unset) => findings.find(({ check }) => check === "archive")?.text;
  expect(archiveIn(unset)).toContain("3 values of closed cases");
  const archive = await anArchive();
  const misnamed = await examined({ ...archive.env, ARCHIVE_BUCKET: "another" });
  expect(misnamed).toMatchObject({ code: 1, bad: ["archive"] });
  expect(archiveIn(misnamed)).toContain("not at hand: it has no bucket of the name in ARCHIVE_BUCKET");
  const set = await examined(archive.env);
  await archive.stop();
  expect(set).toMatchObject({ code: 0, bad: [] });
});

test("pa archive status and verify say what was moved and what fails to be, and fail where values were moved and no archive is set", async () => {
  const { practiceId, taskId } = await aHeldTask(whole);
  await whole.pool.query("DELETE FROM archive_progress");
  expect(await pa(["archive", "status"])).toMatchObject({ code: 0, err: "" });
  await whole.pool.query(
    "INSERT INTO archive_progress (practice_id, moved_values, moved_bytes, oldest_at) VALUES ($1, 3, 900, now())",
    [practiceId],
  );
  const status = await pa(["archive", "status"]);
  expect([status.code, status.err]).toEqual([1, ""]);
  expect(status.out).toMatch(/^No archive is set\.\n3 values of 900 bytes were moved there\.\n1 practices have cases/);
  await whole.pool.query(
    `INSERT INTO archive_failure (task_id, practice_id, closed_at, failures, reason, since, due_at)
     VALUES ($1, $2, now(), 3, 'the archive: it answered HTTP 413', '2026-11-01T00:00Z', '2026-11-02T00:00Z')`,
    [taskId, practiceId],
  );
  expect((await pa(["archive", "status"])).out).toContain(
    `1 cases fail to be archived and are tried again:\nTask ${taskId} of ${practiceId}: 3 times since 2026-11-01T00:00:00.000Z, the archive: it answered HTTP 413; again at 2026-11-02T00:00:00.000Z`,
  );
  expect(JSON.parse((await pa(["archive", "status", "--json"])).out)).toMatchObject({
    failing: 1,
    failures: [{ taskId, failures: 3 }],
  });
  expect(await jsonOf(pa, ["archive", "verify"])).toEqual({ ok: true, values: 0, bytes: 0, faults: [] });
});
