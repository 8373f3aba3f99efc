import pg from "pg";
import { postgresMin, tooOld } from "../../lib/db/unfit.ts";
import { trouble } from "../processes/report.mjs";

/** What the database says of itself and of the role in DATABASE_URL. */
export type DatabaseFacts = {
  readonly role: string;
  readonly database: string;
  readonly version: string;
  readonly number: number;
  readonly owns_database: boolean;
  readonly may_create: boolean;
  /** Tables and functions of another owner, as `TABLE name` and `FUNCTION name(types)`. */
  readonly foreign_objects: readonly string[];
};

/**
 * Refuses a database that the service could not work on, before anything in it is changed: one that is too old, or whose
 * owner in DATABASE_URL lacks rights. Says which, and the statements that give them.
 */
export async function refuseUnfitOwner(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<DatabaseFacts>(
    `SELECT current_user AS role, d.datname AS database, current_setting('server_version') AS version,
            current_setting('server_version_num')::int AS number,
            pg_has_role(current_user, d.datdba, 'USAGE') AS owns_database,
            has_schema_privilege(current_user, 'public', 'CREATE') AS may_create,
            ARRAY(SELECT 'TABLE ' || c.oid::regclass FROM pg_class c
                   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
                     AND NOT pg_has_role(current_user, c.relowner, 'USAGE')
                  UNION ALL
                  SELECT 'FUNCTION ' || p.oid::regprocedure FROM pg_proc p
                   WHERE p.pronamespace = 'public'::regnamespace AND NOT pg_has_role(current_user, p.proowner, 'USAGE')
                     AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')) AS foreign_objects
       FROM pg_database d WHERE d.datname = current_database()`,
  );
  const [found] = rows;
  if (!found) throw new Error("A database is in its own list.");
  const problem = ownerProblem(found);
  if (problem !== undefined) throw trouble(problem);
}

/** Why the service could not work on a database; undefined where it could. */
export function ownerProblem(found: DatabaseFacts): string | undefined {
  if (found.number < postgresMin * 10_000) return tooOld(found.version);
  const lacking = rightsLacking(found);
  if (lacking.length === 0) return undefined;
  return `The role ${found.role} in DATABASE_URL lacks rights, and nothing was changed. As a superuser, or as the owner of what is named:\n${lacking.join("\n")}`;
}

function rightsLacking({
  role,
  database,
  owns_database,
  may_create,
  foreign_objects,
}: DatabaseFacts): readonly string[] {
  const [to, name] = [pg.escapeIdentifier(role), pg.escapeIdentifier(database)];
  return [
    ...(owns_database
      ? []
      : [`  it does not own the database, so it cannot say who may connect: ALTER DATABASE ${name} OWNER TO ${to};`]),
    ...(may_create ? [] : [`  it may not create tables in the schema public: GRANT CREATE ON SCHEMA public TO ${to};`]),
    ...foreign_objects.map((object) => `  it does not own this: ALTER ${object} OWNER TO ${to};`),
  ];
}

/** What the worker asks which database it commits to, which some hosts take from ordinary roles. */
const needed = ["pg_control_system()", "pg_current_wal_lsn()", "pg_current_wal_flush_lsn()", "pg_walfile_name(pg_lsn)"];

/** Refuses a role of the application that may not ask which database it is on. */
export async function refuseUnfitApp(owner: pg.Client, user: string): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(
    "SELECT name FROM unnest($1::text[]) AS needed (name) WHERE NOT has_function_privilege($2::name, name, 'EXECUTE')",
    [needed, user],
  );
  if (rows.length === 0) return;
  const grants = rows.map(({ name }) => `  GRANT EXECUTE ON FUNCTION ${name} TO ${pg.escapeIdentifier(user)};`);
  throw trouble(
    `The role ${user}, as which the service connects, may not ask which database it is on. As a superuser:\n${grants.join("\n")}`,
  );
}
