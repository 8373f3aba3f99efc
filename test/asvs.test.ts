import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../scripts/files.mjs";

const page = readFileSync(join(root, "docs", "asvs.md"), "utf8");
const rows = [...page.matchAll(/^\| (\d+\.\d+\.\d+) +\| (.+?) +\| (done|n\/a|open) +\| (.+?) +\|$/gm)].map(
  ([, id = "", , state = "", why = ""]) => ({ id, state, why }),
);

test("every requirement that is done names a test there is, and each stands once", () => {
  expect(rows.length).toBeGreaterThan(100);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  for (const { id, why } of rows.filter(({ state }) => state === "done")) {
    const [, file = "", name = "-"] = /^\[(.+?)\]\(\.\.\/\1\): (.+)$/.exec(why) ?? [];
    const path = join(root, file);
    const text = file !== "" && existsSync(path) ? readFileSync(path, "utf8") : "";
    expect(text.includes(name), `${id}: "${name}" in ${file}`).toBe(true);
  }
});

test("the counts at the top are those of the tables", () => {
  const count = (state: string) => rows.filter((row) => row.state === state).length;
  expect(page).toContain(
    `Of ${rows.length} requirements ${count("done")} are done, ${count("n/a")} do not apply; open: ${count("open")}.`,
  );
});
