import { installThenOwnNode } from "../../scripts/setup/install.mjs";
import { fail } from "../../scripts/processes/report.mjs";

try {
  if (await installThenOwnNode("bench/quickstart/start.mjs")) {
    await (await import("./main.ts")).benchQuickstart();
  }
} catch (error) {
  fail(error);
}
