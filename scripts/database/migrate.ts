import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { root } from "../setup/files.mjs";
import { fail, trouble } from "../processes/report.mjs";
import { connectPrimary } from "./connect-primary.ts";
import { refuseUnfitOwner } from "./owner-rights.ts";
import { ensureAppRole, grantRights } from "./roles.ts";
import { startAnewOnGiven } from "./start-anew.mjs";

// The key `prisma migrate deploy` takes, so that the two never run at once.
const prismaLock = 72_707_369;

/** Longest one migration may take: 4 h. */
const migrationMs = 4 * 3_600_000;

const committed = join(root, "prisma", "migrations");

type Target = {
  readonly ownerUrl: string;
  readonly appUrl: string;
  /** How to start anew where the database is from before the baseline: a sentence with the exact commands. */
  readonly startAnew?: string;
  readonly folder?: string;
};
type Migration = { readonly name: string; readonly sql: string; readonly checksum: string };
type Applied = { readonly name: string; readonly checksum: string; readonly finished: boolean };

/**
 * Brings the database to the newest migration and the application's role to its rights; doing it again changes nothing.
 * Each migration is one transaction and is recorded as Prisma records it. Returns the names it applied. Refuses a
 * database from before the baseline, and changes nothing there.
 */
export async function migrate({
  ownerUrl,
  appUrl,
  startAnew = startAnewOnGiven(ownerUrl),
  folder = committed,
}: Target): Promise<readonly string[]> {
  const owner = await connect(ownerUrl);
  try {
    await takeLock(owner);
    await refuseUnfitOwner(owner);
    await refuseBeforeBaseline(owner, { startAnew, folder });
    await ensureAppRole(owner, appUrl);
    const pending = await findPending(owner, folder);
    for (const migration of pending) await apply(owner, migration);
    await grantRights(owner, appUrl);
    return pending.map(({ name }) => name);
  } finally {
    await owner.end().catch(() => {});
  }
}

/**
 * Refuses to run a program of ours on a database from before the baseline. One that does not answer is not refused here:
 * the program says so itself.
 */
export async function refuseOldDatabase({
  ownerUrl,
  startAnew,
}: {
  ownerUrl: string;
  startAnew: string;
}): Promise<void> {
  const owner = await connectPrimary(ownerUrl, { query_timeout: 10_000 }).catch(() => undefined);
  if (!owner) return;
  try {
    await refuseBeforeBaseline(owner, { startAnew, folder: committed });
  } finally {
    await owner.end().catch(() => {});
  }
}

/** Known by its first migration, which is not the first there is now: the old ones became one baseline before any release. */
async function refuseBeforeBaseline(
  owner: pg.Client,
  { startAnew, folder }: { startAnew: string; folder: string },
): Promise<void> {
  const first = readMigrations(folder)[0]?.name;
  const { rows: tables } = await owner.query<{ has: boolean }>(
    "SELECT to_regclass('_prisma_migrations') IS NOT NULL AS has",
  );
  if (first === undefined || tables[0]?.has !== true) return;
  const { rows } = await owner.query<{ old: boolean }>(
    `SELECT count(*) > 0 AND bool_and(migration_name <> $1) AS old FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
    [first],
  );
  if (rows[0]?.old === true)
    throw trouble(
      `This database was made by a version from before the first release, whose migrations became one baseline. It cannot be brought up to date, and nothing in it was changed. ${startAnew}`,
    );
}

/** Oldest first: the names begin with their time. */
function readMigrations(folder: string): readonly Migration[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, "migration.sql")));
  return names.sort().map((name) => {
    const sql = readFileSync(join(folder, name, "migration.sql"), "utf8");
    return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
  });
}

async function connect(ownerUrl: string): Promise<pg.Client> {
  try {
    return await connectPrimary(ownerUrl, {
      // Longer than the lock is waited for; a migration itself may take longer, see `apply`.
      query_timeout: 75_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      application_name: "migrate",
    });
  } catch (error) {
    const why = error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code) : String(error);
    throw trouble(`The database in DATABASE_URL does not answer (${why}): start it, or correct DATABASE_URL.`);
  }
}

async function takeLock(owner: pg.Client): Promise<void> {
  await owner.query("SET lock_timeout = '60s'; SET client_min_messages = warning");
  try {
    await owner.query("SELECT pg_advisory_lock($1)", [prismaLock]);
  } catch {
    throw trouble(
      "Another process has been migrating this database for a minute: wait for its end, or stop it, and start again.",
    );
  }
  await owner.query("SET lock_timeout = 0");
}

async function findPending(owner: pg.Client, folder: string): Promise<readonly Migration[]> {
  await owner.query(`CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ,
    migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
    started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`);
  const { rows } = await owner.query<Applied>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
     FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
  );
  const appliedByName = new Map(rows.map((row) => [row.name, row]));
  return readMigrations(folder).filter((migration) => {
    const applied = appliedByName.get(migration.name);
    if (applied === undefined) return true;
    refuseBroken(migration, applied);
    return false;
  });
}

function refuseBroken(migration: Migration, applied: Applied): void {
  if (!applied.finished)
    throw trouble(
      `The migration ${applied.name} began elsewhere and did not finish: settle it with \`prisma migrate resolve\`, then start again.`,
    );
  if (applied.checksum !== migration.checksum)
    throw trouble(
      `The migration ${applied.name} was edited after it was applied: restore the file and put the change into a new migration.`,
    );
}

async function apply(owner: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await owner.query("BEGIN");
    // The types of `pg` leave out that one statement may be given a time of its own.
    const whole = { text: sql, query_timeout: migrationMs };
    await owner.query(whole);
    await owner.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), checksum, name],
    );
    await owner.query("COMMIT");
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    const line =
      error.position === undefined ? "" : `, line ${sql.slice(0, Number(error.position)).split("\n").length}`;
    throw trouble(
      `The migration ${name} failed and left nothing behind (${error.message}${line}): correct it and start again.`,
    );
  }
}

if (import.meta.main) {
  const { DATABASE_URL: ownerUrl, APP_DATABASE_URL: appUrl } = process.env;
  try {
    if (!ownerUrl || !appUrl)
      throw trouble("Set DATABASE_URL (the owner) and APP_DATABASE_URL (the application's role), then run this again.");
    const applied = await migrate({ ownerUrl, appUrl });
    process.stdout.write(`${applied.length === 0 ? "Nothing to apply." : `Applied ${applied.join(", ")}.`}\n`);
  } catch (error) {
    fail(error);
  }
}
