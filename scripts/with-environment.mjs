import { installThenOwnNode } from "./install.mjs";
import { fail } from "./report.mjs";

try {
  if (await installThenOwnNode("scripts/with-environment.mjs"))
    process.exitCode = await (await import("./run-beside.mjs")).runBeside(process.argv.slice(2));
} catch (error) {
  fail(error);
}
