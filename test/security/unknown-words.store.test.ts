import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findChannel } from "#lib/channel/store/admin-channels";
import { loadCalls, loadDenials } from "#lib/channel/store/channel-calls";
import { listKeyRecords } from "#lib/db/rotate-keys";
import { newId } from "#lib/db/new-id";
import { loadGate } from "#lib/gate/shared/gates";
import { loadVoteRules } from "#lib/gate/shared/vote-rules";
import { findPersonRecord } from "#lib/person/store/admin-people";
import { lockChangeRequest } from "#lib/access/shared/change-requests";
import { grantsOfRow } from "#lib/person/store/grants";
import { loadChosen } from "#lib/queue/store/chosen-cases";
import { listCases } from "#lib/queue/store/queue-pages";
import { findPractice } from "#lib/practice/shared/practices";
import { loadAccess, resolveRoute } from "#lib/practice/shared/resolved-route";
import { loadTask } from "#lib/task/store/load-task";
import { rowToTask } from "#lib/task/store/task-rows";
import { inTransaction, type Store } from "#lib/db/db";
import {
  aChannel,
  aHeldTask,
  aPerson,
  aPractice,
  aRoute,
  keyPepper,
  receiptKey,
  sealingKey,
} from "#test/support/cases/cases";
import { aTransmittingTask } from "#test/support/cases/sent-cases";
import { freshDatabase, superuserUrl } from "#test/support/database/fresh-database";
import { openWholeStore } from "#test/support/database/whole-store";

const database = await freshDatabase();
const store = openWholeStore({ url: database.appUrl, sealingKey, receiptKey, keyPepper, connectionsMax: 8 });
const superuser = new pg.Client({ connectionString: superuserUrl(database) });

const tables = [
  "task",
  "gate",
  "route",
  "practice",
  "practice_key",
  "channel",
  "channel_denial",
  "channel_call",
  "vote_rule",
  "person",
  "change_request",
];

beforeAll(async () => {
  await superuser.connect();
  // The tables' own checks are the first guard; this is about the second.
  const checks = await superuser.query<{ sql: string }>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS sql FROM pg_constraint
      WHERE contype = 'c' AND conrelid::regclass::text = ANY ($1)`,
    [tables],
  );
  for (const { sql } of checks.rows) await superuser.query(sql);
  await superuser.query("SET session_replication_role = replica");
});
afterAll(async () => {
  await superuser.end();
  await store.close();
});

type Scene = { readonly id: string; readonly read: () => Promise<unknown> };

async function aGate(): Promise<Scene> {
  const { taskId } = await aHeldTask(store);
  const gate = await store.prisma.gate.findFirstOrThrow({ where: { taskId } });
  return { id: gate.id, read: () => loadGate(store, { gateId: gate.id, practiceId: gate.practiceId }) };
}

async function aTask(): Promise<Scene> {
  return ofTask((await aHeldTask(store)).taskId);
}

function ofTask(taskId: string): Scene {
  const read = async () => {
    const row = await loadTask(store, { taskId, practices: "every" });
    return row && rowToTask(store, row);
  };
  return { id: taskId, read };
}

async function aListedCase(): Promise<Scene> {
  const { taskId, practiceId } = await aHeldTask(store);
  const query = { practices: [practiceId], personId: newId(), view: "all", sort: "due", filters: {} } as const;
  return { id: taskId, read: () => listCases(store, query, { size: 10, max: 10 }) };
}

async function aChosenCase(): Promise<Scene> {
  const { taskId, practiceId } = await aHeldTask(store);
  const chosen = { taskIds: [taskId], practices: [practiceId], personId: newId() };
  return { id: taskId, read: () => loadChosen(store, chosen) };
}

async function aRouteOf(read: (store: Store, practiceId: string, routeId: string) => Promise<unknown>): Promise<Scene> {
  const practiceId = await aPractice(store);
  await aRoute(store, { practiceId, connector: "pas-fhir", url: "https://payer.example" });
  const { id } = await store.prisma.route.findFirstOrThrow({ where: { practiceId } });
  return { id, read: () => read(store, practiceId, id) };
}

async function payerOf(practiceId: string): Promise<string> {
  return (await store.prisma.route.findFirstOrThrow({ where: { practiceId } })).payerId;
}

const resolved = () => aRouteOf(async (db, practiceId) => resolveRoute(db, practiceId, await payerOf(practiceId)));
const accessed = () => aRouteOf((db, _, routeId) => loadAccess(db, routeId));

async function resolvedOfPractice(): Promise<Scene> {
  const practiceId = await aPractice(store);
  await aRoute(store, { practiceId });
  return { id: practiceId, read: async () => resolveRoute(store, practiceId, await payerOf(practiceId)) };
}

async function ofPractice(read: (id: string) => Promise<unknown>): Promise<Scene> {
  const id = await aPractice(store);
  return { id, read: () => read(id) };
}

async function aChannelRow(): Promise<Scene> {
  const { actor } = await aChannel(store, { practices: [await aPractice(store)] });
  return { id: actor.id, read: () => findChannel(store, actor.id) };
}

async function aPersonRow(): Promise<Scene> {
  const { actor } = await aPerson(store, { practices: [await aPractice(store)] });
  return { id: actor.id, read: () => findPersonRecord(store, actor.id) };
}

async function aChange(): Promise<Scene> {
  const practiceId = await aPractice(store);
  const { actor } = await aPerson(store, { practices: [practiceId] });
  const id = newId();
  const change = { kind: "second-admin-off", practiceId };
  await store.prisma.changeRequest.create({
    data: {
      id,
      change,
      scope: [practiceId],
      requestedBy: actor.id,
      status: "waiting",
      expiresAt: new Date(Date.now() + 60_000),
    },
  });
  return { id, read: () => inTransaction(store, (tx) => lockChangeRequest(tx, id)) };
}

async function aDenial(): Promise<Scene> {
  const { actor } = await aChannel(store, { practices: [await aPractice(store)] });
  const data = { id: newId(), channelId: actor.id, at: new Date(), rule: "atom", atom: "tasks_get" };
  await store.prisma.channelDenial.create({ data });
  return { id: actor.id, read: () => loadDenials(store, actor.id, 10) };
}

async function aListedCall(): Promise<Scene> {
  const { actor } = await aChannel(store, { practices: [await aPractice(store)] });
  const data = { id: newId(), channelId: actor.id, at: new Date(), atom: "tasks_get", http: 200, ms: 1 };
  await store.prisma.channelCall.create({ data });
  return { id: actor.id, read: () => loadCalls(store, actor.id, 10) };
}

const aVoteRule = () =>
  ofPractice((id) => loadVoteRules(store, id)).then(async (scene) => {
    const data = { practiceId: scene.id, action: "void", risk: "high", votes: 2, stepUp: false };
    await store.prisma.voteRule.create({ data });
    return scene;
  });

const columns: readonly (readonly [column: string, scene: () => Promise<Scene>, sql: string])[] = [
  ["gate.action", aGate, "UPDATE gate SET action = 'x-9' WHERE id = $1"],
  ["gate.environment", aGate, "UPDATE gate SET environment = 'x-9' WHERE id = $1"],
  ["gate.connector", aGate, "UPDATE gate SET connector = 'x-9' WHERE id = $1"],
  ["gate.action", aTask, "UPDATE gate SET action = 'x-9' WHERE task_id = $1"],
  ["task.payer_receipt", aTask, "UPDATE task SET payer_receipt = 'x-9' WHERE id = $1"],
  ["task.attention", aTask, "UPDATE task SET attention = 'x-9' WHERE id = $1"],
  ["task.environment", aTask, "UPDATE task SET environment = 'x-9' WHERE id = $1"],
  ["task.voided", aTask, "UPDATE task SET voided = 'x-9' WHERE id = $1"],
  ["task.payer_received_by", aTask, "UPDATE task SET payer_received_by = 'x-9' WHERE id = $1"],
  ["gate.reason_code", aTask, "UPDATE gate SET reason_code = 'x-9' WHERE task_id = $1"],
  ["task.payer_received_by", aListedCase, "UPDATE task SET payer_received_by = 'x-9' WHERE id = $1"],
  ["task.environment", aListedCase, "UPDATE task SET environment = 'x-9' WHERE id = $1"],
  ["gate.warnings", aListedCase, "UPDATE gate SET warnings = '{x-9}' WHERE task_id = $1"],
  ["task.state", aChosenCase, "UPDATE task SET state = 'x-9' WHERE id = $1"],
  ["route.connector", resolved, "UPDATE route SET connector = 'x-9' WHERE id = $1"],
  ["route.environment", resolved, "UPDATE route SET environment = 'x-9' WHERE id = $1"],
  ["practice.unlisted_payers", resolvedOfPractice, "UPDATE practice SET unlisted_payers = 'x-9' WHERE id = $1"],
  ["route.environment", accessed, "UPDATE route SET environment = 'x-9' WHERE id = $1"],
  [
    "practice.status",
    () => ofPractice((id) => findPractice(store, id)),
    "UPDATE practice SET status = 'x-9' WHERE id = $1",
  ],
  [
    "practice.environment",
    () => ofPractice((id) => findPractice(store, id)),
    "UPDATE practice SET environment = 'x-9' WHERE id = $1",
  ],
  ["channel.status", aChannelRow, "UPDATE channel SET status = 'x-9' WHERE id = $1"],
  ["channel.atoms", aChannelRow, "UPDATE channel SET atoms = '{x-9}' WHERE id = $1"],
  ["person.status", aPersonRow, "UPDATE person SET status = 'x-9' WHERE id = $1"],
  ["change_request.status", aChange, "UPDATE change_request SET status = 'x-9' WHERE id = $1"],
  ["channel_denial.rule", aDenial, "UPDATE channel_denial SET rule = 'x-9' WHERE channel_id = $1"],
  ["channel_denial.atom", aDenial, "UPDATE channel_denial SET atom = 'x-9' WHERE channel_id = $1"],
  ["channel_call.atom", aListedCall, "UPDATE channel_call SET atom = 'x-9' WHERE channel_id = $1"],
  ["vote_rule.action", aVoteRule, "UPDATE vote_rule SET action = 'x-9' WHERE practice_id = $1"],
  ["vote_rule.risk", aVoteRule, "UPDATE vote_rule SET risk = 'x-9' WHERE practice_id = $1"],
  // Last, because it is in the list of all keys from then on.
  [
    "practice_key.use",
    () => ofPractice(() => listKeyRecords(store)),
    "UPDATE practice_key SET use = 'x-9' WHERE practice_id = $1 AND use = 'find'",
  ],
];

test.each(columns)("a word in %s that the code does not know is taken for no other", async (column, scene, sql) => {
  const { id, read } = await scene();
  await read();
  expect((await superuser.query(sql, [id])).rowCount).toBeGreaterThan(0);
  await expect(read()).rejects.toThrow(`${column} holds a word that the code does not know.`);
});

test("a task under way in no known stage is taken for none", async () => {
  const { taskId } = await aTransmittingTask(store);
  const { read } = ofTask(taskId);
  await read();
  await superuser.query("UPDATE task SET stage = 'x-9' WHERE id = $1", [taskId]);
  await expect(read()).rejects.toThrow("task.stage holds a word that the code does not know.");
});

test("a role that is none gives no rights", () => {
  expect(() => grantsOfRow([{ role: "owner", practiceId: null }])).toThrow("person_role.role holds a word");
});
