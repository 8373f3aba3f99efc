import { installThenOwnNode } from "../../scripts/setup/install.mjs";
import { fail } from "../../scripts/processes/report.mjs";

try {
  if (await installThenOwnNode("bench/capacity/start.mjs"))
    (await import("./main.ts")).printCapacity(process.argv.slice(2));
} catch (error) {
  fail(error);
}
