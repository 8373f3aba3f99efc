import { runPrepared } from "../../scripts/setup/run-prepared.mjs";

await runPrepared("bench/console/start.mjs", async (args) => (await import("./main.ts")).benchConsole(args));
