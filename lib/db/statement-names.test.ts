import { expect, test } from "vitest";
import { statementNames } from "./statement-names.ts";

test("a statement is named from the second time on, and by its text alone", () => {
  const [one, other] = [statementNames(), statementNames()];
  const statement = { sql: "SELECT id FROM task WHERE id = $1" };
  expect([one(statement), other(statement)]).toEqual(["", ""]);
  const name = one(statement);
  expect(name).not.toBe("");
  expect(Buffer.byteLength(name)).toBeLessThan(64);
  expect([one(statement), other(statement)]).toEqual([name, name]);
  const another = { sql: `${statement.sql} AND practice_id = $2` };
  one(another);
  expect(one(another)).not.toBe(name);
});

test("what says the scope of a transaction is never named, and no more than 300 statements are", () => {
  const nameOf = statementNames();
  const named = (sql: string) => [nameOf({ sql }), nameOf({ sql })].at(-1) !== "";
  expect(["BEGIN", "COMMIT", "SET LOCAL app.practices = '{}'"].map(named)).toEqual([false, false, false]);
  const list = Array.from({ length: 2000 }, (_, length) => `SELECT ${length}`);
  expect(list.filter(named)).toHaveLength(300);
});
