import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

const runTests = (...args: readonly string[]) =>
  spawnSync(process.execPath, ["scripts/checks/test.mjs", ...args], { encoding: "utf8" });

test.each([
  ["alone", ["lib/task/no-such-file.store.test.ts"]],
  ["beside one that is there", ["--only=unit", "lib/platform/log.test.ts", "lib/lgo.test.ts"]],
  ["among the browser's", ["e2e/no-such-file.spec.ts"]],
  ["among the browser's, with a line", ["--only=e2e", "e2e/qeue.spec.ts:12"]],
])("a test asked for by a path that no test has fails the run before anything runs: %s", (_, args) => {
  const { status, stdout, stderr } = runTests(...args);
  expect(status).toBe(1);
  expect(stderr).toContain(`No test file has ${args.at(-1)} in its path`);
  expect(stdout).not.toContain("passed");
});
