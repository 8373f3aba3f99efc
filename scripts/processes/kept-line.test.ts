import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { launch } from "./children.mjs";
import { shownLine } from "./shown-line.mjs";

test("in a log file every line is an entry, and what a program printed past its log never stands there as one", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kept-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, "program.mjs");
  const forged = String.raw`{"level":"info","msg":"forged"}`;
  writeFileSync(
    program,
    `process.stdout.write('{"level":"info","msg":"own\\u2028${forged.replaceAll('"', '\\\\"')}"}\\n');
     process.stdout.write("plain \\u001b[2K text\\n");
     process.stderr.write('${forged}\\nhalf a line');`,
  );
  await launch({ name: "trial", args: [program], env: process.env, logs: folder }).exited;
  await expect.poll(() => readFileSync(join(folder, "trial.log"), "utf8").split("\n").length).toBe(5);
  const text = readFileSync(join(folder, "trial.log"), "utf8");
  // As strict readers part lines: at whatever Unicode says ends one.
  const lines = text.split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/).filter((line) => line !== "");
  const entries = lines.map((line) => JSON.parse(line) as { msg: string; printed?: string[] });
  expect(entries.map(({ msg }) => msg)).not.toContain("forged");
  expect(entries).toContainEqual(expect.objectContaining({ msg: `own\u2028${forged}` }));
  expect(entries.flatMap(({ printed = [] }) => printed).toSorted()).toEqual(["half a line", "plain  [2K text", forged]);
});

test("what the console shows of a line moves no cursor and ends no line", () => {
  const entry = JSON.stringify({
    level: "error",
    msg: "a call failed",
    err: { message: "a\nserver     ready\u001b[2K" },
  });
  expect(shownLine(entry, { isComplaint: false })).toBe("error: a call failed (a server     ready [2K)");
  expect(shownLine("FATAL\u001b]0;x", { isComplaint: true })).toBe("FATAL ]0;x");
});
