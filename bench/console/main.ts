import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import pg from "pg";
import { ensureBrowser } from "../../scripts/browser.mjs";
import { ensureBuilt } from "../../scripts/build.mjs";
import { openOwnDatabase } from "../../scripts/database.mjs";
import { childEnvironment, readSecrets } from "../../scripts/environment.mjs";
import { root } from "../../scripts/files.mjs";
import { migrate } from "../../scripts/migrate.ts";
import { choosePort } from "../../scripts/ports.mjs";
import { step } from "../../scripts/report.mjs";
import type { Databases } from "../databases.ts";
import { keepProcesses } from "../processes.ts";
import { makeDesk, type Desk } from "./desk.ts";
import { measureConsole } from "./measure.ts";
import { seed, type SeedSize } from "./seed.ts";

const out = join(root, "bench", "out", "console");
const whole: SeedSize = { open: 100_000, closed: 1_000_000 };
const quick: SeedSize = { open: 10_000, closed: 40_000 };

type Secrets = Databases["secrets"];

/**
 * Seeds a database with 100,000 open cases and 1,000,000 that are over, and measures the console on it in a real
 * browser. `--quick` makes a twentieth of them; `--keep` measures what an earlier run has made.
 */
export async function benchConsole(args: readonly string[]): Promise<void> {
  mkdirSync(out, { recursive: true });
  await ensureBuilt();
  const folder = join(out, "data");
  mkdirSync(folder, { recursive: true });
  // Safe because it makes what is missing of these.
  const secrets = readSecrets(folder) as Secrets;
  const processes = keepProcesses(join(out, "logs"));
  const known = join(folder, "desk.json");
  const keep = args.includes("--keep");
  if (!keep) await dropDatabase(folder, secrets);
  const database = await openOwnDatabase(folder, secrets);
  try {
    await migrate(database);
    const size = args.includes("--quick") ? quick : whole;
    const desk = keep ? readDesk(known) : await seeded(database, { secrets, size, known });
    const port = await choosePort();
    const baseUrl = `http://127.0.0.1:${port}`;
    const settings = { folder, port, host: "127.0.0.1", publicUrl: baseUrl };
    const appUrl = database.appUrl;
    const env = childEnvironment({ settings, secrets, appUrl, simulatorPort: undefined, mode: "production" });
    await processes.begin({ name: "server", entry: "server.ts", env });
    const executablePath = await ensureBrowser({ installing: () => {} });
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
    try {
      const table = await measureConsole({ browser, baseUrl, desk });
      process.stdout.write(`\n${table}\n`);
    } finally {
      await browser.close();
    }
  } finally {
    await processes.stop();
    await database.stop();
  }
}

type Seeding = { readonly secrets: Secrets; readonly size: SeedSize; readonly known: string };

async function seeded(
  { ownerUrl, appUrl }: { ownerUrl: string; appUrl: string },
  { secrets, size, known }: Seeding,
): Promise<Desk> {
  return step("seed", async () => {
    const { sealingKey } = secrets;
    const desk = await makeDesk({ url: appUrl, secrets });
    await seed({ ownerUrl, appUrl, sealingKey }, desk, size);
    writeDesk(known, desk);
    return { line: `${size.open} open and ${size.closed} closed cases`, value: desk };
  });
}

async function dropDatabase(folder: string, secrets: Secrets): Promise<void> {
  const { url, stop } = await openOwnDatabase(folder, secrets);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("DROP DATABASE IF EXISTS prior_auth WITH (FORCE)");
  await client.end();
  await stop();
}

function readDesk(path: string): Desk {
  // Safe because only `writeDesk` writes it.
  return JSON.parse(readFileSync(path, "utf8")) as Desk;
}

function writeDesk(path: string, desk: Desk): void {
  writeFileSync(path, JSON.stringify(desk), { mode: 0o600 });
}
