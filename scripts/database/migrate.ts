import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { root } from "../setup/files.mjs";
import { fail, say, trouble } from "../processes/report.mjs";
import { connectPrimary } from "./connect-primary.ts";
import { refuseUnfitOwner } from "./owner-rights.ts";
import { ensureAppRole, grantRights } from "./roles.ts";
import { startAnewOnGiven } from "./start-anew.mjs";
import { type Statement, statementsOf } from "./statements.ts";
import { isAboutNothing } from "./unnamed-constraints.ts";
import { runAlone, takeStep } from "./step.ts";

// The key `prisma migrate deploy` takes, so that the two never run at once.
const prismaLock = 72_707_369;

const committed = join(root, "prisma", "migrations");

type Target = {
  readonly ownerUrl: string;
  readonly appUrl: string;
  /** How to start anew where the database is from before the baseline: a sentence with the exact commands. */
  readonly startAnew?: string;
  readonly folder?: string;
};
type Migration = { readonly name: string; readonly sql: string; readonly checksum: string };
type AppliedMigration = {
  readonly name: string;
  readonly checksum: string;
  readonly finished: boolean;
  readonly steps: number;
  readonly logs: string | null;
};
/** A migration that is to be applied, or the rest of one that was cut short after `done` of its statements. */
type Pending = {
  readonly name: string;
  readonly checksum: string;
  readonly statements: readonly Statement[];
  readonly done: number;
};

/**
 * Brings the database to the newest migration and the application's role to its rights, while others use it; doing it
 * again changes nothing. Each statement is a transaction of its own, which waits for its locks for a moment only and is
 * tried again; a migration that was cut short goes on after the last statement it applied. Migrations are recorded as
 * Prisma records them. Returns the names of those that were applied or finished. Refuses a database from before the
 * baseline, and changes nothing there.
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
      // Longer than the lock is waited for; a statement of a migration may take longer, see `takeStep`.
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
  // Statements commit in their order: one that is lost in a crash is lost with the note that it was applied.
  await owner.query("SET lock_timeout = 0; SET synchronous_commit = off");
}

async function findPending(owner: pg.Client, folder: string): Promise<readonly Pending[]> {
  await owner.query(`CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ,
    migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
    started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`);
  const { rows } = await owner.query<AppliedMigration>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished, applied_steps_count AS steps, logs
     FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
  );
  const appliedByName = new Map(rows.map((row) => [row.name, row]));
  const pending: Pending[] = [];
  for (const migration of readMigrations(folder)) {
    const applied = appliedByName.get(migration.name);
    if (applied?.finished === true) refuseEdited(migration, applied);
    else pending.push(await pendingOf(migration, applied));
  }
  return pending;
}

function refuseEdited({ name, checksum }: Migration, applied: AppliedMigration): void {
  if (applied.checksum !== checksum)
    throw trouble(
      `The migration ${name} was edited after it was applied: restore the file and put the change into a new migration.`,
    );
}

/** What is left of a migration: of one that was cut short, the statements after those it has applied. */
async function pendingOf({ name, sql, checksum }: Migration, applied: AppliedMigration | undefined): Promise<Pending> {
  const statements = await statementsOf(name, sql);
  if (!applied) return { name, checksum, statements, done: 0 };
  if (applied.logs === null || !applied.logs.startsWith(ours))
    throw trouble(
      `The migration ${name} began elsewhere and did not finish: settle it with \`prisma migrate resolve\`, then start again.`,
    );
  if (applied.logs !== progressText(statements.slice(0, applied.steps)))
    throw trouble(
      `The migration ${name} stopped after its statement ${applied.steps}, and what it had applied was edited since: restore that part of the file, then start again.`,
    );
  return { name, checksum, statements, done: applied.steps };
}

const ours = "statements applied: ";

/** What a migration that is under way has applied, for the next start to compare with. */
function progressText(statements: readonly Statement[]): string {
  const hash = createHash("sha256");
  for (const { text } of statements) hash.update(`${text}\0`);
  return `${ours}${hash.digest("hex")}`;
}

async function apply(owner: pg.Client, { name, checksum, statements, done }: Pending): Promise<void> {
  await owner.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, logs)
     SELECT $1, $2, $3::text, $4 WHERE NOT EXISTS (SELECT FROM _prisma_migrations WHERE migration_name = $3::text AND rolled_back_at IS NULL)`,
    [randomUUID(), checksum, name, progressText([])],
  );
  for (const [index, statement] of statements.entries()) {
    if (index < done) continue;
    const record = () =>
      owner.query(
        `UPDATE _prisma_migrations SET applied_steps_count = $2, logs = $3, checksum = $4
          WHERE migration_name = $1 AND rolled_back_at IS NULL`,
        [name, index + 1, progressText(statements.slice(0, index + 1)), checksum],
      );
    try {
      await applyStatement(owner, { name, statement, record });
    } catch (error) {
      throw failed(name, statement, error);
    }
  }
  // With this commit everything before it is on disk, too.
  await owner.query("BEGIN; SET LOCAL synchronous_commit = on");
  await owner.query(
    `UPDATE _prisma_migrations SET finished_at = clock_timestamp(), checksum = $2, logs = NULL
      WHERE migration_name = $1 AND rolled_back_at IS NULL`,
    [name, checksum],
  );
  await owner.query("COMMIT");
}

type Applying = { readonly name: string; readonly statement: Statement; readonly record: () => Promise<unknown> };

async function applyStatement(owner: pg.Client, { name, statement, record }: Applying): Promise<void> {
  const { text, line, isConcurrent, index } = statement;
  if (isAboutNothing(text, await versionOf(owner))) return void (await record());
  if (!isConcurrent)
    return takeStep(owner, { name: `${name}, line ${line}`, statements: [text], record }, { onWaiting });
  // What an earlier try was cut short in is invalid and in the way of this one.
  if (index !== undefined && (await isInvalid(owner, index)))
    await runAlone(owner, `DROP INDEX CONCURRENTLY ${pg.escapeIdentifier(index)}`);
  await runAlone(owner, text);
  await record();
}

async function versionOf(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query<{ number: number }>("SELECT current_setting('server_version_num')::int AS number");
  return rows[0]?.number ?? 0;
}

const onWaiting = (text: string) => say("migrations", text);

async function isInvalid(owner: pg.Client, index: string): Promise<boolean> {
  const { rowCount } = await owner.query(
    "SELECT FROM pg_index WHERE indexrelid = to_regclass(quote_ident($1)) AND NOT indisvalid",
    [index],
  );
  return rowCount === 1;
}

/** Of a statement that failed, which leaves nothing behind; those before it stay, and are not applied again. */
function failed(name: string, { text, line }: Statement, error: unknown): unknown {
  if (error instanceof Error && error.name === "Trouble") return error;
  if (!(error instanceof pg.DatabaseError) || error.code?.startsWith("57P") === true)
    return trouble(
      `The connection to the database was lost in the migration ${name}, line ${line} (${error instanceof Error ? error.message : String(error)}): start again; it goes on after the last statement it applied.`,
    );
  const within = error.position === undefined ? 0 : text.slice(0, Number(error.position)).split("\n").length - 1;
  return trouble(
    `The migration ${name} failed in its statement on line ${line + within} (${error.message}), which left nothing behind: correct it and start again. The statements before it stay and are not applied again.`,
  );
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
