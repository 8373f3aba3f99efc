import { ensureGenerated } from "../../scripts/setup/generate.mjs";
import { installThenOwnNode } from "../../scripts/setup/install.mjs";
import { fail } from "../../scripts/processes/report.mjs";

// The payer of a rig is on this machine.
process.env.OUTBOUND_PRIVATE_NETWORKS ??= "127.0.0.0/8,::1/128";

const rigs = {
  failover: async () => (await import("./failover/rig.ts")).rigFailover,
  pgbouncer: async () => (await import("./pgbouncer/rig.ts")).rigPgBouncer,
  restore: async () => (await import("./restore/drill.ts")).drillRestore,
};

try {
  if (await installThenOwnNode("test/rig/start.mjs")) {
    await ensureGenerated();
    const [name, ...args] = process.argv.slice(2);
    await (
      await rigs[name]()
    )(args);
  }
} catch (error) {
  fail(error);
}
