import pg from "pg";
import { expect, test } from "vitest";
import { dropClone, freshDatabase, superuserUrl } from "#test/support/database/fresh-database";
import { grantRights } from "../../scripts/database/roles.ts";

test("what an extension brought into the schema is left to its maker, and our rights are given all the same", async () => {
  const database = await freshDatabase();
  const superuser = new pg.Client({ connectionString: superuserUrl(database) });
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await Promise.all([superuser.connect(), client.connect()]);
  try {
    await superuser.query("CREATE FUNCTION public.of_another() RETURNS int LANGUAGE sql AS 'SELECT 1'");
    await superuser.query("CREATE TABLE public.of_another ()");
    await grantRights(client, database.appUrl);
    const { rows } = await client.query(
      "SELECT has_function_privilege($1, 'task_known(uuid)', 'EXECUTE') AS ours, has_table_privilege($1, 'of_another', 'SELECT') AS theirs",
      [new URL(database.appUrl).username],
    );
    expect(rows).toEqual([{ ours: true, theirs: false }]);
  } finally {
    await Promise.all([superuser.end(), client.end()]);
    await dropClone(database);
  }
});
