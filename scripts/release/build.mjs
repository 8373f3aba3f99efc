import { installThenOwnNode } from "../setup/install.mjs";
import { fail } from "../processes/report.mjs";

try {
  if (await installThenOwnNode("scripts/release/build.mjs"))
    await (await import("./release.mjs")).release(process.argv.slice(2));
} catch (error) {
  fail(error);
}
