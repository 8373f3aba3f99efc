import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWholeStore } from "#test/support/database/whole-store";
import { aHeldTask, aPractice } from "#test/support/cases/cases";
import { aTransmittingTask } from "#test/support/cases/sent-cases";
import { freshDatabase, superuserUrl } from "#test/support/database/fresh-database";
import { commandLine, keyPepper, receiptKey, sealingKey } from "#test/support/processes/pa";
import { sealFacts } from "./events.ts";
import { replayTasks } from "#lib/task/shared/replayed-tasks";

const database = await freshDatabase();
const store = openWholeStore({ url: database.appUrl, sealingKey, receiptKey, keyPepper, connectionsMax: 8 });
const superuser = new pg.Client({ connectionString: superuserUrl(database) });
beforeAll(() => superuser.connect());
afterAll(async () => {
  await superuser.end();
  await store.close();
});

type Task = { readonly taskId: string; readonly practiceId: string };

async function aTask(): Promise<Task> {
  const { taskId } = await aHeldTask(store);
  const { practiceId } = await store.prisma.task.findUniqueOrThrow({ where: { id: taskId } });
  return { taskId, practiceId };
}

const run =
  (sql: string) =>
  async ({ taskId }: Task) => {
    const { rowCount } = await superuser.query(sql, [taskId]);
    expect(rowCount).toBeGreaterThan(0);
  };

/** An event that the attacker sealed with the practice's own key: only what it gives tells. */
const forged = async ({ taskId, practiceId }: Task) => {
  const place = { taskId, practiceId, version: 1, position: 1 };
  const facts = sealFacts(store, { type: "task.opened", missing: ["/patient"] }, place);
  await superuser.query("UPDATE task_event SET facts = $2 WHERE task_id = $1 AND version = 1 AND position = 1", [
    taskId,
    facts,
  ]);
};

const tampering: readonly (readonly [string, string, (task: Task) => Promise<void>])[] = [
  ["another state of the stage", "different", run("UPDATE task SET stage = 'idle' WHERE id = $1")],
  ["another state in the lists", "different", run("UPDATE task SET state = 'determined' WHERE id = $1")],
  ["another word on what the payer has", "different", run("UPDATE task SET payer_receipt = 'yes' WHERE id = $1")],
  ["another reference", "different", run("UPDATE task SET reference = 'X-1' WHERE id = $1")],
  ["another digest of what was shown", "different", run("UPDATE gate SET digest = repeat('0', 64) WHERE task_id = $1")],
  [
    "another time to answer",
    "different",
    run("UPDATE gate SET expires_at = expires_at + interval '1 d' WHERE task_id = $1"),
  ],
  ["a forged event", "different", forged],
  ["a missing event", "missing", run("DELETE FROM task_event WHERE task_id = $1")],
  ["a version that no event made", "missing", run("UPDATE task SET version = version + 1 WHERE id = $1")],
  ["an event in another place", "missing", run("UPDATE task_event SET version = 7 WHERE task_id = $1")],
  [
    "an altered event",
    "unreadable",
    run("UPDATE task_event SET facts = set_byte(facts, 20, get_byte(facts, 20) # 1) WHERE task_id = $1"),
  ],
  ["an event of a type that is none", "unreadable", run("UPDATE task_event SET type = 'task.sold' WHERE task_id = $1")],
];

test.each(tampering)("%s is named with the task and nothing of its patient", async (_, problem, tamper) => {
  const task = await aTask();
  expect((await replayTasks(store, task.practiceId)).faults).toEqual([]);
  await superuser.query("SET session_replication_role = replica");
  await tamper(task);
  expect(await replayTasks(store, task.practiceId)).toEqual({ tasks: 1, before: 0, faults: [{ ...task, problem }] });
});

test("the command names each such task, and its exit code is 1", async () => {
  const task = await aTask();
  const verify = ["audit", "verify", "--chain", task.practiceId];
  const pa = commandLine(database);
  const good = await pa(verify);
  expect(good.out).toMatch(/^1 task was compared with its events\.$/m);
  expect(good).toMatchObject({ code: 0, err: "" });
  await superuser.query("SET session_replication_role = replica");
  await superuser.query("UPDATE task SET reference = 'X-1' WHERE id = $1", [task.taskId]);
  const bad = await pa(verify);
  expect(bad).toMatchObject({ code: 1, err: "" });
  expect(bad.out).toContain(
    `Task ${task.taskId} of ${task.practiceId} is not what its events give: a column or an event was changed.`,
  );
  expect(bad.out).toContain("The audit log was tampered with");
});

test("whichever event of a history is taken out, its task is named", async () => {
  const { taskId } = await aTransmittingTask(store);
  const of = { where: { id: taskId } };
  const { practiceId } = await store.prisma.task.findUniqueOrThrow(of);
  expect(await replayTasks(store, practiceId)).toEqual({ tasks: 1, before: 0, faults: [] });
  const places = await superuser.query<{ version: number; position: number }>(
    "SELECT version, position FROM task_event WHERE task_id = $1",
    [taskId],
  );
  expect(places.rows.length).toBeGreaterThan(2);
  for (const { version, position } of places.rows) {
    const place = [taskId, version, position];
    const at = "WHERE task_id = $1 AND version = $2 AND position = $3";
    await superuser.query(`CREATE TEMPORARY TABLE taken AS SELECT * FROM task_event LIMIT 0`);
    await superuser.query(
      `WITH gone AS (DELETE FROM task_event ${at} RETURNING *) INSERT INTO taken SELECT * FROM gone`,
      place,
    );
    expect((await replayTasks(store, practiceId)).faults.map((fault) => fault.taskId)).toEqual([taskId]);
    await superuser.query("INSERT INTO task_event SELECT * FROM taken");
    await superuser.query("DROP TABLE taken");
  }
  expect((await replayTasks(store, practiceId)).faults).toEqual([]);
});

test("tasks that take several reads are all compared, each once", async () => {
  const practiceId = await aPractice(store);
  await superuser.query("SET session_replication_role = replica");
  await plantTasks(practiceId, 250);
  expect(await replayTasks(store, practiceId)).toEqual({ tasks: 250, before: 0, faults: [] });
  const { rows } = await superuser.query<{ n: number }>("SELECT count(*)::int AS n FROM task");
  const { tasks, before } = await replayTasks(store);
  expect(tasks + before).toBe(rows[0]?.n);
});

test("a task that is older than its events is counted, and not compared", async () => {
  const { taskId, practiceId } = await aTask();
  await superuser.query("DELETE FROM task_event WHERE task_id = $1", [taskId]);
  await superuser.query("INSERT INTO task_before_events VALUES ($1, $2)", [taskId, practiceId]);
  expect(await replayTasks(store, practiceId)).toEqual({ tasks: 0, before: 1, faults: [] });
});

/** Tasks without a gate, as many as that, each with its first event. */
async function plantTasks(practiceId: string, count: number): Promise<void> {
  const { taskId } = await aTask();
  const columns = await superuser.query<{ names: string }>(
    `SELECT string_agg(quote_ident(column_name), ', ') AS names FROM information_schema.columns
      WHERE table_name = 'task' AND is_generated = 'NEVER' AND column_name NOT IN ('id', 'practice_id', 'gate_id', 'stage', 'state', 'context_id')`,
  );
  const names = columns.rows[0]?.names ?? "";
  const ids = Array.from({ length: count }, () => crypto.randomUUID());
  await superuser.query(
    `INSERT INTO task (id, context_id, practice_id, stage, state, ${names})
     SELECT n, n, $2, 'idle', 'needs-information', ${names} FROM task, unnest($3::uuid[]) n WHERE id = $1`,
    [taskId, practiceId, ids],
  );
  const event = { type: "task.opened", missing: [] } as const;
  await superuser.query(
    `INSERT INTO task_event (task_id, version, position, practice_id, type, facts, occurred_at)
     SELECT id, 1, 1, $2, 'task.opened', facts, now() FROM unnest($1::uuid[], $3::bytea[]) made (id, facts)`,
    [ids, practiceId, ids.map((id) => sealFacts(store, event, { taskId: id, practiceId, version: 1, position: 1 }))],
  );
}
