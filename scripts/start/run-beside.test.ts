import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

test.each([[["person", "create", "--help"]], [["help", "person"]], [[]]])(
  "the command line explains itself where nothing runs: pa %j",
  async (args) => {
    expect(await paWhereNothingRuns(args)).toContain("Usage: npm run pa --");
  },
);

test("any other command says that nothing runs, and what to do", async () => {
  expect(await paWhereNothingRuns(["practice", "list"])).toMatch(/^\nNothing runs on .*npm start/);
});

async function paWhereNothingRuns(args: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "nothing-runs-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { PATH } = process.env;
  const command = ["scripts/start/with-environment.mjs", "lib/cli/main.ts", ...args];
  // A refusal is on the other output, and without a command it ends with 1.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, command, {
    env: { PATH, DATA_DIR: folder, NODE_ENV: "test" },
  }).catch((error: unknown) => error as { readonly stdout: string; readonly stderr: string });
  return `${stdout}${stderr}`;
}
