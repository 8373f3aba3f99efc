import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { freshDatabase, superuserUrl } from "#test/support/database/fresh-database";
import { withLogin } from "../../lib/platform/process/database-url.ts";
import { ensureAppRole } from "./roles.ts";
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

test.each([
  ["XX000", "Neon only supports being given plaintext passwords"],
  ["0A000", "password type is not a plain text"],
])("a server that refuses what it would keep of a password (%s, %s) is told the password", async (code, message) => {
  const database = await freshDatabase();
  const superuser = new pg.Client({ connectionString: superuserUrl(database) });
  await superuser.connect();
  const user = `judged_${process.pid}`;
  onTestFinished(async () => {
    await superuser.query(`DROP ROLE IF EXISTS ${user}`);
    await superuser.end();
  });
  const owner = refusing(superuser, Object.assign(new pg.DatabaseError(message, 0, "error"), { code }));
  const appUrl = (password: string) => withLogin(database.appUrl, { user, password });
  await superuser.query(`GRANT CONNECT ON DATABASE ${new URL(database.appUrl).pathname.slice(1)} TO PUBLIC`);
  for (const password of ["first", "second"]) {
    await ensureAppRole(owner, appUrl(password));
    const client = new pg.Client({ connectionString: appUrl(password) });
    await client.connect();
    expect((await client.query("SELECT current_user::text AS me")).rows).toEqual([{ me: user }]);
    await client.end();
  }
});

/** The same client, whose server takes no verifier. */
function refusing(client: pg.Client, refusal: Error): pg.Client {
  return new Proxy(client, {
    get: (target, name) => {
      if (name !== "query") return Reflect.get(target, name);
      return (text: string, values?: unknown[]) =>
        text.includes("SCRAM-SHA-256$") ? Promise.reject(refusal) : target.query(text, values);
    },
  });
}
