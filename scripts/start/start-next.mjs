import { installThenOwnNode } from "../setup/install.mjs";
import { fail } from "../processes/report.mjs";

try {
  if (await installThenOwnNode("scripts/start/start-next.mjs"))
    process.exitCode = await (await import("./run-beside.mjs")).runPlainNext();
} catch (error) {
  fail(error);
}
