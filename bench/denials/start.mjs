import { ensureGenerated } from "../../scripts/generate.mjs";
import { installThenOwnNode } from "../../scripts/install.mjs";
import { fail } from "../../scripts/report.mjs";

try {
  if (await installThenOwnNode("bench/denials/start.mjs")) {
    await ensureGenerated();
    await (await import("./main.ts")).benchDenials(process.argv.slice(2));
  }
} catch (error) {
  fail(error);
}
