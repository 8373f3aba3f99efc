import { availableParallelism } from "node:os";
import { ensureGenerated } from "../setup/generate.mjs";
import { say, step, trouble } from "../processes/report.mjs";
import { runTool } from "../setup/tools.mjs";

/** Every check, the slowest first; each is one or more commands of which the next waits for the one before. */
const checks = {
  types: [
    ["node_modules/next/dist/bin/next", "typegen"],
    // Next still needs the one before, which takes eight times as long for the same.
    ["node_modules/typescript-7/bin/tsc", "--noEmit"],
  ],
  // Beside the other checks a test may take many times as long as alone.
  tests: [
    ["node_modules/vitest/vitest.mjs", "run", "--project", "pure", "--reporter", "dot", "--testTimeout", "30000"],
  ],
  format: [["node_modules/oxfmt/bin/oxfmt", "--check"]],
  lint: [["node_modules/oxlint/bin/oxlint"]],
  "dead-code": [["node_modules/knip/bin/knip.js"]],
};

const remedies = {
  format: "`npm run format` writes them as they should be.",
  lint: "`npx oxlint --fix` mends some of these.",
};

/** Runs the checks with these names, or all, as many at once as there are processors; each prints a line, and all it said where it failed. */
export async function runChecks(names) {
  const unknown = names.find((name) => !Object.hasOwn(checks, name));
  if (unknown !== undefined)
    throw trouble(`There is no check ${unknown}: choose of ${Object.keys(checks).join(", ")}.`);
  await step("client", async () => ((await ensureGenerated()) ? { line: "database client generated" } : undefined));
  const waiting = names.length === 0 ? Object.keys(checks) : [...names];
  await Promise.all(Array.from({ length: availableParallelism() }, () => checkNext(waiting)));
}

async function checkNext(waiting) {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    if (!(await check(name))) process.exitCode = 1;
  }
}

async function check(name) {
  const began = performance.now();
  let output = "";
  for (const args of checks[name]) {
    const { ok, text } = await runTool(args, { env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" } });
    output += text;
    if (ok) continue;
    say(name, "failed", performance.now() - began);
    process.stdout.write(`\n${output.trim()}\n${remedies[name] ?? ""}\n\n`);
    return false;
  }
  say(name, "passed", performance.now() - began);
  return true;
}
