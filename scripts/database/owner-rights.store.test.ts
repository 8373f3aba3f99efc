import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { freshDatabase, superuserUrl } from "#test/support/database/fresh-database";
import { migrate } from "./migrate.ts";
import { type DatabaseFacts, ownerProblem } from "./owner-rights.ts";

const fit: DatabaseFacts = {
  role: "owner",
  database: "prior_auth",
  version: "16.0",
  number: 160_000,
  owns_database: true,
  may_create: true,
  foreign_objects: [],
};

test("a Postgres older than 16 is refused by its version, whatever its owner may do", () => {
  expect(ownerProblem(fit)).toBeUndefined();
  expect(ownerProblem({ ...fit, version: "15.18", number: 150_018 })).toMatch(
    /PostgreSQL 15\.18, .* needs 16 or later/,
  );
});

test("an owner without rights is refused with the rights it lacks, before anything is changed; the statements named give them", async () => {
  const database = await freshDatabase();
  const superuser = new pg.Client({ connectionString: superuserUrl(database) });
  await superuser.connect();
  const [role, app] = ["poor_owner", "poor_app"].map((name) => `${name}_${process.pid}`);
  onTestFinished(async () => {
    await superuser.query(`REASSIGN OWNED BY ${role} TO postgres; DROP OWNED BY ${role}, ${app} CASCADE`);
    await superuser.query(`DROP ROLE ${app}, ${role}`);
    await superuser.end();
  });
  await superuser.query(
    `CREATE ROLE ${role} LOGIN CREATEROLE PASSWORD 'poor'; CREATE ROLE ${app} LOGIN PASSWORD 'poor'`,
  );
  const name = new URL(database.ownerUrl).pathname.slice(1);
  await superuser.query(`GRANT CONNECT ON DATABASE ${name} TO ${role}`);
  await superuser.query("REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC");
  onTestFinished(() => void superuser.query("GRANT EXECUTE ON FUNCTION pg_control_system() TO PUBLIC"));
  const as = (user: string | undefined) => {
    const url = new URL(database.ownerUrl);
    Object.assign(url, { username: user, password: "poor" });
    return url.href;
  };
  const run = () => migrate({ ownerUrl: as(role), appUrl: as(app) });
  const refused = async () => String(await run().catch((error: unknown) => error));
  const statementsIn = (text: string) =>
    text.split("\n").flatMap((line) => /(?:ALTER|GRANT) .*;$/.exec(line)?.[0] ?? []);
  const lacking = await refused();
  expect(lacking).toMatch(/does not own the database.*\n.*may not create tables.*\n.*does not own this: ALTER TABLE/);
  for (const statement of statementsIn(lacking)) await superuser.query(statement);
  const refusal = await refused();
  expect(refusal).toMatch(/may not ask which database it is on[^]*GRANT EXECUTE ON FUNCTION pg_control_system\(\)/);
  for (const statement of statementsIn(refusal)) await superuser.query(statement);
  expect(await run()).toEqual([]);
}, 30_000);
