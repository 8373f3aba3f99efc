import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { writePrivate } from "../setup/files.mjs";
import { choosePort, portState } from "../processes/ports.mjs";
import { postgresHere } from "./postgres-binaries.mjs";
import { commandOf, endProcess, isAlive } from "../processes/processes.mjs";
import { trouble } from "../processes/report.mjs";

const always = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  timezone: "UTC",
  log_timezone: "UTC",
  // A page that changes for the first time since a checkpoint is logged whole.
  wal_compression: "on",
  // Statements and details may quote a patient.
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
};

/**
 * A running Postgres on the cluster in `folder`, made on first use; `password` is its superuser's. One that outlived
 * its starter is adopted. `port` is only a wish: another is taken when it is no longer free.
 */
export async function openCluster({ folder, log, password, port, settings = {} }) {
  const here = await postgresHere({ folder, log });
  mkdirSync(dirname(log), { recursive: true });
  const made = !existsSync(join(here.folder, "PG_VERSION"));
  if (made) await initialise(here, password);
  const orphan = runningIn(here.folder);
  if (orphan !== undefined && (await answers(orphan.port, password)))
    return cluster(orphan, { password, outcome: "adopted" });
  if (orphan !== undefined) await endProcess(orphan.pid, { signal: "SIGQUIT", graceMs: 5_000 });
  const outcome = made ? "made" : "started";
  return cluster(await start({ here, port, settings: { ...always, ...settings } }), { password, outcome });
}

export function urlOf({ port, user, password, database }) {
  return `postgresql://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

function cluster({ pid, port }, { password, outcome }) {
  return {
    pid,
    port,
    outcome,
    url: urlOf({ port, user: "postgres", password, database: "postgres" }),
    // SIGINT is Postgres's fast shutdown: it rolls back what is open and checkpoints.
    stop: () => endProcess(pid, { signal: "SIGINT", graceMs: 15_000 }),
  };
}

/** Made aside and renamed, so that a crash in the middle leaves no half cluster. */
async function initialise(here, password) {
  const aside = `${here.folder}.new`;
  const passwordFile = `${here.folder}.password`;
  rmSync(aside, { recursive: true, force: true });
  mkdirSync(dirname(here.folder), { recursive: true });
  writePrivate(passwordFile, `${password}\n`);
  here.give(passwordFile);
  const { ok, text } = await here.run("initdb", [
    ...["-D", aside, "--username=postgres", "--auth=scram-sha-256", `--pwfile=${passwordFile}`],
    ...["--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C", "--data-checksums"],
  ]);
  rmSync(passwordFile, { force: true });
  if (!ok)
    throw trouble(
      `Postgres could not make its cluster in ${aside}: ${lastLine(text)} Free some space there, or set DATABASE_URL to a Postgres of your own.`,
    );
  renameSync(aside, here.folder);
}

/** After a kill, the dead server's last backends may hold its shared memory for a moment, hence the second tries. */
async function start({ here, port, settings }) {
  let text = "";
  for (let tries = 0; tries < 12; tries += 1) {
    const chosen = tries < 8 && port !== undefined && (await portState(port)) === "free" ? port : await choosePort();
    const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value === "" ? "''" : value}`);
    forgetDeadServer(here.folder);
    const run = await here.run("pg_ctl", [
      "start",
      "-w",
      "-D",
      here.folder,
      "-l",
      here.log,
      "-o",
      [`-p ${chosen}`, ...options].join(" "),
    ]);
    const running = run.ok ? runningIn(here.folder) : undefined;
    if (running !== undefined) return running;
    text = run.text;
    await sleep(300);
  }
  throw trouble(
    `Postgres does not start (${lastLine(text)}): read ${here.log}, or set DATABASE_URL to a Postgres of your own.`,
  );
}

/** The server on this cluster, from its pid file; undefined when that process is gone or is another program by now. */
function runningIn(folder) {
  const file = join(folder, "postmaster.pid");
  if (!existsSync(file)) return undefined;
  const [pid, , , port] = readFileSync(file, "utf8").split("\n").map(Number);
  if (!(pid > 0) || !isAlive(pid) || !commandOf(pid).includes(folder)) return undefined;
  return { pid, port };
}

/** Postgres believes any live process that inherited the pid to be its predecessor. */
function forgetDeadServer(folder) {
  if (runningIn(folder) === undefined) rmSync(join(folder, "postmaster.pid"), { force: true });
}

async function answers(port, password) {
  const client = new pg.Client({
    connectionString: urlOf({ port, user: "postgres", password, database: "postgres" }),
    connectionTimeoutMillis: 3_000,
  });
  try {
    await client.connect();
    await client.query("SELECT 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

function lastLine(text) {
  return text.trim().split("\n").at(-1) ?? "";
}
