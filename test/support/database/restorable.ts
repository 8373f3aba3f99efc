import { spawn } from "node:child_process";
import { once } from "node:events";
import pg from "pg";
import { expect, onTestFinished } from "vitest";
import type { Context } from "#lib/access/context";
import type { ChannelActor, PersonActor } from "#lib/access/model/actor";
import { gateOf } from "#lib/task/model/task";
import { type Store } from "#lib/db/db";
import { openWholeStore } from "./whole-store.ts";
import { loadTask } from "#lib/task/store/load-task";
import { rowToTask } from "#lib/task/store/task-rows";
import { releaseGate } from "#lib/gate/release-gate";
import { sendMessage } from "#lib/task/send-message";
import { anIntake, fullReview } from "../cases/cases.ts";
import { superuserUrl, type TestDatabase } from "./fresh-database.ts";
import { keyPepper, receiptKey, sealingKey } from "../processes/pa.ts";
import type { RunningSimulator } from "../payer/simulator.ts";

export function storeOn(url: string): Store {
  return openWholeStore({ url, sealingKey, receiptKey, keyPepper, connectionsMax: 8 });
}

/** A copy of a database as Postgres makes it, which nobody may be connected to; what puts it back in its place. */
export async function backupOf(database: TestDatabase): Promise<() => Promise<void>> {
  const name = new URL(database.ownerUrl).pathname.slice(1);
  const asAdmin = async (...statements: readonly string[]) => {
    const url = new URL(superuserUrl(database));
    url.pathname = "/postgres";
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    for (const sql of statements) await client.query(sql);
    await client.end();
  };
  await asAdmin(`CREATE DATABASE ${name}_backup TEMPLATE ${name}`);
  return () => asAdmin(`DROP DATABASE ${name} WITH (FORCE)`, `ALTER DATABASE ${name}_backup RENAME TO ${name}`);
}

/** The settings of a worker's process that matters of this kind are about. */
export type WorkerFolders = {
  readonly ledger: string;
  readonly heads?: string;
  readonly settings?: Readonly<Record<string, string>>;
};

export const headsKey = Buffer.alloc(32, 5);

/** A worker as a process of its own. */
export async function aWorkerProcess(appUrl: string, { ledger, heads, settings }: WorkerFolders) {
  const env = {
    ...process.env,
    SEALING_KEY: sealingKey.toString("base64"),
    APP_DATABASE_URL: appUrl,
    NODE_ENV: "test",
    LOG_LEVEL: "info",
    OUTBOUND_PRIVATE_NETWORKS: "127.0.0.0/8",
    SUBMISSION_LEDGER_DIR: ledger,
    ...settings,
    ...(heads === undefined
      ? {}
      : { AUDIT_HEADS_DIR: heads, AUDIT_SIGNING_KEY: headsKey.toString("base64"), AUDIT_HEADS_EVERY_S: "1" }),
  } as const;
  const child = spawn(process.execPath, ["lib/worker/main.ts"], { env, stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (bytes: Buffer) => (output += bytes.toString()));
  onTestFinished(() => void child.kill("SIGKILL"));
  const says = (text: string) => expect.poll(() => output, { timeout: 30_000, interval: 20 }).toContain(text);
  await says('"msg":"ready"');
  return {
    says,
    output: () => output,
    stop: async () => {
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

type Hands = {
  readonly store: Store;
  readonly channel: Context<ChannelActor>;
  readonly reviewer: Context<PersonActor>;
  readonly practiceId: string;
};

/** A case that waits at its gate; the payer pends it. */
export async function aCase({ channel, practiceId }: Hands, member: string): Promise<string> {
  const review = { ...fullReview, subscriber: { ...fullReview.subscriber, memberId: `${member}PEND` } };
  const sent = await sendMessage(channel, anIntake({ practiceId, review }));
  if (!sent.ok) throw new Error(`The intake was refused: ${sent.refusal.type}`);
  return sent.value.id;
}

export async function release({ store, reviewer }: Hands, taskId: string): Promise<void> {
  const gate = gateOf(await taskNow(store, taskId));
  if (!gate) throw new Error("The case stands at no gate.");
  const seen = { gateId: gate.id, revision: gate.revision, digest: gate.digest };
  expect(await releaseGate(reviewer, { taskId, seen })).toMatchObject({ ok: true });
}

export async function taskNow(store: Store, taskId: string) {
  const row = await loadTask(store, { taskId, practices: "every" });
  if (!row) throw new Error("The case is gone.");
  return rowToTask(store, row);
}

/** Lets the recall windows of these cases be over. */
export async function overWindows({ pool }: Store, taskIds: readonly string[]): Promise<void> {
  await pool.query("UPDATE transmission SET claimable_at = clock_timestamp() WHERE task_id = ANY ($1::uuid[])", [
    taskIds,
  ]);
}

/** How often each request came to the payer, questions left out. */
export async function arrivalsAt({ ledger }: RunningSimulator): Promise<readonly number[]> {
  return (await ledger()).filter(({ kind }) => kind !== "inquiry").map(({ times }) => times);
}
