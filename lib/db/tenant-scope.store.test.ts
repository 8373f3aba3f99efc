import pg, { type Connection, type PoolClient } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aStore } from "#test/support/cases/cases";
import { testDatabase } from "#test/support/database/fresh-database";
import { describedOnce } from "./tenant-scope.ts";
import { unscoped } from "./db.ts";

const store = aStore();
let client: PoolClient & { readonly connection?: Connection };
let descriptions = 0;

beforeAll(async () => {
  client = await unscoped(store).pool.connect();
  client.connection?.on("rowDescription", () => (descriptions += 1));
});
afterAll(async () => {
  client.release();
  await store.close();
});

type Statement = {
  readonly name?: string | undefined;
  readonly text: string;
  readonly values?: readonly unknown[];
  readonly types?: pg.CustomTypesConfig;
};

/** What a client gives, of a statement made by hand as of one it made itself. */
function ask({ values = [], ...statement }: Statement, of: pg.ClientBase = client): Promise<pg.QueryResult> {
  const query = describedOnce(new pg.Query({ ...statement, values: [...values] }));
  return new Promise((resolve, reject) => {
    Object.assign(query, {
      callback: (error: Error | null, result: pg.QueryResult) => (error ? reject(error) : resolve(result)),
    });
    of.query(query);
  });
}

const every = {
  name: "described-once",
  text: `SELECT n, to_timestamp(n) AS at, ARRAY['a', 'b'] AS list, 'x'::bytea AS bytes, NULL::text AS nothing, 7 / n AS share
           FROM generate_series($1::int, $2::int) n`,
};

test("a statement described before is read as it was the first time, and is not described again", async () => {
  const before = descriptions;
  const results = [];
  for (const last of [1, 2, 0, 1]) results.push(await ask({ ...every, values: [1, last] }));
  expect(descriptions).toBe(before + 1);
  const { rows } = await client.query({ ...every, name: "described-by-pg", values: [1, 2] });
  expect(results.map((result) => result.rows)).toStrictEqual([rows.slice(0, 1), rows, [], rows.slice(0, 1)]);
  expect(results.map(({ rowCount }) => rowCount)).toEqual([1, 2, 0, 1]);
});

test("two rows of a statement that is not described again share nothing", async () => {
  const [one, other] = (await ask({ ...every, values: [1, 2] })).rows;
  one.list.push("c");
  expect(other.list).toEqual(["a", "b"]);
});

test("a statement fails by itself whether or not it was described, and the next is answered", async () => {
  await expect(ask({ ...every, name: "fails-first", values: [0, 0] })).rejects.toThrow("division by zero");
  expect((await ask({ ...every, name: "fails-first", values: [1, 1] })).rows).toHaveLength(1);
  await expect(ask({ ...every, name: "fails-first", values: [0, 0] })).rejects.toThrow("division by zero");
  expect((await ask({ ...every, name: "fails-first", values: [7, 7] })).rows).toMatchObject([{ n: 7, share: 1 }]);
});

test("a statement whose table changed is refused, never read as it was before", async () => {
  const owner = new pg.Client({ connectionString: testDatabase.ownerUrl });
  await owner.connect();
  const statement = { name: "described-before", text: "SELECT * FROM changed" };
  await owner.query("CREATE TEMP TABLE changed AS SELECT 1 AS first");
  expect((await ask(statement, owner)).rows).toEqual([{ first: 1 }]);
  await owner.query("ALTER TABLE changed ADD second int DEFAULT 2");
  await expect(ask(statement, owner)).rejects.toThrow("cached plan must not change result type");
  await owner.end();
});

test("statements without a name, and those that bring readers of types, are described each time", async () => {
  const text = "SELECT 1 AS one";
  expect((await ask({ name: undefined, text })).rows).toEqual([{ one: 1 }]);
  expect((await ask({ name: undefined, text: "SELECT 'x' AS other" })).rows).toEqual([{ other: "x" }]);
  const readAs = (read: string) => ({ getTypeParser: () => () => read });
  for (const read of ["first", "second"]) {
    expect((await ask({ name: "own-readers", text, types: readAs(read) })).rows).toEqual([{ one: read }]);
  }
});
