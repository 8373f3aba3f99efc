import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Store } from "#lib/db/db";
import { openWholeStore } from "#test/support/database/whole-store";
import { launch } from "../../scripts/processes/children.mjs";
import { choosePort } from "../../scripts/processes/ports.mjs";
import { root } from "../../scripts/setup/files.mjs";
import { childEnvironment } from "../../scripts/start/environment.mjs";
import { environmentOf } from "../../scripts/start/process-settings.mjs";

const aSecret = () => randomBytes(32).toString("base64");

export type Secrets = Readonly<
  Record<"sealingKey" | "nextAuthSecret" | "receiptSigningKey" | "channelKeyPepper" | "auditSigningKey", string>
>;

export function makeSecrets(): Secrets {
  return {
    sealingKey: aSecret(),
    nextAuthSecret: aSecret(),
    receiptSigningKey: aSecret(),
    channelKeyPepper: aSecret(),
    auditSigningKey: aSecret(),
  };
}

/** A store of the rig's own over every practice. */
export function rigStore(url: string, secrets: Secrets, { isPooled = false } = {}): Store {
  const bytes = (text: string) => Buffer.from(text, "base64");
  return openWholeStore({
    url,
    sealingKey: bytes(secrets.sealingKey),
    receiptKey: bytes(secrets.receiptSigningKey),
    keyPepper: bytes(secrets.channelKeyPepper),
    connectionsMax: 6,
    isPooled,
  });
}

export type RigProcess = ReturnType<typeof launch>;

type Options = {
  readonly folder: string;
  readonly secrets: Secrets;
  readonly appUrl: string;
  /** The program: a release, or this repository. */
  readonly program?: string | undefined;
  readonly settings?: Readonly<Record<string, string>> | undefined;
};

/** What each process of a rig's service is started with, so that any of them can be started again as it was. */
export function serviceOf({ folder, secrets, appUrl, program = root, settings = {} }: Options) {
  const logs = join(folder, "logs");
  const given = (port: number) => ({
    ...childEnvironment({
      settings: { folder, port, host: "127.0.0.1", publicUrl: `http://localhost:${port}` },
      secrets,
      appUrl,
      simulatorPort: undefined,
      mode: "production",
    }),
    CHANNEL_OWNERS_FROM: "2100-01-01",
    AUDIT_HEADS_DIR: join(folder, "heads"),
    AUDIT_SIGNING_KEY: secrets.auditSigningKey,
    AUDIT_HEADS_EVERY_S: "5",
    ...settings,
  });
  return {
    web: (name: string, port: number): RigProcess =>
      launch({ name, args: ["server.ts"], cwd: program, env: environmentOf("server", given(port)), logs }),
    worker: (name: string): RigProcess => {
      const env = { ...environmentOf("worker", given(3000)), SUBMISSION_LEDGER_DIR: join(folder, `ledger-${name}`) };
      return launch({ name, args: ["lib/worker/main.ts"], cwd: program, env, logs });
    },
    /** One command of the operator's, with the ledger of a worker. */
    pa: async (args: readonly string[], worker: string) => {
      const env = {
        ...environmentOf("operator", given(3000)),
        SUBMISSION_LEDGER_DIR: join(folder, `ledger-${worker}`),
      };
      const lines: string[] = [];
      const onLine = (line: string) => void lines.push(line);
      const ran = launch({ name: "pa", args: ["lib/cli/main.ts", ...args], cwd: program, env, logs, onLine });
      const { code } = await ran.exited;
      return { code, text: lines.join("\n") };
    },
  };
}

/** The payer simulator, with its ledger in the folder. */
export async function startSimulator(folder: string): Promise<{ readonly url: string; readonly process: RigProcess }> {
  const port = await choosePort();
  const env = {
    ...environmentOf("simulator", process.env),
    SIMULATOR_PORT: String(port),
    SIMULATOR_TOKEN: "right",
    SIMULATOR_DATA: join(folder, "simulator.jsonl"),
  };
  const started = launch({ name: "simulator", args: ["simulator/main.ts"], env, logs: join(folder, "logs") });
  const url = `http://127.0.0.1:${port}`;
  await until("the simulator", () => fetch(`${url}/control/ledger`).then(({ ok }) => ok));
  return { url, process: started };
}

export function untilReady(url: string): Promise<void> {
  const ready = () => fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(2_000) }).then(({ ok }) => ok);
  return until(`the server at ${url}`, ready);
}

/** Waits until this holds; what it throws counts as that it does not hold yet. */
export async function until(what: string, isTrue: () => Promise<boolean>, withinMs = 90_000): Promise<void> {
  const last = performance.now() + withinMs;
  while (!(await isTrue().catch(() => false))) {
    if (performance.now() > last) throw new Error(`${what} did not come within ${withinMs / 1_000} s.`);
    await setTimeout(50);
  }
}
