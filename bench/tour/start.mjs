import { ensureGenerated } from "../../scripts/setup/generate.mjs";
import { installThenOwnNode } from "../../scripts/setup/install.mjs";
import { fail } from "../../scripts/processes/report.mjs";

// The payer is on this machine.
process.env.OUTBOUND_PRIVATE_NETWORKS ??= "127.0.0.0/8,::1/128";

try {
  if (await installThenOwnNode("bench/tour/start.mjs")) {
    await ensureGenerated();
    await (await import("./main.ts")).countTour();
  }
} catch (error) {
  fail(error);
}
