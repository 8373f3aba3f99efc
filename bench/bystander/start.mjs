import { ensureGenerated } from "../../scripts/generate.mjs";
import { installThenOwnNode } from "../../scripts/install.mjs";
import { fail } from "../../scripts/report.mjs";

// The payers of the bench are on this machine.
process.env.OUTBOUND_PRIVATE_NETWORKS ??= "127.0.0.0/8,::1/128";

try {
  if (await installThenOwnNode("bench/bystander/start.mjs")) {
    await ensureGenerated();
    await (await import("./main.ts")).benchBystander(process.argv.slice(2));
  }
} catch (error) {
  fail(error);
}
