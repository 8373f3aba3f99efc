import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

test("a log is set aside while its program runs, so that however much it writes there are two files of about that size", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kept-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, "program.mjs");
  writeFileSync(program, `for (let at = 0; at < 1_000; at += 1) console.log(JSON.stringify({ level: "info", at }));`);
  const logBytesMax = 4_000;
  await launch({ name: "trial", args: [program], env: process.env, logs: folder, logBytesMax }).exited;
  const linesOf = (name: string) => readFileSync(join(folder, name), "utf8").split("\n").slice(0, -1);
  const last = (name: string) => Number(/\d+/.exec(linesOf(name).at(-1) ?? "")?.[0]);
  await expect.poll(() => last("trial.log")).toBe(999);
  const [aside, current] = [linesOf("trial.log.old"), linesOf("trial.log")];
  expect(readFileSync(join(folder, "trial.log.old")).length).toBeLessThan(logBytesMax + 100);
  expect(readFileSync(join(folder, "trial.log")).length).toBeLessThan(logBytesMax + 100);
  expect(aside.length).toBeGreaterThan(100);
  expect(readdirSync(folder).toSorted()).toEqual(["program.mjs", "trial.log", "trial.log.old"]);
  expect(last("trial.log.old") + current.length).toBe(999);
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
