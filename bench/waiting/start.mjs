import { runPrepared } from "../../scripts/setup/run-prepared.mjs";

await runPrepared("bench/waiting/start.mjs", async (args) => (await import("./main.ts")).benchWaiting(args));
