import { runPrepared } from "../../scripts/setup/run-prepared.mjs";

const rigs = {
  dashboards: async () => (await import("./dashboards/rig.ts")).rigDashboards,
  failover: async () => (await import("./failover/rig.ts")).rigFailover,
  pgbouncer: async () => (await import("./pgbouncer/rig.ts")).rigPgBouncer,
  upgrade: async () => (await import("./upgrade/rig.ts")).rigUpgrade,
  restore: async () => (await import("./restore/drill.ts")).drillRestore,
};

await runPrepared("test/rig/start.mjs", async ([name, ...args]) => {
  const run = await rigs[name]();
  await run(args);
});
