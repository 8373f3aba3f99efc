import { installThenOwnNode } from "./install.mjs";
import { fail } from "./report.mjs";

try {
  if (await installThenOwnNode("scripts/check.mjs"))
    await (await import("./run-checks.mjs")).runChecks(process.argv.slice(2));
} catch (error) {
  fail(error);
}
