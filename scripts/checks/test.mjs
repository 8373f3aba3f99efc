import { installThenOwnNode } from "../setup/install.mjs";
import { fail } from "../processes/report.mjs";

try {
  if (await installThenOwnNode("scripts/checks/test.mjs"))
    await (await import("./run-tests.mjs")).runTests(process.argv.slice(2));
} catch (error) {
  fail(error);
}
