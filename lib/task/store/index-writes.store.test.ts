import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { unscoped } from "#lib/db/db";
import { claimDuePolls } from "#lib/submission/shared/work";
import { cancelTask } from "#lib/task/cancel-task";
import { pollDelaysMs } from "#lib/submission/polling";
import { aHeldTask, aStore } from "#test/support/cases/cases";
import { superuserUrl, testDatabase } from "#test/support/database/fresh-database";

const store = aStore();
const superuser = new pg.Client({ connectionString: superuserUrl(testDatabase) });
beforeAll(() => superuser.connect());
afterAll(() => Promise.all([store.close(), superuser.end()]));

type Table = { readonly name: "task" | "transmission"; readonly key: "id" | "gate_id" };
const tasks: Table = { name: "task", key: "id" };
const submissions: Table = { name: "transmission", key: "gate_id" };

/** How many of the updates of this table in a transaction wrote no index. */
async function updatesWithoutIndex(id: string, columns: string, { name, key }: Table = tasks): Promise<number> {
  const counted = async () => {
    const sql = `SELECT pg_stat_get_xact_tuples_hot_updated('${name}'::regclass) AS hot`;
    return Number((await superuser.query<{ hot: string }>(sql)).rows[0]?.hot);
  };
  await superuser.query("BEGIN");
  try {
    const before = await counted();
    await superuser.query(`UPDATE ${name} SET ${columns} WHERE ${key} = $1`, [id]);
    return (await counted()) - before;
  } finally {
    await superuser.query("ROLLBACK");
  }
}

test("a step of a task that lists do not show writes no index of it", async () => {
  const { taskId } = await aHeldTask(store);
  const step = "version = version + 1, changed_at = clock_timestamp()";
  expect(await updatesWithoutIndex(taskId, step)).toBe(1);
  expect(await updatesWithoutIndex(taskId, `${step}, has_webhook = true, remark = '\\x02', stage = 'released'`)).toBe(
    1,
  );
  expect(await updatesWithoutIndex(taskId, `${step}, state = 'transmitted'`)).toBe(0);
});

/** A release by the tables alone, as any program writes it. */
async function aRelease() {
  const { taskId, practiceId } = await aHeldTask(store);
  const { gateId } = await store.prisma.task.findUniqueOrThrow({ where: { id: taskId } });
  if (gateId === null) throw new Error("A held task has its gate.");
  const released = { action: "transmit", isManual: false, phase: "released", attempt: 0, payerHost: "payer.test" };
  const at = new Date();
  await store.prisma.transmission.create({
    data: { gateId, taskId, practiceId, ...released, releasedAt: at, claimableAt: at },
  });
  return gateId;
}

test("no step of a submission writes an index of it", async () => {
  const gateId = await aRelease();
  const steps = [
    "phase = 'submitting', attempt = 1, lease_until = clock_timestamp()",
    "started_at = clock_timestamp()",
    "phase = 'unconfirmed', lease_until = NULL",
    "phase = 'done', lease_until = NULL, answered_at = clock_timestamp(), result = 'received'",
  ];
  for (const step of steps) expect(await updatesWithoutIndex(gateId, step, submissions)).toBe(1);
});

test("what workers look for is as the submission stands, whichever program wrote it", async () => {
  const gateId = await aRelease();
  const where = { gateId };
  const apart = async () => ({
    due: await store.prisma.releaseDue.findUnique({ where }),
    inHand: await store.prisma.submissionInHand.findUnique({ where }),
  });
  const write = (columns: string) => superuser.query(`UPDATE transmission SET ${columns} WHERE gate_id = $1`, [gateId]);
  expect(await apart()).toMatchObject({ due: { payerHost: "payer.test", attempt: 0 }, inHand: null });
  await write("phase = 'submitting', attempt = 1, lease_until = clock_timestamp()");
  expect(await apart()).toMatchObject({
    due: null,
    inHand: { phase: "submitting", leaseUntil: expect.any(Date) as Date },
  });
  await write("phase = 'released', lease_until = NULL");
  expect(await apart()).toMatchObject({ due: { attempt: 1 }, inHand: null });
  await write("phase = 'unconfirmed', started_at = clock_timestamp()");
  expect(await apart()).toMatchObject({ due: null, inHand: { phase: "unconfirmed", leaseUntil: null } });
  await write("phase = 'done'");
  expect(await apart()).toEqual({ due: null, inHand: null });
  await write("phase = 'released'");
  expect(await apart()).toMatchObject({ due: { payerHost: "payer.test" } });
  await superuser.query("DELETE FROM transmission WHERE gate_id = $1", [gateId]);
  expect(await apart()).toEqual({ due: null, inHand: null });
});

test("ANALYZE keeps no samples of what a case has sealed, of its receipts and digests, or of details on record", async () => {
  await aHeldTask(store);
  await superuser.query("ANALYZE");
  const { rows } = await superuser.query<{ name: string }>(
    "SELECT tablename || '.' || attname AS name FROM pg_stats WHERE schemaname = 'public'",
  );
  const names = new Set(rows.map(({ name }) => name));
  expect(names).toContain("task.state");
  const unsampled = ["task.patient", "task_event.facts", "revision.service_review", "message.body", "gate.calls"];
  const written = [...unsampled, "payer_event.payload", "determination.document", "decision_receipt.document"];
  const digests = ["gate.digest", "gate.document_digests", "message.content_digest", "audit_entry.hash"];
  expect(
    [...written, ...digests, "decision_receipt.packed", "audit_entry.detail"].filter((name) => names.has(name)),
  ).toEqual([]);
});

const tablesOfCase = [
  ...["task", "task_event", "audit_entry", "revision", "message", "gate", "vote", "decision_key", "decision_receipt"],
  ...["transmission", "release_due", "submission_in_hand", "next_inquiry", "payer_event", "determination"],
  ...["closed_code", "case_token", "channel_call"],
];

test("of the ids of a case ANALYZE keeps no samples, so no growth of its tables writes hundreds of them", async () => {
  const { rows } = await superuser.query<{ name: string }>(
    `SELECT attrelid::regclass || '.' || attname AS name FROM pg_attribute
      WHERE attrelid = ANY ($1::regclass[]) AND atttypid = 'uuid'::regtype AND attname IN ('id', 'task_id', 'gate_id', 'context_id')
        AND coalesce(attstattarget, -1) NOT IN (0, 1)`,
    [tablesOfCase],
  );
  expect(rows).toEqual([]);
});

/** The bits of `pg_trigger.tgtype`. */
const [ofRow, before, update] = [1, 2, 16];

test("no trigger locks a case before its update, which would write a record of the log", async () => {
  const { rows } = await superuser.query<{ name: string }>(
    `SELECT tgname AS name FROM pg_trigger
      WHERE tgrelid = ANY ($1::regclass[]) AND NOT tgisinternal AND tgtype & ${ofRow | before | update} = ${ofRow | before | update}`,
    [["task", "transmission", "gate", "next_inquiry"]],
  );
  expect(rows).toEqual([]);
});

test("the latest calls of a channel are not in the write-ahead log", async () => {
  const { rows } = await superuser.query("SELECT relpersistence AS kept FROM pg_class WHERE relname = 'channel_call'");
  expect(rows).toEqual([{ kept: "u" }]);
});

test("the last change of a case that is over is when it closed, whoever wrote it; an open one has none", async () => {
  const { taskId } = await aHeldTask(store);
  const closedAt = async (columns: string) => {
    await superuser.query(`UPDATE task SET ${columns} WHERE id = $1`, [taskId]);
    const { changedAt, closedAt: closed } = await store.prisma.task.findUniqueOrThrow({ where: { id: taskId } });
    return closed === null ? null : closed.getTime() - changedAt.getTime();
  };
  expect(await closedAt("changed_at = clock_timestamp()")).toBe(null);
  expect(await closedAt("state = 'declined'")).toBe(0);
  expect(await closedAt("changed_at = clock_timestamp()")).toBe(0);
  expect(await closedAt("state = 'transmit-held'")).toBe(null);
});

test("a change that closes a case says so in the update that closes it", async () => {
  const { taskId, channel } = await aHeldTask(store);
  await superuser.query("ALTER TABLE task DISABLE TRIGGER task_closes");
  onTestFinished(async () => {
    await superuser.query("ALTER TABLE task ENABLE TRIGGER task_closes");
  });
  expect(await cancelTask(channel, { taskId })).toMatchObject({ ok: true });
  const { changedAt, closedAt } = await store.prisma.task.findUniqueOrThrow({ where: { id: taskId } });
  expect(closedAt).toEqual(changedAt);
});

test("what the previous release writes of inquiries is what a worker of this one goes by", async () => {
  const { taskId } = await aHeldTask(store);
  const next = () => store.prisma.nextInquiry.findUnique({ where: { taskId } });
  await store.prisma.task.update({ where: { id: taskId }, data: { pollAt: new Date(Date.now() - 1_000), polls: 2 } });
  expect(await next()).toMatchObject({ inquiries: 2 });
  const none = { hosts: new Map(), otherHosts: 8, inHand: new Map(), eachPractice: 8 };
  const claimed = await claimDuePolls(unscoped(store), { ...none, most: 8, delaysMs: pollDelaysMs });
  expect(claimed.map((one) => one.taskId)).toEqual([taskId]);
  expect(await next()).toMatchObject({ inquiries: 3 });
  await store.prisma.task.update({ where: { id: taskId }, data: { pollAt: null, polls: 0 } });
  expect(await next()).toBe(null);
});
