import { runPrepared } from "../../scripts/setup/run-prepared.mjs";

await runPrepared("bench/submissions/start.mjs", async (args) => (await import("./main.ts")).benchSubmissions(args));
