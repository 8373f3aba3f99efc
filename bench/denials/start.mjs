import { runPrepared } from "../../scripts/setup/run-prepared.mjs";

await runPrepared("bench/denials/start.mjs", async (args) => (await import("./main.ts")).benchDenials(args));
