import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Before this day nothing was released, and a migration might change what no other program used. */
const firstRelease = "20261126";

/** What the runner sees to (scripts/database/step.ts), and what is a matter of taste. */
const excluded = [
  ...["require-lock-timeout", "require-statement-timeout", "prefer-robust-stmts", "prefer-text-field"],
  ...["prefer-bigint-over-int", "prefer-bigint-over-smallint", "prefer-identity", "require-timeout-settings"],
  "ban-concurrent-index-creation-in-transaction",
];

/** What Squawk (https://squawkhq.com/docs/rules) finds in SQL that is run while the program of the release before runs. */
function problemsIn(sql: string, path: string): readonly string[] {
  // As if it were one transaction, so that an index on a table it has just made locks nobody out.
  const args = [
    "--reporter=json",
    "--pg-version=16",
    "--assume-in-transaction",
    `--exclude=${excluded.join(",")}`,
    `--stdin-filepath=${path}`,
  ];
  const { stdout, error } = spawnSync("node_modules/.bin/squawk", args, { input: sql, encoding: "utf8" });
  if (error) throw error;
  // Safe because Squawk documents this format.
  return (JSON.parse(stdout) as { readonly rule_name: string }[]).map(({ rule_name: rule }) => rule);
}

test.each([
  ["ALTER TABLE task DROP COLUMN state;", "ban-drop-column"],
  ["ALTER TABLE task RENAME COLUMN state TO status;", "renaming-column"],
  ["ALTER TABLE task ALTER COLUMN state TYPE varchar(9);", "changing-column-type"],
  ["ALTER TABLE task ALTER COLUMN state SET NOT NULL;", "adding-not-nullable-field"],
  ["ALTER TABLE task ADD COLUMN size int NOT NULL;", "adding-required-field"],
  ["ALTER TABLE task ADD CONSTRAINT a CHECK (state <> '');", "constraint-missing-not-valid"],
  ["CREATE INDEX a ON task (state);", "require-concurrent-index-creation"],
])("a migration that the running program would not survive is found: %s", (sql, rule) => {
  expect(problemsIn(sql, "planted.sql")).toContain(rule);
});

test("what only adds is no problem, nor what a later release takes away and says so", () => {
  const sql = `
    CREATE TABLE later (id UUID PRIMARY KEY, name TEXT NOT NULL);
    CREATE INDEX later_name_idx ON later (name);
    ALTER TABLE task ADD COLUMN later TEXT;
    ALTER TABLE task ADD CONSTRAINT a CHECK (later <> '') NOT VALID;
    CREATE INDEX CONCURRENTLY task_later_idx ON task (later);
    -- No program has used it since 1.2.0.
    -- squawk-ignore ban-drop-column
    ALTER TABLE task DROP COLUMN earlier;`;
  expect(problemsIn(sql, "planted.sql")).toEqual([]);
});

test("every migration since the first release leaves the program of the release before working", () => {
  const since = globSync("prisma/migrations/*/migration.sql").filter(
    (path) => path > `prisma/migrations/${firstRelease}`,
  );
  const problems = since.flatMap((path) =>
    problemsIn(readFileSync(path, "utf8"), path).map((rule) => `${path}: ${rule}`),
  );
  expect(problems).toEqual([]);
});
