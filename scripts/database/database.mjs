import { join } from "node:path";
import pg from "pg";
import { readJson, writePrivateJson } from "../setup/files.mjs";
import { openCluster, urlOf } from "./postgres.mjs";

const owner = "prior_auth_owner";
const app = "prior_auth_app";
const database = "prior_auth";

/** Our own Postgres under the data folder, with the owner's and the application's URLs; `settings` hold until it stops. */
export async function openOwnDatabase(folder, secrets, settings = {}) {
  const file = join(folder, "ports.json");
  const ports = readJson(file, {});
  const cluster = await openCluster({
    folder: join(folder, "postgres"),
    log: join(folder, "logs", "postgres.log"),
    password: secrets.superuserPassword,
    port: ports.postgres,
    settings,
  });
  if (ports.postgres !== cluster.port) writePrivateJson(file, { ...readJson(file, {}), postgres: cluster.port });
  await ensureDatabase(cluster.url, secrets.ownerPassword);
  return { ...cluster, ...ownDatabaseUrls(cluster.port, secrets) };
}

export function ownDatabaseUrls(port, { ownerPassword, appPassword }) {
  return {
    ownerUrl: urlOf({ port, user: owner, password: ownerPassword, database }),
    appUrl: urlOf({ port, user: app, password: appPassword, database }),
  };
}

/** The owner is no superuser, so that what works here works on a managed Postgres too. */
async function ensureDatabase(url, password) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query("SELECT datname FROM pg_database WHERE datname = $1", [database]);
    if (rows.length === 1) return;
    const role = await client.query("SELECT 1 FROM pg_roles WHERE rolname = $1", [owner]);
    if (role.rowCount === 0)
      await client.query(`CREATE ROLE ${owner} LOGIN CREATEROLE PASSWORD ${pg.escapeLiteral(password)}`);
    await client.query(`CREATE DATABASE ${database} OWNER ${owner}`);
  } finally {
    await client.end();
  }
}
