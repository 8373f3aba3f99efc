import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isThere } from "#test/support/docs/named-tests";
import { root } from "../../scripts/setup/files.mjs";

const page = readFileSync(join(root, "docs", "attacks.md"), "utf8");
/** The rows of its tables, without heads and rules. */
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (---|attack |what |proof )/.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()));

test("every attack names the test that tries it again, and a measured state before it names none", () => {
  expect(rows.length).toBeGreaterThan(50);
  for (const [, what = "", ...cells] of rows) {
    const named = cells.at(-2) ?? "";
    expect([what, named === "" || isThere(named)]).toEqual([what, true]);
    expect([what, named === ""]).toEqual([what, what.endsWith(", before")]);
  }
});
