import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { openOwnDatabase } from "../scripts/database/database.mjs";
import { readSecrets } from "../scripts/start/environment.mjs";
import { migrate } from "../scripts/database/migrate.ts";
import { runTool } from "../scripts/setup/tools.mjs";

const bare = "bench_bare";
const service = "prior_auth";
const sdk = "bench_sdk";

/** How the SDK's own command makes the tables of its store. */
const sdkMigrations = "node_modules/@a2a-js/sdk/dist/cli/a2a_db.js";

export type Databases = {
  readonly appUrl: string;
  /** Of the service's database too, as a superuser. */
  readonly superuserUrl: string;
  readonly bareUrl: string;
  readonly sdkUrl: string;
  readonly secrets: { readonly sealingKey: string; readonly nextAuthSecret: string; readonly channelKeyPepper: string };
  readonly pid: number;
  /** As Postgres itself says it. */
  readonly durability: Readonly<Record<string, string>>;
  /** Statements of the service's database so far; only where `pg_stat_statements` was loaded. */
  readonly statements: () => Promise<number>;
  /** Makes every task look as if it had stood for so much longer. */
  readonly age: (minutes: number) => Promise<void>;
  /** Makes every webhook delivery due at once, as if none had been tried. */
  readonly redeliver: () => Promise<void>;
  /** Lets the planner know the tables as they are, which autovacuum does within minutes of any service's life. */
  readonly settle: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** What Postgres needs to count statements. */
export const countingStatements = { shared_preload_libraries: "pg_stat_statements" };

/**
 * A cluster of the bench's own, as `npm start` makes it, with three empty databases: the service's, the bare server's and
 * the SDK's. `settings` are Postgres's, beyond those of `npm start`.
 */
export async function openDatabases(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Databases> {
  mkdirSync(folder, { recursive: true });
  // Safe because it makes what is missing of these.
  const secrets = readSecrets(folder) as Databases["secrets"];
  const { url } = await openOwnDatabase(folder, secrets, settings);
  const durability = await asSuperuser(url, async (client) => {
    await dropAll(client);
    if ("shared_preload_libraries" in settings) await client.query("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
    for (const name of [bare, sdk]) await client.query(`CREATE DATABASE ${name}`);
    return settingsOf(client);
  });
  // What was noted of the database of the last run is not in this one.
  for (const kept of ["submission-ledger", "audit-heads"]) rmSync(join(folder, kept), { recursive: true, force: true });
  const opened = await openOwnDatabase(folder, secrets);
  const bareUrl = Object.assign(new URL(url), { pathname: `/${bare}` }).href;
  const serviceUrl = Object.assign(new URL(url), { pathname: `/${service}` }).href;
  const sdkUrl = Object.assign(new URL(url), { pathname: `/${sdk}` }).href;
  await asSuperuser(bareUrl, makeBareTable);
  const made = await runTool([sdkMigrations, "upgrade", "--url", sdkUrl]);
  if (!made.ok) throw new Error(`The SDK's tables could not be made: ${made.text}`);
  await migrate(opened);
  return {
    appUrl: opened.appUrl,
    superuserUrl: serviceUrl,
    pid: opened.pid,
    bareUrl,
    sdkUrl,
    secrets,
    durability,
    statements: () => asSuperuser(url, countStatements),
    age: (minutes) => asSuperuser(serviceUrl, (client) => makeOlder(client, minutes)),
    redeliver: () => asSuperuser(serviceUrl, makeDue),
    settle: async () => {
      for (const one of [bareUrl, sdkUrl, serviceUrl])
        await asSuperuser(one, (client) => client.query("VACUUM ANALYZE"));
    },
    close: async () => {
      await asSuperuser(url, dropAll);
      await opened.stop();
    },
  };
}

async function makeBareTable(client: pg.Client): Promise<void> {
  await client.query(
    `CREATE TABLE task (id uuid PRIMARY KEY, context_id uuid NOT NULL, state text NOT NULL,
                        message jsonb NOT NULL, changed_at timestamptz NOT NULL DEFAULT now())`,
  );
}

async function countStatements(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ calls: string }>(
    `SELECT coalesce(sum(calls), 0) AS calls FROM pg_stat_statements s
       JOIN pg_database d ON d.oid = s.dbid WHERE d.datname = $1`,
    [service],
  );
  return Number(rows[0]?.calls);
}

async function makeOlder(client: pg.Client, minutes: number): Promise<void> {
  await client.query("UPDATE task SET changed_at = changed_at - make_interval(mins => $1)", [minutes]);
}

async function makeDue(client: pg.Client): Promise<void> {
  await client.query("UPDATE webhook_delivery SET status = 'waiting', tries = 0, due_at = clock_timestamp()");
}

async function dropAll(client: pg.Client): Promise<void> {
  for (const name of [bare, sdk, service]) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

async function settingsOf(client: pg.Client): Promise<Record<string, string>> {
  const names = [
    "server_version",
    "fsync",
    "synchronous_commit",
    "full_page_writes",
    "wal_sync_method",
    "shared_buffers",
  ];
  const { rows } = await client.query<{ name: string; setting: string }>(
    "SELECT name, setting FROM pg_settings WHERE name = ANY ($1)",
    [names],
  );
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
}

async function asSuperuser<Value>(
  connectionString: string,
  use: (client: pg.Client) => Promise<Value>,
): Promise<Value> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
