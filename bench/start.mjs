import { runPrepared } from "../scripts/setup/run-prepared.mjs";

await runPrepared("bench/start.mjs", async (args) => (await import("./main.ts")).bench(args));
