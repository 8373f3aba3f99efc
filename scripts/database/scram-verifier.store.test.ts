import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { freshDatabase, superuserUrl } from "#test/support/database/fresh-database";
import { scramVerifier } from "./scram-verifier.ts";

test.each(["poor", "~ it's \\ 100% $1"])(
  "what a statement says in place of the password %s is what Postgres itself keeps of it",
  async (password) => {
    const superuser = new pg.Client({ connectionString: superuserUrl(await freshDatabase()) });
    await superuser.connect();
    const role = `kept_${process.pid}`;
    onTestFinished(async () => {
      await superuser.query(`DROP ROLE IF EXISTS ${role}`);
      await superuser.end();
    });
    const kept = async () => {
      const { rows } = await superuser.query<{ kept: string }>(
        "SELECT rolpassword AS kept FROM pg_authid WHERE rolname = $1",
        [role],
      );
      return rows[0]?.kept;
    };
    await superuser.query(`CREATE ROLE ${role} PASSWORD ${pg.escapeLiteral(password)}`);
    const made = await kept();
    const [, salt = ""] = /:([^$]+)\$/.exec(made ?? "") ?? [];
    const verifier = scramVerifier(password, Buffer.from(salt, "base64"));
    expect(verifier).toBe(made);
    await superuser.query(`ALTER ROLE ${role} PASSWORD ${pg.escapeLiteral(scramVerifier(password) ?? "")}`);
    expect(await kept()).toMatch(/^SCRAM-SHA-256\$4096:/);
  },
);

test("a password that the server prepares first is not said so", () => {
  expect(scramVerifier("müde")).toBeUndefined();
});
