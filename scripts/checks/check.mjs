import { installThenOwnNode } from "../setup/install.mjs";
import { fail } from "../processes/report.mjs";

try {
  if (await installThenOwnNode("scripts/checks/check.mjs"))
    await (await import("./run-checks.mjs")).runChecks(process.argv.slice(2));
} catch (error) {
  fail(error);
}
