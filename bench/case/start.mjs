import { runPrepared } from "../../scripts/setup/run-prepared.mjs";

await runPrepared("bench/case/start.mjs", async (args) => (await import("./main.ts")).benchCase(args));
