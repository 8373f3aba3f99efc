import { createHmac } from "node:crypto";
import pg from "pg";
import { databaseUrlProblem, databaseUrls, withLogin } from "../../lib/platform/process/database-url.ts";
import { sessionSettings, settingStatement } from "../../lib/db/session-settings.ts";
import { trouble } from "../processes/report.mjs";
import { connectPrimary } from "./connect-primary.ts";
import { refuseUnfitApp } from "./owner-rights.ts";
import { scramVerifier } from "./scram-verifier.ts";
import { type Step, takeStep } from "./step.ts";

/** What the application may do with a table; every other table is `everyday`, and a partition is used through its table alone. */
const everyday = "SELECT, INSERT, UPDATE, DELETE";
const rightsByTable: Readonly<Record<string, string>> = {
  // Inserted through audit_append and audit_append_each alone, which run as the owner.
  audit_entry: "SELECT",
  task: "SELECT, INSERT, UPDATE",
  task_event: "SELECT, INSERT",
  task_before_events: "SELECT",
  // Wrapped anew when the ring turns, and never removed: old values need them.
  practice_key: "SELECT, INSERT, UPDATE",
  attachment: "SELECT, INSERT",
  revision_attachment: "SELECT, INSERT",
  decision_receipt: "SELECT, INSERT",
  case_note: "SELECT, INSERT",
  gate_opened: "SELECT, INSERT",
  // Kept by a trigger of transmission, which runs as the owner.
  release_due: "SELECT, UPDATE",
  submission_in_hand: "SELECT",
  seal_format: "SELECT",
  settings_version: "SELECT, INSERT",
  channel_version: "SELECT, INSERT",
  _prisma_migrations: "",
};

export type Login = { readonly database: string; readonly user: string; readonly password: string };

/** Makes the role the application connects as, or lets it log in again; roles belong to the cluster, so no migration does. */
export async function ensureAppRole(owner: pg.Client, appUrl: string): Promise<void> {
  const { user, password } = loginOf(appUrl);
  await refuseMightyRole(owner, user);
  if (!(await canLogIn(appUrl))) await makeRole(owner, { user, password });
  await refuseUnfitApp(owner, user);
}

async function makeRole(owner: pg.Client, { user, password }: Pick<Login, "user" | "password">): Promise<void> {
  const name = pg.escapeIdentifier(user);
  const rights = "NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS";
  try {
    await sayPassword(owner, `CREATE ROLE ${name} ${rights} LOGIN`, password);
  } catch (error) {
    if (!hasCode(error, ...noNewRole)) throw error;
    if (hasCode(error, "42501")) throw trouble(noRole(user));
    if (await isInUse(owner, user)) throw trouble(wrongPassword(user));
    await sayPassword(owner, `ALTER ROLE ${name} LOGIN`, password);
  }
}

/** There is such a role already, or the owner may make none. */
const noNewRole = ["42710", "23505", "42501"];

/** Runs a statement with what Postgres keeps of a password, or with the password where a server demands it, as Neon does to judge it. */
async function sayPassword(owner: pg.Client, statement: string, password: string): Promise<void> {
  const run = (kept: string) => owner.query(`${statement} PASSWORD ${pg.escapeLiteral(kept)}`);
  const verifier = scramVerifier(password);
  try {
    await run(verifier ?? password);
  } catch (error) {
    // They have no code in common.
    if (verifier === undefined || !(error instanceof pg.DatabaseError) || hasCode(error, ...noNewRole)) throw error;
    await run(password);
  }
}

/** A running service logs in with another password, which a new one would lock out. */
async function isInUse(owner: pg.Client, user: string): Promise<boolean> {
  const { rows } = await owner.query("SELECT FROM pg_stat_activity WHERE usename = $1 LIMIT 1", [user]);
  return rows.length > 0;
}

/**
 * Sets the application's rights to exactly these, whatever they were. What is right already is left alone, and each table
 * is changed by a transaction of its own, so that nobody who uses the others waits.
 */
export async function grantRights(owner: pg.Client, appUrl: string): Promise<void> {
  const { user } = loginOf(appUrl);
  const changes = [
    ...(await schemaRights(owner, user)),
    ...(await tableRights(owner, user)),
    ...(await policies(owner)),
    ...(await sequenceRights(owner, user)),
    ...(await functionRights(owner, user)),
    ...(await databaseRights(owner, user)),
  ];
  for (const change of changes) await takeStep(owner, change);
  await setSession(owner, user);
}

/**
 * Gives the application's role what its connections set, for those behind a pooler. Where the owner may not, because
 * somebody else made the role, a process that needs it says what to do.
 */
async function setSession(owner: pg.Client, role: string): Promise<void> {
  const { rows } = await owner.query<{ database: string; set: readonly string[] }>(
    `SELECT current_database() AS database, coalesce((
       SELECT s.setconfig FROM pg_db_role_setting s JOIN pg_roles r ON r.oid = s.setrole JOIN pg_database d ON d.oid = s.setdatabase
        WHERE r.rolname = $1 AND d.datname = current_database()), '{}') AS set`,
    [role],
  );
  const { database = "", set = [] } = rows[0] ?? {};
  const lacking = Object.entries(sessionSettings).filter(([name, value]) => !set.includes(`${name}=${value}`));
  if (lacking.length === 0) return;
  const statements = lacking.map(([name, value]) => settingStatement({ role, database }, name, value));
  try {
    await takeStep(owner, { name: `the settings of ${role}`, statements });
  } catch (error) {
    if (!hasCode(error, "42501")) throw error;
  }
}

async function schemaRights(owner: pg.Client, user: string): Promise<Step[]> {
  const { rows } = await owner.query<{ right: boolean }>(
    `SELECT has_schema_privilege($1, 'public', 'USAGE') AND NOT has_schema_privilege($1, 'public', 'CREATE')
            AND NOT EXISTS (SELECT FROM pg_namespace n, aclexplode(n.nspacl) a
                             WHERE n.nspname = 'public' AND a.grantee = 0 AND a.privilege_type = 'CREATE') AS right`,
    [user],
  );
  if (rows[0]?.right === true) return [];
  const app = pg.escapeIdentifier(user);
  return [
    {
      name: "the rights on the schema",
      statements: [`REVOKE CREATE ON SCHEMA public FROM PUBLIC, ${app}`, `GRANT USAGE ON SCHEMA public TO ${app}`],
    },
  ];
}

async function tableRights(owner: pg.Client, user: string): Promise<Step[]> {
  const { rows } = await owner.query<{ name: string; rights: readonly string[]; is_public: boolean }>(
    `SELECT c.relname AS name, acl.rights, acl.is_public
       FROM pg_class c JOIN pg_roles r ON r.rolname = $1,
            LATERAL (SELECT coalesce(array_agg(a.privilege_type ORDER BY 1) FILTER (WHERE a.grantee = r.oid), '{}') AS rights,
                            coalesce(bool_or(a.grantee = 0), false) AS is_public
                       FROM aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) a) acl
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND pg_has_role(current_user, c.relowner, 'USAGE')`,
    [user],
  );
  const app = pg.escapeIdentifier(user);
  return rows.flatMap(({ name, rights, is_public: isPublic }) => {
    const wanted = rightsByTable[name] ?? everyday;
    const isRight = !isPublic && rights.toSorted().join(", ") === wanted.split(", ").toSorted().join(", ");
    if (isRight) return [];
    const table = `public.${pg.escapeIdentifier(name)}`;
    const grant = wanted === "" ? [] : [`GRANT ${wanted} ON ${table} TO ${app}`];
    return [{ name: `the rights on ${name}`, statements: [`REVOKE ALL ON ${table} FROM PUBLIC, ${app}`, ...grant] }];
  });
}

async function sequenceRights(owner: pg.Client, user: string): Promise<Step[]> {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND CASE WHEN relkind = 'S' THEN NOT has_sequence_privilege($1, oid, 'USAGE') END`,
    [user],
  );
  return rows.map(({ name }) => ({
    name: `the rights on ${name}`,
    statements: [`GRANT USAGE ON SEQUENCE public.${pg.escapeIdentifier(name)} TO ${pg.escapeIdentifier(user)}`],
  }));
}

/** Of our own functions; those an extension brought are their maker's, and not ours to give. */
async function functionRights(owner: pg.Client, user: string): Promise<Step[]> {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT p.oid::regprocedure::text AS name FROM pg_proc p JOIN pg_roles r ON r.rolname = $1
      WHERE p.pronamespace = 'public'::regnamespace AND p.proowner = current_user::regrole
        AND (SELECT count(*) FILTER (WHERE a.grantee = 0) > 0 OR count(*) FILTER (WHERE a.grantee = r.oid) = 0
               FROM aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a)`,
    [user],
  );
  const app = pg.escapeIdentifier(user);
  return rows.map(({ name }) => ({
    name: `the rights on ${name}`,
    statements: [`REVOKE EXECUTE ON FUNCTION ${name} FROM PUBLIC`, `GRANT EXECUTE ON FUNCTION ${name} TO ${app}`],
  }));
}

/** A new name for a new rule: what stands under this one is left alone, since making it locks the table. */
const wall = "practice_wall_2";
const wallsBefore = ["practice_wall_1"];

/**
 * The second wall: a table's rows are there for a connection that says their practice in `app.practices`, or `{*}`; for
 * one that says nothing there are none. Made here and not in migrations, so that no new table is without.
 */
async function policies(owner: pg.Client): Promise<Step[]> {
  const { rows } = await owner.query<{ name: string; column: string }>(
    `SELECT c.table_name AS name, c.column_name AS column FROM information_schema.columns c
       JOIN pg_tables t ON t.schemaname = 'public' AND t.tablename = c.table_name
      WHERE c.table_schema = 'public' AND (c.column_name = 'practice_id' OR (c.table_name, c.column_name) = ('audit_entry', 'chain'))
        AND c.table_name <> ALL ($1::text[])
        AND NOT EXISTS (SELECT FROM pg_policies p WHERE p.schemaname = 'public' AND p.tablename = c.table_name AND p.policyname = $2)`,
    [unwalled, wall],
  );
  // What is said is read as a list within its own sub-select: once for a statement, and not again for each row.
  const named = "SELECT coalesce(nullif(current_setting('app.practices', true), ''), '{}')";
  return rows.map(({ name, column }) => {
    const table = `public.${pg.escapeIdentifier(name)}`;
    const seen = `(${named}) = '{*}' OR ${pg.escapeIdentifier(column)} = ANY ((${named}::text[])::text[])`;
    const statements = [
      `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
      ...wallsBefore.map((before) => `DROP POLICY IF EXISTS ${before} ON ${table}`),
      `CREATE POLICY ${wall} ON ${table} USING (${seen})`,
    ];
    return { name: `the policy of ${name}`, statements };
  });
}

/** Wrapped keys, which every process needs of every practice. */
const unwalled = ["practice_key"];

async function databaseRights(owner: pg.Client, user: string): Promise<Step[]> {
  const { rows } = await owner.query<{ name: string; right: boolean }>(
    `SELECT d.datname AS name, NOT coalesce(bool_or(a.grantee = 0), false)
            AND coalesce(array_agg(a.privilege_type) FILTER (WHERE a.grantee = r.oid), '{}') = '{CONNECT}' AS right
       FROM pg_database d JOIN pg_roles r ON r.rolname = $1, aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) a
      WHERE d.datname = current_database() GROUP BY d.datname, r.oid`,
    [user],
  );
  const [row] = rows;
  if (!row || row.right) return [];
  return [{ name: "who may connect", statements: connecting(row.name, pg.escapeIdentifier(user)) }];
}

/** The rights on the database itself, which a clone of it does not inherit. */
export async function grantConnecting(
  owner: pg.Client,
  { database, user }: { database: string; user: string },
): Promise<void> {
  await owner.query(connecting(database, pg.escapeIdentifier(user)).join(";\n"));
}

/**
 * The application's own login where only the owner's is given. Its password follows from the owner's, so that every
 * machine that knows DATABASE_URL arrives at the same one; without a password it follows from `secret`.
 */
export function deriveAppUrl(ownerUrl: string, secret: string): string {
  const { database, password: ownerPassword } = loginOf(ownerUrl);
  const key = ownerPassword || secret;
  const password = createHmac("sha256", key).update(`application role of ${database}`).digest("base64url");
  return withLogin(ownerUrl, { user: `${database}_app`, password });
}

function connecting(database: string, app: string): string[] {
  const name = pg.escapeIdentifier(database);
  return [`REVOKE ALL ON DATABASE ${name} FROM PUBLIC, ${app}`, `GRANT CONNECT ON DATABASE ${name} TO ${app}`];
}

/** Row-level security and the insert-only audit would mean nothing for such a role. */
async function refuseMightyRole(owner: pg.Client, user: string): Promise<void> {
  const { rows } = await owner.query<{ mighty: boolean }>(
    `SELECT rolsuper OR rolbypassrls OR rolname = current_user OR pg_has_role(rolname, current_user, 'MEMBER') AS mighty
     FROM pg_roles WHERE rolname = $1`,
    [user],
  );
  if (rows[0]?.mighty === true)
    throw trouble(
      `The role ${user} in APP_DATABASE_URL owns the tables or bypasses row-level security: name a role of its own there, or leave APP_DATABASE_URL unset and one is made.`,
    );
}

async function canLogIn(appUrl: string): Promise<boolean> {
  try {
    const client = await connectPrimary(appUrl, {});
    await client.end().catch(() => {});
    return true;
  } catch (error) {
    // No right to connect yet, which the grants mend.
    return hasCode(error, "42501");
  }
}

function loginOf(url: string): Login {
  const [first] = databaseUrls(url) ?? [];
  if (!first) throw trouble(`A database's URL ${databaseUrlProblem(url)}.`);
  const { pathname, username, password } = first;
  return {
    database: decodeURIComponent(pathname.slice(1)),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
  };
}

function noRole(user: string): string {
  return `The role in DATABASE_URL may not create roles and ${user} cannot log in: create it yourself (CREATE ROLE ... LOGIN PASSWORD ...) and name it in APP_DATABASE_URL.`;
}

function wrongPassword(user: string): string {
  return `${user} cannot log in with the password in APP_DATABASE_URL, and a running service uses that role: correct the password there. To set a new one, stop the service first.`;
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
