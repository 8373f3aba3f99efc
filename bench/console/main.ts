import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import pg from "pg";
import { ensureBuilt } from "../../scripts/setup/build.mjs";
import { openOwnDatabase } from "../../scripts/database/database.mjs";
import { childEnvironment, readSecrets } from "../../scripts/start/environment.mjs";
import { root } from "../../scripts/setup/files.mjs";
import { lock } from "../../scripts/processes/lock.mjs";
import { migrate } from "../../scripts/database/migrate.ts";
import { choosePort } from "../../scripts/processes/ports.mjs";
import { say, step, trouble } from "../../scripts/processes/report.mjs";
import type { Databases } from "../databases.ts";
import { keepProcesses, type Processes } from "../processes.ts";
import { conditions, openPoliteBrowser } from "./browser.ts";
import type { Desk, SeedSize } from "./desk.ts";
import { tableOf, type Line } from "./lines.ts";
import { measureConsole } from "./measure.ts";
import { addUpReports } from "./add-up-reports.ts";
import { answersOf } from "./answers.ts";
import type { Bench } from "./pages.ts";
import { explaining, planLines, plansIn } from "./plans.ts";
import { seed } from "./seed.ts";
import { visitAll } from "./visit-all.ts";

const whole: SeedSize = { open: 100_000, closed: 1_000_000 };
const quick: SeedSize = { open: 5_000, closed: 50_000 };

/** What is lost with a crash is seeded again. */
const seedSettings = {
  ...{ fsync: "off", full_page_writes: "off", wal_level: "minimal", max_wal_senders: 0, max_wal_size: "16GB" },
  ...{ autovacuum: "off", checkpoint_timeout: "1h", shared_buffers: "512MB" },
};

type Secrets = Databases["secrets"] & { readonly receiptSigningKey: string };
type Place = { readonly folder: string; readonly secrets: Secrets };

/**
 * Seeds a database with 100,000 open cases and 1,000,000 that are over, and measures the console on it in a real
 * browser; fails where a limit is not held. `--quick` makes a twentieth of them, `--open=<n>` and `--closed=<n>` another number, `--keep` measures what an earlier run
 * has made, `--seed` only makes it, `--plans` only reads how Postgres carries it all out, `--only=<text>` measures the
 * lines with that text in their names, of the pages by the server's time alone, and `--data=<folder>` says where it is.
 */
export async function benchConsole(args: readonly string[]): Promise<void> {
  const given = args.find((arg) => arg.startsWith("--data="))?.slice("--data=".length);
  const out = resolve(given ?? join(root, "bench", "out", "console"));
  mkdirSync(out, { recursive: true });
  const release = await lock(join(out, "bench.lock"), "exclusive");
  if (release === undefined) throw trouble("Another bench is running on this data: wait for its end.");
  const folder = join(out, "data");
  mkdirSync(folder, { recursive: true });
  // Safe because it makes what is missing of these.
  const place = { folder, secrets: readSecrets(folder) as Secrets };
  const processes = keepProcesses(join(out, "logs"));
  try {
    if (args.includes("--keep")) await step("migrations", () => migrateKept(place));
    else await seedAnew(place, sizeOf(args));
    await step("reports", () => addUp(place));
    if (args.includes("--seed")) return;
    await step("build", async () => ({ line: (await ensureBuilt()) ? "pages built" : "up to date" }));
    // Of 40 the third slowest is the p95: of 20 it would be the second, which one hiccup of the machine beside it decides.
    const times = args.includes("--quick") ? 4 : 40;
    const only = args.find((arg) => arg.startsWith("--only="))?.slice("--only=".length) ?? "";
    if (!args.includes("--plans")) {
      process.stdout.write(`\n${conditions()}\n`);
      report(await measure(place, { processes, times, only }));
    }
    if (only === "") report(await explain(place, processes));
  } finally {
    await processes.stop();
    release();
  }
}

function sizeOf(args: readonly string[]): SeedSize {
  const size = args.includes("--quick") ? quick : whole;
  const given = (name: keyof SeedSize): number => {
    const text = args.find((arg) => arg.startsWith(`--${name}=`))?.slice(`--${name}=`.length);
    if (text === undefined) return size[name];
    if (!/^[1-9]\d{0,7}$/.test(text)) throw trouble(`--${name} is a number of cases, for example --${name}=165000.`);
    return Number(text);
  };
  return { open: given("open"), closed: given("closed") };
}

function report(lines: readonly Line[]): void {
  process.stdout.write(`\n${tableOf(lines)}\n`);
  if (lines.some(({ ok }) => !ok)) process.exitCode = 1;
}

function measure(place: Place, how: Pick<Opening, "processes" | "times" | "only">): Promise<readonly Line[]> {
  return inBrowser(place, { ...how, settings: {} }, measureConsole);
}

/** Visits the console once more while Postgres says how it carries out each statement, which nothing is measured by. */
async function explain(place: Place, processes: Processes): Promise<readonly Line[]> {
  const log = join(place.folder, "logs", "postgres.log");
  rmSync(log, { force: true });
  await step("plans", async () => {
    await inBrowser(place, { processes, settings: explaining, times: 1, only: "" }, visitAll);
    return { line: "read" };
  });
  return planLines(plansIn(readFileSync(log, "utf8")));
}

type Opening = {
  readonly processes: Processes;
  readonly settings: Readonly<Record<string, string | number>>;
  readonly times: number;
  readonly only: string;
};

async function inBrowser<Value>(
  { folder, secrets }: Place,
  { processes, settings: database, times, only }: Opening,
  run: (bench: Bench) => Promise<Value>,
): Promise<Value> {
  const cluster = await openOwnDatabase(folder, secrets, database);
  try {
    const port = await choosePort();
    const baseUrl = `http://127.0.0.1:${port}`;
    const settings = { folder, port, host: "127.0.0.1", publicUrl: baseUrl };
    const given = childEnvironment({
      ...{ settings, secrets, appUrl: cluster.appUrl, simulatorPort: undefined, mode: "production" },
    });
    // What is measured asks faster than people do.
    const env = { PAGES_PER_SECOND: "1000", ...given, CHANNEL_OWNERS_FROM: "2100-01-01" };
    const execArgv = ["--import", import.meta.resolve("./time-answers.ts")];
    const server = await processes.begin({ name: "server", entry: "server.ts", env, execArgv });
    const browser = await openPoliteBrowser(folder);
    try {
      // Safe because only `seedAnew` writes it.
      const desk = JSON.parse(readFileSync(deskFile(folder), "utf8")) as Desk;
      return await run({ browser, baseUrl, desk, times, only, answers: answersOf(server) });
    } finally {
      await browser.close();
      await processes.stop();
    }
  } finally {
    await cluster.stop();
  }
}

const deskFile = (folder: string) => join(folder, "desk.json");

async function seedAnew({ folder, secrets }: Place, size: SeedSize): Promise<void> {
  rmSync(deskFile(folder), { force: true });
  const began = performance.now();
  let last = began;
  const done = (what: string) => {
    say("seed", what, performance.now() - last);
    last = performance.now();
  };
  await dropDatabase(folder, secrets);
  const database = await openOwnDatabase(folder, secrets, seedSettings);
  try {
    await migrate(database);
    const superuserUrl = Object.assign(new URL(database.url), { pathname: "/prior_auth" }).href;
    done("empty database");
    const desk = await seed({ ...secrets, appUrl: database.appUrl, superuserUrl, size, done });
    writeFileSync(deskFile(folder), JSON.stringify(desk), { mode: 0o600 });
  } finally {
    await database.stop();
  }
  say("seed", `${size.open} open and ${size.closed} closed cases`, performance.now() - began);
}

/** What an earlier run has made may be older than the service that is measured. */
async function migrateKept({ folder, secrets }: Place): Promise<{ readonly line: string }> {
  const database = await openOwnDatabase(folder, secrets);
  try {
    await migrate(database);
    return { line: "applied" };
  } finally {
    await database.stop();
  }
}

async function addUp({ folder, secrets }: Place): Promise<{ readonly line: string }> {
  const database = await openOwnDatabase(folder, secrets);
  try {
    await addUpReports(database.appUrl, secrets);
    return { line: "added up" };
  } finally {
    await database.stop();
  }
}

async function dropDatabase(folder: string, secrets: Secrets): Promise<void> {
  const { url, stop } = await openOwnDatabase(folder, secrets);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("DROP DATABASE IF EXISTS prior_auth WITH (FORCE)");
  await client.end();
  await stop();
}
