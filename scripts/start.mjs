import { installThenOwnNode } from "./install.mjs";
import { fail } from "./report.mjs";

try {
  if (await installThenOwnNode("scripts/start.mjs")) await (await import("./starter.mjs")).start(process.argv.slice(2));
} catch (error) {
  fail(error);
}
