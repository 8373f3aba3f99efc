import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { beginSession } from "#lib/person/session/begin-session";
import { authenticateChannel } from "#lib/channel/authenticate-channel";
import { queueViews, type QueueView } from "#lib/queue/model/queue";
import { states, type State } from "#lib/task/model/task";
import { isNpi } from "#lib/task/model/formats";
import { connectors } from "#lib/payer/connectors";
import { verifyAudit } from "#lib/audit/store/audit-chain";
import { type Store } from "#lib/db/db";
import { openWholeStore } from "#test/support/database/whole-store";
import { replayTasks } from "#lib/task/shared/replayed-tasks";
import { sessionActor } from "#lib/person/shared/live-session";
import { countQueue, listQueue } from "#lib/queue/list-queue";
import { createPayer, type Payer } from "#simulator/core/payer";
import { createSimulator } from "#simulator/server";
import { dropClone, freshDatabase, type TestDatabase } from "#test/support/database/fresh-database";
import { keyPepper, receiptKey, sealingKey } from "#test/support/processes/pa";
import type { Demo } from "./make.ts";
import { facilities, providers } from "./places.ts";

let database: TestDatabase;
let store: Store;
let payer: Payer;
let simulatorUrl: string;
let stopSimulator: () => Promise<void>;
const folder = mkdtempSync(join(tmpdir(), "demo-"));

beforeAll(async () => {
  database = await freshDatabase();
  store = openWholeStore({ url: database.appUrl, sealingKey, keyPepper, connectionsMax: 6 });
  payer = createPayer();
  const server = createSimulator({ payer });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // Safe because it listens on a port.
  simulatorUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  stopSimulator = () => new Promise((resolve) => server.close(() => resolve()));
});
afterAll(async () => {
  await store.close();
  await dropClone(database);
  await stopSimulator();
  rmSync(folder, { recursive: true });
});

type Ran = { readonly code: number; readonly text: string };

/** The demo's making as `npm start` begins it, in a process of its own; `killWhen` ends it as a crash would. */
async function make(killWhen?: () => Promise<boolean>): Promise<Ran> {
  const env = {
    NODE_ENV: "production",
    PATH: process.env.PATH,
    DEMO: "1",
    DATA_DIR: folder,
    PUBLIC_URL: "http://localhost:3000",
    SIMULATOR_URL: simulatorUrl,
    SANDBOX_PAYERS: simulatorUrl,
    OUTBOUND_PRIVATE_NETWORKS: "127.0.0.0/8,::1/128",
    DATABASE_URL: database.ownerUrl,
    APP_DATABASE_URL: database.appUrl,
    SEALING_KEY: sealingKey.toString("base64"),
    RECEIPT_SIGNING_KEY: receiptKey.toString("base64"),
    CHANNEL_KEY_PEPPER: keyPepper.toString("base64"),
    LOG_LEVEL: "silent",
  } as const;
  let ended: Ran | undefined;
  const child = execFile(process.execPath, ["lib/demo/main.ts"], { env }, (error, out, err) => {
    ended = { code: typeof error?.code === "number" ? error.code : error ? -1 : 0, text: out + err };
  });
  while (!ended) {
    if (await killWhen?.()) child.kill("SIGKILL");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return ended;
}

const taskCount = async () =>
  (await store.pool.query<{ n: number }>("SELECT count(*)::int AS n FROM task")).rows[0]?.n ?? 0;

const readDemo = () => JSON.parse(readFileSync(join(folder, "demo.json"), "utf8")) as Demo;

test("a run cut short is made afresh by the next, and a finished one is left alone", { timeout: 180_000 }, async () => {
  expect(await make(async () => (await taskCount()) > 10)).toMatchObject({ code: -1 });
  expect(await make()).toEqual({ code: 0, text: "" });
  const before = readFileSync(join(folder, "demo.json"), "utf8");
  const again = await make();
  expect(again.code).toBe(1);
  expect(again.text).toMatch(/^The database holds data already.*begin afresh\.\n$/);
  expect(readFileSync(join(folder, "demo.json"), "utf8")).toBe(before);
});

test("what demo.json tells is true, and only its owner may read it", async () => {
  const demo = readDemo();
  expect(Object.keys(demo)).toEqual([
    "baseUrl",
    "practiceId",
    "otherPracticeId",
    "channelKey",
    "reviewer",
    "admin",
    "simulatorUrl",
    "sandbox",
  ]);
  expect(statSync(join(folder, "demo.json")).mode & 0o777).toBe(0o600);
  const admitted = await authenticateChannel(store, demo.channelKey);
  const channel = admitted?.actor;
  expect(admitted?.limits).toEqual({});
  expect(channel?.practices).toContain(demo.practiceId);
  expect(channel?.practices).not.toContain(demo.otherPracticeId);
  expect(channel?.atoms).toHaveLength(4);
  const reviewer = await signIn(demo.reviewer);
  expect(reviewer).toMatchObject({ roles: ["reviewer"], practices: expect.arrayContaining([demo.practiceId]) });
  expect(await signIn(demo.admin)).toMatchObject({ roles: ["admin"], practices: [] });
  const sandbox = await authenticateChannel(store, demo.sandbox.channelKey);
  expect(sandbox?.actor.practices).toEqual([demo.sandbox.practiceId]);
});

test("there are cases in every state, about a dozen wait at a gate, and no view is empty", async () => {
  const actor = await signIn(readDemo().reviewer);
  const list = async (view: QueueView, state?: State) =>
    (await listQueue({ actor, store }, { view, sort: "due", filters: { state } }, 500)).rows;
  for (const state of states) expect(await list("all", state)).not.toHaveLength(0);
  const counts = await countQueue({ actor, store });
  for (const view of queueViews) expect([view, counts[view] > 0]).toEqual([view, true]);
  const waiting = await list("all");
  expect(waiting.filter(({ state }) => state === "transmit-held").length).toBeGreaterThanOrEqual(12);
  expect(new Set(waiting.flatMap(({ warnings }) => warnings))).toEqual(
    new Set(["payer-not-configured", "unknown-code-format", "no-patient", "unknown-members"]),
  );
  expect(
    new Set(
      (await list("person")).map(
        ({ attention, clock }) => attention ?? (clock?.legal.known && clock.legal.overdue ? "overdue" : undefined),
      ),
    ),
  ).toEqual(new Set(["unconfirmed", "manual-submission", "contact-payer", "channel-revoked", "overdue"]));
  expect(waiting.every(({ environment }) => environment === "test")).toBe(true);
});

test("every connector has its cases", async () => {
  const { rows } = await store.pool.query<{ connector: string }>("SELECT DISTINCT connector FROM gate");
  expect(new Set(rows.map(({ connector }) => connector))).toEqual(new Set(Object.keys(connectors)));
});

test("cases lie days back, and no gate has expired", async () => {
  const { rows } = await store.pool.query<{ oldest: number; newest: number; expired: number }>(
    `SELECT extract(epoch FROM now() - min(created_at))::float8 / 3600 AS oldest,
            extract(epoch FROM now() - max(created_at))::float8 / 3600 AS newest,
            (SELECT count(*)::int FROM gate WHERE status = 'open' AND expires_at < now() + interval '1 day') AS expired FROM task`,
  );
  expect(rows[0]?.oldest).toBeGreaterThan(100);
  expect(rows[0]?.newest).toBeGreaterThan(0.5);
  expect(rows[0]?.expired).toBe(0);
});

test("the record is whole, and what the payer has is what was released", async () => {
  expect((await verifyAudit(store)).filter(({ broken }) => broken)).toEqual([]);
  const { rows } = await store.pool.query<{ digest: string }>(
    `SELECT unnest(document_digests) AS digest FROM gate
      WHERE status = 'released' AND connector IN ('pas-fhir', 'service-review') AND action = 'transmit' AND EXISTS (
        SELECT FROM payer_event e WHERE e.gate_id = gate.id AND e.kind LIKE 'answer.%')`,
  );
  const received = new Set(payer.ledger().map(({ sha256 }) => sha256));
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter(({ digest }) => !received.has(digest))).toEqual([]);
});

test("every task of the demo follows from its events", async () => {
  expect(await replayTasks(store)).toEqual({ tasks: await taskCount(), before: 0, faults: [] });
});

test("every practice that people review for has its recall window again, and the payer's clock is right", async () => {
  const { rows } = await store.pool.query("SELECT DISTINCT recall_window_s FROM practice WHERE NOT auto_review");
  expect(rows).toEqual([{ recall_window_s: 10 }]);
  expect(Math.abs(payer.clock.now().getTime() - Date.now())).toBeLessThan(1_000);
});

test("every NPI has its check digit, in the range that was never given out", () => {
  for (const { npi } of [...Object.values(providers), ...Object.values(facilities)]) {
    expect(isNpi(npi)).toBe(true);
    expect(npi.startsWith("2")).toBe(true);
  }
});

test("data without demo.json or a mark of a run cut short is never emptied", async () => {
  const before = await taskCount();
  rmSync(join(folder, "demo.json"));
  expect((await make()).code).toBe(1);
  expect(await taskCount()).toBe(before);
});

async function signIn(by: Demo["reviewer"]) {
  const begun = await beginSession(store, by);
  const actor = begun && (await sessionActor(store, begun.sessionId));
  if (!actor) throw new Error(`${by.email} cannot sign in`);
  return actor;
}
