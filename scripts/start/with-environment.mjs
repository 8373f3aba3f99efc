import { installThenOwnNode } from "../setup/install.mjs";
import { fail } from "../processes/report.mjs";

try {
  if (await installThenOwnNode("scripts/start/with-environment.mjs"))
    process.exitCode = await (await import("./run-beside.mjs")).runBeside(process.argv.slice(2));
} catch (error) {
  fail(error);
}
