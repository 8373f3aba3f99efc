import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { aSimulator } from "#test/support/payer/simulator";

const page = readFileSync(new URL("../docs/simulator.md", import.meta.url), "utf8");

/** The rows of the tables whose first cell is code, without the padding. */
function rows(): string[] {
  return page
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.replace(/\s+\|/g, " |").replace(/\|\s+/g, "| "));
}

test("the page tells every scenario as the control API does", async () => {
  const { control } = await aSimulator();
  const { scenarios } = (await control("GET", "scenarios")).body as { scenarios: { ending: string; does: string }[] };
  expect(scenarios.length).toBeGreaterThan(20);
  for (const { ending, does } of scenarios) expect(rows()).toContain(`| \`${ending}\` | ${does} |`);
});

test("the page tells every fault as the control API does", async () => {
  const { control } = await aSimulator();
  const { known } = (await control("GET", "faults")).body as {
    known: Record<string, Record<string, { does: string }>>;
  };
  const documented = Object.values(known).flatMap((table) => Object.entries(table));
  expect(documented.length).toBeGreaterThan(15);
  for (const [name, { does }] of documented) expect(rows()).toContain(`| \`${name}\` | ${does} |`);
});
