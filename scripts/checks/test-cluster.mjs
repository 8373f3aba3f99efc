import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import pg from "pg";
import { digestOf, readJson, root, writePrivateJson } from "../setup/files.mjs";
import { lock } from "../processes/lock.mjs";
import { migrate } from "../database/migrate.ts";
import { openCluster, urlOf } from "../database/postgres.mjs";
import { runsInPlace } from "../database/postgres-binaries.mjs";
import { isAlive } from "../processes/processes.mjs";
import { trouble } from "../processes/report.mjs";
import { roomInMemory } from "./memory.mjs";

// Nothing here outlives a run, so nothing needs to survive a power cut.
const settings = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  autovacuum: "off",
  max_connections: 300,
};
const owner = "test_owner";
const app = "test_app";

/**
 * The tests' own Postgres, with a migrated template that clones are made of. It is kept track of in `.test` (TEST_DIR
 * moves it) and serves any number of runs at once; the last one to close it stops it. Its files are in memory where there
 * is room, and go with it; otherwise they are in that folder and stay, for a quick next start.
 */
export async function openTestCluster() {
  mkdirSync(resolve(root, process.env.TEST_DIR ?? ".test"), { recursive: true });
  const folder = realpathSync(resolve(root, process.env.TEST_DIR ?? ".test"));
  const leave = await lock(join(folder, "users.lock"), "shared", { waitMs: 30_000 });
  const release = await lock(join(folder, "opening.lock"), "exclusive", { waitMs: 120_000 });
  if (leave === undefined || release === undefined)
    throw trouble(`Another test run holds ${folder}: wait for its end, or set TEST_DIR to a folder of your own.`);
  try {
    const cluster = await open(folder);
    const described = await prepare(cluster);
    return { ...described, outcome: cluster.outcome, close: () => close({ cluster, folder, leave, described }) };
  } finally {
    release();
  }
}

async function open(folder) {
  const file = join(folder, "cluster.json");
  const known = readJson(file, { password: randomBytes(24).toString("base64url") });
  const data = known.data !== undefined && existsSync(dirname(known.data)) ? known.data : dataFolder(folder);
  // Written before it is used: a cluster whose password is lost is of no use.
  writePrivateJson(file, { ...known, data });
  const options = { ...known, folder: data, log: join(folder, "postgres.log"), settings };
  const cluster = await openCluster(options).catch(() => {
    // Without fsync a crash may leave a broken cluster, and there is nothing in it to keep.
    rmSync(options.folder, { recursive: true, force: true });
    return openCluster(options);
  });
  writePrivateJson(file, { ...known, data, port: cluster.port });
  return { ...cluster, data, password: known.password };
}

/** A clone is eight hundred small files: a disk takes half a second to make them, memory a fiftieth of one. */
function dataFolder(folder) {
  const memory = runsInPlace() ? roomInMemory() : undefined;
  return join(memory === undefined ? folder : mkdtempSync(join(memory, "prior-authorization-test-")), "postgres");
}

async function prepare(cluster) {
  const template = `template_${digestOf(["prisma/migrations", "scripts/database/migrate.ts", "scripts/database/roles.ts"]).slice(0, 16)}`;
  const url = (user, database) => urlOf({ port: cluster.port, user, password: cluster.password, database });
  const described = { run: process.pid, adminUrl: cluster.url, template, owner, app, password: cluster.password };
  await withClient(cluster.url, async (client) => {
    await ensureOwner(client, cluster.password);
    await dropStaleClones(client);
    const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [template]);
    if (rowCount === 1) return;
    const fresh = `${template}_new`;
    await client.query(`DROP DATABASE IF EXISTS ${fresh} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${fresh} OWNER ${owner}`);
    await migrate({ ownerUrl: url(owner, fresh), appUrl: url(app, fresh) });
    await client.query(`ALTER DATABASE ${fresh} RENAME TO ${template}`);
  });
  return described;
}

async function ensureOwner(client, password) {
  const { rowCount } = await client.query("SELECT 1 FROM pg_roles WHERE rolname = $1", [owner]);
  if (rowCount === 1) return;
  await client.query(`CREATE ROLE ${owner} LOGIN CREATEDB CREATEROLE PASSWORD ${pg.escapeLiteral(password)}`);
}

/** Clones carry their run's pid in their name, so those of a run that was killed are known. */
async function dropStaleClones(client) {
  await dropDatabases(client, (name) => name.startsWith("clone_") && !isAlive(Number(name.split("_")[1])));
}

async function close({ cluster, folder, leave, described }) {
  const { run, template } = described;
  await withClient(cluster.url, (client) => dropDatabases(client, (name) => name.startsWith(`clone_${run}_`)));
  leave();
  const release = await lock(join(folder, "users.lock"), "exclusive");
  if (release === undefined) return;
  await withClient(cluster.url, (client) =>
    dropDatabases(client, (name) => /^(clone|template)_/.test(name) && name !== template),
  );
  await cluster.stop();
  if (!cluster.data.startsWith(folder)) rmSync(dirname(cluster.data), { recursive: true, force: true });
  const file = join(folder, "cluster.json");
  writePrivateJson(file, { ...readJson(file, {}), data: undefined });
  release();
}

async function dropDatabases(client, isDue) {
  const { rows } = await client.query("SELECT datname AS name FROM pg_database");
  for (const { name } of rows) {
    if (isDue(name)) await client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`);
  }
}

async function withClient(connectionString, ask) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await ask(client);
  } finally {
    await client.end();
  }
}
