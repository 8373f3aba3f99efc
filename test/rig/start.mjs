import { runPrepared } from "../../scripts/setup/run-prepared.mjs";

const rigs = {
  failover: async () => (await import("./failover/rig.ts")).rigFailover,
  pgbouncer: async () => (await import("./pgbouncer/rig.ts")).rigPgBouncer,
  restore: async () => (await import("./restore/drill.ts")).drillRestore,
};

await runPrepared("test/rig/start.mjs", async ([name, ...args]) => {
  const run = await rigs[name]();
  await run(args);
});
