import { runPrepared } from "../../scripts/setup/run-prepared.mjs";

await runPrepared("bench/growth/start.mjs", async (args) => (await import("./main.ts")).benchGrowth(args));
