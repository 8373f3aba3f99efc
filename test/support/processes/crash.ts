import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { pino } from "pino";
import { expect, onTestFinished } from "vitest";
import type { CrashPoint } from "#lib/platform/process/crash-point";

import { type Store, unscoped } from "#lib/db/db";
import { openWholeStore } from "../database/whole-store.ts";
import { leaseMs } from "#lib/submission/transmission";
import { startWorker } from "#lib/worker/run";
import { keyPepper, receiptKey, sealingKey } from "../cases/cases.ts";
import { freshDatabase, type TestDatabase } from "../database/fresh-database.ts";
import { aLedger, unguarded } from "../database/ledgers.ts";

/** One request as the simulated payer's ledger has it; `times` counts how often exactly it came. */
export type ReceivedRequest = {
  readonly kind: string;
  readonly sha256: string;
  readonly trace?: string;
  readonly times: number;
};

/** `answered` counts the payer's answers to questions about the task since the healing began. */
type HealCheck = (answered: () => number) => Promise<boolean>;

/** A database of its own, the payer as a process of its own, and workers that may be killed. */
export type Ground = {
  readonly store: Store;
  /** Where the payer listens; PAS is under `/fhir`. */
  readonly payerUrl: string;
  /** Whatever the payer is asked, it finds nothing, from now on or no longer. */
  readonly blind: (isBlind: boolean) => Promise<void>;
  /** What the payer took, by the digests of the bodies. */
  readonly received: (digests: readonly string[]) => Promise<readonly ReceivedRequest[]>;
  /** What the payer took of this kind about a member. */
  readonly taken: (memberId: string, kind: "request" | "update" | "void") => Promise<readonly ReceivedRequest[]>;
  /** Lets the payer's clock run past the time it works on what it took. */
  readonly worked: () => Promise<void>;
  /** A worker process that dies at this point; how it ended. */
  readonly dieAt: (point: CrashPoint) => Promise<unknown>;
  /** A worker process that may send for `sendMs` and freezes at this point; resolves once it stands still. */
  readonly freezeAt: (point: CrashPoint, sendMs: number) => Promise<FrozenWorker>;
  /** Lets another worker go on, with every wait of this task over at once, until the condition holds. */
  readonly healUntil: (taskId: string, healed: HealCheck) => Promise<void>;
  readonly close: () => Promise<void>;
};

export type FrozenWorker = {
  /** Lets it go on, and resolves when it has said what became of its attempt. */
  readonly wake: () => Promise<string>;
};

export async function openGround(): Promise<Ground> {
  const database = await freshDatabase();
  const store = openWholeStore({ url: database.appUrl, sealingKey, receiptKey, keyPepper, connectionsMax: 8 });
  const [simulator, ledger] = await Promise.all([runningSimulator(), aLedger(store)]);
  const settings = settingsOf(database, ledger);
  await workerThatEnds(settings);
  return {
    store,
    payerUrl: simulator.url,
    blind: async (isBlind) => {
      const faults = `${simulator.url}/control/faults`;
      const body = JSON.stringify({ fault: "nothing-found", on: "inquire", times: 10_000 });
      await fetch(faults, isBlind ? { method: "POST", body } : { method: "DELETE" });
    },
    received: async (digests) => {
      const each = await Promise.all(digests.map((sha256) => ledgerOf(simulator.url, { sha256 })));
      return each.flat();
    },
    taken: async (memberId, kind) =>
      (await ledgerOf(simulator.url, { memberId })).filter((entry) => entry.kind === kind),
    worked: async () => {
      await fetch(`${simulator.url}/control/clock`, { method: "POST", body: JSON.stringify({ forwardMs: 5_000 }) });
    },
    dieAt: (point) => workerThatDies(settings, point),
    freezeAt: (point, sendMs) => workerThatFreezes(settings, point, sendMs),
    healUntil: (taskId, healed) => heal(store, taskId, healed),
    close: async () => {
      simulator.child.kill("SIGKILL");
      await store.close();
    },
  };
}

async function runningSimulator(): Promise<{ child: ChildProcess; url: string }> {
  const { ["DATA_DIR"]: _, ...given } = process.env;
  const env = { ...given, SIMULATOR_PORT: "0" };
  const child = fork("simulator/main.ts", { env, execArgv: [], silent: true });
  // Safe because the simulator's first message says where it listens.
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  return { child, url: `http://127.0.0.1:${port}` };
}

async function ledgerOf(url: string, wanted: Readonly<Record<string, string>>): Promise<readonly ReceivedRequest[]> {
  const reply = await fetch(`${url}/control/ledger?${new URLSearchParams(wanted).toString()}`);
  // Safe because the simulator's ledger has this form.
  const { requests } = (await reply.json()) as { requests: readonly ReceivedRequest[] };
  return requests;
}

function settingsOf({ appUrl }: TestDatabase, ledger: string) {
  const secrets = { SEALING_KEY: sealingKey.toString("base64") };
  return {
    ...process.env,
    ...secrets,
    APP_DATABASE_URL: appUrl,
    SUBMISSION_LEDGER_DIR: ledger,
    NODE_ENV: "test",
    LOG_LEVEL: "silent",
  } as const;
}

type WorkerSettings = ReturnType<typeof settingsOf>;

/** Node keeps what a process compiled for the next only where it ends by itself, which no other worker here does. */
async function workerThatEnds(env: WorkerSettings): Promise<void> {
  const child = fork("lib/worker/main.ts", { env, execArgv: [], silent: true });
  await once(child, "message", { signal: AbortSignal.timeout(60_000) });
  child.kill("SIGTERM");
  await once(child, "exit");
}

async function workerThatDies(settings: WorkerSettings, point: CrashPoint): Promise<unknown> {
  const env = { ...settings, CRASH_POINT: point };
  const child = spawn(process.execPath, ["lib/worker/main.ts"], { env, stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [code, signal] = await once(child, "exit", { signal: AbortSignal.timeout(20_000) });
  return signal ?? code;
}

async function workerThatFreezes(settings: WorkerSettings, point: CrashPoint, sendMs: number): Promise<FrozenWorker> {
  const env = {
    ...settings,
    CRASH_POINT: point,
    CRASH_SIGNAL: "SIGSTOP",
    LOG_LEVEL: "debug",
    SEND_DEADLINE_MS: String(sendMs),
  };
  const child = spawn(process.execPath, ["lib/worker/main.ts"], { env, stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (bytes: Buffer) => (output += bytes.toString()));
  onTestFinished(() => void child.kill("SIGKILL"));
  await expect.poll(() => isStopped(child), { timeout: 20_000, interval: 10 }).toBe(true);
  const stoppedAt = performance.now();
  return {
    wake: async () => {
      if (sendMs < 60_000)
        await expect.poll(() => performance.now() - stoppedAt > sendMs, { timeout: 20_000 }).toBe(true);
      child.kill("SIGCONT");
      await expect
        .poll(() => /"msg":"(sent to the payer|claim lapsed before sending)"/.test(output), { timeout: 20_000 })
        .toBe(true);
      child.kill("SIGTERM");
      await once(child, "exit");
      return output;
    },
  };
}

function isStopped({ pid }: ChildProcess): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).startsWith("T");
}

async function heal(store: Store, taskId: string, healed: HealCheck): Promise<void> {
  const began = new Date();
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const answered = () => lines.filter((line) => line.includes(taskId) && line.includes("asked the payer")).length;
  const worker = startWorker({ store: unscoped(store), log, everyMs: 10, guard: unguarded });
  try {
    await expect
      .poll(async () => (await everyWaitOver(store, taskId, began), healed(answered)), {
        timeout: 20_000,
        interval: 20,
      })
      .toBe(true);
  } finally {
    await worker.stop();
  }
}

/**
 * Leases taken before the healing, retry times and the next question of this task, as if their time had come. Of this
 * one alone: the payer asked about each earlier trial's task at every turn keeps the worker from this one for seconds.
 */
async function everyWaitOver({ pool }: Store, taskId: string, began: Date): Promise<void> {
  const passed = "clock_timestamp() - interval '1 second'";
  await pool.query(
    `UPDATE transmission SET lease_until = ${passed} WHERE task_id = $1 AND phase = 'submitting' AND lease_until < $2`,
    [taskId, new Date(began.getTime() + leaseMs)],
  );
  await pool.query(
    `UPDATE transmission SET claimable_at = ${passed}, reserved_until = NULL WHERE task_id = $1 AND phase = 'released'`,
    [taskId],
  );
  await pool.query(`UPDATE next_inquiry SET due_at = ${passed} WHERE task_id = $1`, [taskId]);
}
