import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { databaseUrls } from "../../lib/platform/process/database-url.ts";
import { ensureBuilt } from "../setup/build.mjs";
import { openOwnDatabase } from "../database/database.mjs";
import { childEnvironment, readDotEnv, readGivenSecrets, readSecrets, readSettings } from "./environment.mjs";
import { readJson, root, writePrivate, writePrivateJson } from "../setup/files.mjs";
import { ensureGenerated } from "../setup/generate.mjs";
import { holdFolder } from "../processes/hold-folder.mjs";
import { migrate } from "../database/migrate.ts";
import { isAlive } from "../processes/processes.mjs";
import { choosePort, portState } from "../processes/ports.mjs";
import { environmentOf } from "./process-settings.mjs";
import { say, step, trouble } from "../processes/report.mjs";
import { refuseTakenPort } from "./taken-port.mjs";
import { deriveAppUrl } from "../database/roles.ts";
import { startAnewIn, startAnewOnGiven } from "../database/start-anew.mjs";
import { untilStopped } from "../processes/stopping.mjs";
import { supervise } from "../processes/supervisor.mjs";
import { runTool } from "../setup/tools.mjs";
import { welcome } from "./welcome.mjs";

/** Brings everything up, keeps it up until a signal, and takes it down again; the exit code says how it went. */
export async function start(args) {
  const began = performance.now();
  readDotEnv();
  refuseUnknown(args);
  if (args.includes("--without-sending")) process.env.SUBMISSIONS = "off";
  const run = { dev: args.includes("--dev"), verbose: args.includes("--verbose"), began };
  const wanted = resolve(root, process.env.DATA_DIR || ".data");
  mkdirSync(wanted, { recursive: true });
  const settings = readSettings(realpathSync(wanted));
  const folder = await holdFolder(settings);
  const stopping = untilStopped();
  const opened = { supervisor: supervise({ settings, stopping, dev: run.dev, verbose: run.verbose, folder }) };
  try {
    await bringUp({ ...run, settings, stopping, opened });
    await stopping.requested;
  } catch (error) {
    // After an interrupt, what it cut short fails too; that is no news.
    if (stopping.failure !== undefined || !stopping.signal.aborted) throw stopping.failure ?? error;
  } finally {
    await takeDown({ opened, stopping, folder });
  }
}

const known = ["--dev", "--verbose", "--without-sending"];

/** A misspelled --without-sending must not send. */
function refuseUnknown(args) {
  const unknown = args.filter((arg) => !known.includes(arg));
  if (unknown.length > 0)
    throw trouble(
      `npm start does not know ${unknown.join(", ")}: it takes ${new Intl.ListFormat("en").format(known)}.`,
    );
}

async function bringUp(run) {
  const { settings, stopping, opened } = run;
  await refuseTakenPort(settings);
  const secrets = settings.databaseUrl === undefined ? readSecrets(settings.folder) : readGivenSecrets();
  const simulatorPort = settings.databaseUrl === undefined ? await keepSimulatorPort(settings.folder) : undefined;
  const mode = run.dev ? "development" : "production";
  const common = { ...run, secrets, simulatorPort };
  const client = step("client", async () =>
    (await ensureGenerated(stopping.signal)) ? { line: "database client generated" } : undefined,
  );
  const built = client.then(() => (run.dev ? undefined : step("build", () => buildStep(stopping.signal))));
  const prepared = openDatabase(common).then(async (database) => {
    const env = childEnvironment({ settings, secrets, appUrl: database.appUrl, simulatorPort, mode });
    if (simulatorPort !== undefined)
      opened.supervisor.keep({
        name: "simulator",
        entry: "simulator/main.ts",
        env: environmentOf("simulator", env),
      });
    await client;
    if (simulatorPort !== undefined) await makeDemo({ ...common, env, database });
    return env;
  });
  const [env] = await allOf([prepared, built], stopping);
  if (stopping.signal.aborted) return;
  if (env.SUBMISSIONS === "off") say("submissions", "off: nothing is submitted, asked or mailed to anybody outside");
  const metrics = await metricsPorts({ settings, isDemo: simulatorPort !== undefined });
  const worker = { ...env, METRICS_PORT: metrics.worker };
  opened.supervisor.keep({ name: "worker", entry: "lib/worker/main.ts", env: environmentOf("worker", worker) });
  const server = { ...env, METRICS_PORT: metrics.server };
  opened.supervisor.need({ name: "server", entry: "server.ts", env: environmentOf("server", server) });
  await step("server", () => opened.supervisor.untilReady());
  welcome({ ...run, folder: settings.folder, demo: simulatorPort !== undefined });
}

async function openDatabase({ settings, secrets, opened, stopping }) {
  const database = await step("postgres", async () => {
    if (settings.databaseUrl !== undefined)
      return { line: `using ${hostsOf(settings.databaseUrl)}`, value: givenDatabase(settings, secrets) };
    const own = await openOwnDatabase(settings.folder, secrets);
    opened.database = own;
    opened.watch = setInterval(() => void reopenIfGone({ settings, secrets, opened, stopping }), 500);
    return { line: `${own.outcome} on 127.0.0.1:${own.port}`, value: own };
  });
  await step("migrations", async () => {
    const { folder, databaseUrl } = settings;
    const startAnew = databaseUrl === undefined ? startAnewIn(folder) : startAnewOnGiven(databaseUrl, folder);
    const applied = await migrate({ ...database, startAnew });
    return { line: applied.length === 0 ? "up to date" : `applied ${applied.length}: ${applied.at(-1)}` };
  });
  return database;
}

/** A killed database comes back on its old port, where every process finds it again. */
async function reopenIfGone({ settings, secrets, opened, stopping }) {
  const { pid, port } = opened.database;
  if (isAlive(pid) || opened.reopening === true || stopping.signal.aborted) return;
  opened.reopening = true;
  try {
    opened.database = await openOwnDatabase(settings.folder, secrets);
    if (opened.database.port !== port)
      throw trouble(`Postgres ended, and its port ${port} is in use by another program by now: start again.`);
    say("postgres", `had ended; ${opened.database.outcome} again on 127.0.0.1:${port}`);
  } catch (error) {
    stopping.failWith(error);
  } finally {
    opened.reopening = false;
  }
}

function givenDatabase({ databaseUrl, appDatabaseUrl }, secrets) {
  return { ownerUrl: databaseUrl, appUrl: appDatabaseUrl ?? deriveAppUrl(databaseUrl, secrets.nextAuthSecret) };
}

function hostsOf(databaseUrl) {
  return databaseUrls(databaseUrl)
    .map(({ host }) => host)
    .join(", ");
}

async function buildStep(signal) {
  return (await ensureBuilt(signal)) ? { line: "pages built" } : { line: "up to date" };
}

/** The line that says what went wrong, in what a failed program printed. */
function causeIn(text) {
  const lines = text.trim().split("\n");
  return lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1);
}

/** Made once, on the demo's own database only; `lib/demo/main.ts` writes demo.json when it is done. */
async function makeDemo({ settings, stopping, env, database }) {
  const file = join(settings.folder, "demo.json");
  if (!existsSync(file)) {
    await step("demo", async () => {
      const { ok, text } = await runTool(["lib/demo/main.ts"], {
        env: environmentOf("demo", { ...env, DATABASE_URL: database.ownerUrl }),
        signal: stopping.signal,
      });
      const log = join(settings.folder, "logs", "demo.log");
      writePrivate(log, text);
      if (!ok) throw trouble(`The demo's data could not be made (${causeIn(text)}): read ${log}, then start again.`);
      return { line: "synthetic cases made" };
    });
  }
  const demo = readJson(file, {});
  if (demo.baseUrl !== settings.publicUrl) writePrivateJson(file, { ...demo, baseUrl: settings.publicUrl });
}

/** Frozen documents name the simulator's URL, so its port is chosen once and never moves. */
async function keepSimulatorPort(folder) {
  const file = join(folder, "ports.json");
  const { simulator } = readJson(file, {});
  if (simulator === undefined) {
    const chosen = await choosePort();
    writePrivateJson(file, { ...readJson(file, {}), simulator: chosen });
    return chosen;
  }
  if ((await portState(simulator)) === "free") return simulator;
  throw trouble(
    `Port ${simulator}, which this demo's payer simulator has had from the start, is in use by another program: stop that one, or begin a second demo with DATA_DIR=.data-2 npm start.`,
  );
}

/**
 * Where each process shows what it measures: the server at METRICS_PORT and the worker at the port after it. The demo
 * chooses two and tells them in demo.json.
 */
async function metricsPorts({ settings: { folder }, isDemo }) {
  const given = Number(process.env.METRICS_PORT || 0);
  if (!Number.isInteger(given) || given < 0 || given > 65_534)
    throw trouble(`METRICS_PORT is ${process.env.METRICS_PORT}: set it to a number from 1 to 65534.`);
  const [server, worker] = given > 0 ? [given, given + 1] : isDemo ? [await choosePort(), await choosePort()] : [];
  if (isDemo) {
    const file = join(folder, "demo.json");
    const urlOf = (port) => `http://127.0.0.1:${port}/metrics`;
    writePrivateJson(file, { ...readJson(file, {}), metricsUrl: urlOf(server), workerMetricsUrl: urlOf(worker) });
  }
  const text = (port) => (port === undefined ? undefined : String(port));
  return { server: text(server), worker: text(worker) };
}

/** All are waited for even when one fails, so that nothing is begun after the taking down. */
async function allOf(promises, stopping) {
  for (const promise of promises) promise.catch((error) => stopping.failWith(error));
  const settled = await Promise.allSettled(promises);
  if (stopping.failure !== undefined) throw stopping.failure;
  return settled.map(({ value }) => value);
}

async function takeDown({ opened, stopping, folder }) {
  const began = performance.now();
  folder.leave();
  clearInterval(opened.watch);
  stopping.stop();
  await opened.supervisor.stop();
  await opened.database?.stop();
  folder.release();
  say("stopped", "every process has ended", performance.now() - began);
}
