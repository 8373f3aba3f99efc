import { runPrepared } from "../../scripts/setup/run-prepared.mjs";

await runPrepared("bench/bystander/start.mjs", async (args) => (await import("./main.ts")).benchBystander(args));
