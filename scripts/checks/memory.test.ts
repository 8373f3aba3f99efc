import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, expect, test } from "vitest";
import { openScratch } from "./memory.mjs";

test("a run takes away what one that was killed left in memory, leaves what one still has, and nothing of its own", () => {
  const memory = mkdtempSync(join(tmpdir(), "memory-"));
  onTestFinished(() => rmSync(memory, { recursive: true, force: true }));
  const { pid: ended } = spawnSync(process.execPath, ["--version"]);
  const [left, kept] = [`prior-authorization-run-${ended}-a`, `prior-authorization-run-${process.ppid}-b`];
  for (const name of [left, kept]) {
    mkdirSync(join(memory, name));
    writeFileSync(join(memory, name, "file"), "x");
  }
  const { folder, close } = openScratch(memory);
  expect(folder).toContain(memory);
  expect(readdirSync(memory)).toHaveLength(2);
  close();
  expect(readdirSync(memory)).toEqual([kept]);
});
