import { installThenOwnNode } from "../setup/install.mjs";
import { fail } from "../processes/report.mjs";

try {
  if (await installThenOwnNode("scripts/start/start.mjs"))
    await (await import("./starter.mjs")).start(process.argv.slice(2));
} catch (error) {
  fail(error);
}
