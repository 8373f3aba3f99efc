import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { statementsOf } from "./statements.ts";
import { isAboutNothing } from "./unnamed-constraints.ts";

test("before Postgres 18 the renames of NOT NULL are left out, and nothing else of the migration is", async () => {
  const name = "20261125002000_glossary_names";
  const statements = await statementsOf(name, readFileSync(`prisma/migrations/${name}/migration.sql`, "utf8"));
  const leftOut = (version: number) => statements.filter(({ text }) => isAboutNothing(text, version));
  expect(leftOut(180_000)).toEqual([]);
  expect(leftOut(170_012).map(({ text }) => /\w+_not_null/.exec(text)?.[0])).toEqual([
    ...["task_motion_not_null", "task_holds_not_null", "gate_by_hand_not_null"],
    ...["transmission_by_hand_not_null", "person_role_by_hand_not_null"],
  ]);
});
