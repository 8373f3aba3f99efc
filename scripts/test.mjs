import { installThenOwnNode } from "./install.mjs";
import { fail } from "./report.mjs";

try {
  if (await installThenOwnNode("scripts/test.mjs"))
    await (await import("./run-tests.mjs")).runTests(process.argv.slice(2));
} catch (error) {
  fail(error);
}
