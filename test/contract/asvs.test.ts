import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isThere } from "#test/support/docs/named-tests";
import { root } from "../../scripts/setup/files.mjs";

const page = readFileSync(join(root, "docs", "asvs.md"), "utf8");
const rows = [...page.matchAll(/^\| (\d+\.\d+\.\d+) +\| (.+?) +\| (done|part|n\/a|open) +\| (.+?) +\|$/gm)].map(
  ([, id = "", , state = "", why = ""]) => ({ id, state, why }),
);

/** The tests a row names, and what it says that none of them proves. */
function readWhy(why: string): { readonly tests: readonly string[]; readonly unproved: string | undefined } {
  const [tests = "", unproved] = why.split("; not proved: ");
  return { tests: tests.split(/; (?=\[)/), unproved };
}

test("every requirement that is done names the tests there are, one that is so in part says what they leave, and each stands once", () => {
  expect(rows.length).toBeGreaterThan(100);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  for (const { id, state, why } of rows.filter((row) => ["done", "part"].includes(row.state))) {
    const { tests, unproved } = readWhy(why);
    expect([id, unproved !== undefined]).toEqual([id, state === "part"]);
    for (const named of tests) expect([id, named, isThere(named)]).toEqual([id, named, true]);
  }
});

test("the counts at the top are those of the tables", () => {
  const count = (state: string) => rows.filter((row) => row.state === state).length;
  expect(page).toContain(
    `Of ${rows.length} requirements ${count("done")} are done, ${count("part")} in part, ${count("n/a")} do not apply; open: ${count("open")}.`,
  );
});
