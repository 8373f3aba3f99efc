import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "#test/support/database/fresh-database";

const app = new pg.Client({ connectionString: testDatabase.appUrl, options: "-c app.practices={*}" });
const owner = new pg.Client({ connectionString: testDatabase.ownerUrl });
const chain = `rights-${crypto.randomUUID()}`;

beforeAll(async () => {
  await Promise.all([app.connect(), owner.connect()]);
});

afterAll(async () => {
  await Promise.all([app.end(), owner.end()]);
});

test("the application's role has no power over the cluster and owns nothing", async () => {
  const { rows } = await app.query(
    `SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls,
       (SELECT count(*)::int FROM pg_auth_members WHERE member = r.oid) AS memberships,
       (SELECT count(*)::int FROM pg_shdepend WHERE refobjid = r.oid AND deptype = 'o') AS owned
     FROM pg_roles r WHERE rolname = current_user`,
  );
  expect(rows).toEqual([
    {
      rolsuper: false,
      rolcreatedb: false,
      rolcreaterole: false,
      rolreplication: false,
      rolbypassrls: false,
      memberships: 0,
      owned: 0,
    },
  ]);
});

test("the application's role reads and writes every table but a few, partitions through their table alone, and may do nothing else with any", async () => {
  const { rows } = await owner.query<{ name: string; rights: string; is_partition: boolean }>(
    `SELECT tablename AS name, (SELECT relispartition FROM pg_class WHERE oid = ('public.' || tablename)::regclass) AS is_partition,
            (SELECT coalesce(string_agg(p, ' '), '') FROM unnest($2::text[]) p WHERE has_table_privilege($1, 'public.' || tablename, p)) AS rights
     FROM pg_tables WHERE schemaname = 'public'`,
    [app.user, ["SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER", "MAINTAIN"]],
  );
  expect(rows.length).toBeGreaterThan(15);
  const exceptions: Readonly<Record<string, string>> = {
    audit_entry: "SELECT",
    task: "SELECT INSERT UPDATE",
    task_event: "SELECT INSERT",
    task_before_events: "SELECT",
    practice_key: "SELECT INSERT UPDATE",
    attachment: "SELECT INSERT",
    revision_attachment: "SELECT INSERT",
    decision_receipt: "SELECT INSERT",
    case_note: "SELECT INSERT",
    gate_opened: "SELECT INSERT",
    release_due: "SELECT UPDATE",
    submission_in_hand: "SELECT",
    seal_format: "SELECT",
    settings_version: "SELECT INSERT",
    channel_version: "SELECT INSERT",
    _prisma_migrations: "",
  };
  expect(rows.filter(({ is_partition: isPartition }) => isPartition).length).toBeGreaterThan(2);
  const whole = "SELECT INSERT UPDATE DELETE";
  for (const { name, rights, is_partition: isPartition } of rows)
    expect(rights, name).toBe(isPartition ? "" : (exceptions[name] ?? whole));
});

test.each([
  "CREATE TABLE mine (id int)",
  "CREATE TEMP TABLE mine (id int)",
  "CREATE SCHEMA mine",
  "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
  "CREATE INDEX ON task (reference)",
  "CREATE TRIGGER mine BEFORE UPDATE ON task EXECUTE FUNCTION audit_refuse()",
  "ALTER TABLE task ADD COLUMN mine int",
  "ALTER TABLE task DROP CONSTRAINT task_stage_end",
  "DROP TABLE task",
  "TRUNCATE task",
  "DELETE FROM task",
  "SELECT * FROM _prisma_migrations",
])("the application's role changes no schema: %s", refusedToApp);

test.each([
  "INSERT INTO audit_entry SELECT * FROM audit_entry",
  "UPDATE audit_entry SET act = 'other'",
  "DELETE FROM audit_entry",
  "TRUNCATE audit_entry",
  "SELECT * FROM audit_entry FOR UPDATE",
  "COPY audit_entry FROM STDIN",
  "MERGE INTO audit_entry a USING practice p ON a.chain = p.id WHEN MATCHED THEN DELETE",
  "ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_no_change",
  "ALTER TABLE audit_entry DISABLE TRIGGER ALL",
  "ALTER TABLE audit_entry RENAME TO other",
  "DROP TRIGGER audit_entry_no_change ON audit_entry",
  "DROP FUNCTION audit_append",
  "ALTER FUNCTION audit_refuse() RENAME TO other",
  "SET session_replication_role = replica",
])("the application's role cannot touch the record: %s", refusedToApp);

test("the application's role appends to the record, and nobody changes what it appended", async () => {
  await app.query("SELECT audit_append($1, 'test', 'test', NULL, '{}')", [chain]);
  const before = await entries();
  expect(before).toHaveLength(1);
  const changes = ["UPDATE audit_entry SET act = 'other' WHERE chain = $1", "DELETE FROM audit_entry WHERE chain = $1"];
  for (const sql of changes)
    await expect(owner.query(sql, [chain]), sql).rejects.toThrow("audit entries are never changed or removed");
  await expect(owner.query("TRUNCATE audit_entry")).rejects.toThrow("audit entries are never changed or removed");
  expect(await entries()).toEqual(before);
});

async function entries(): Promise<unknown[]> {
  return (await app.query("SELECT * FROM audit_entry WHERE chain = $1", [chain])).rows;
}

async function refusedToApp(sql: string): Promise<void> {
  await expect(app.query(sql)).rejects.toThrow(/^(permission denied|must be owner)/);
}
