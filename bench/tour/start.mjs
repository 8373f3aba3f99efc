import { runPrepared } from "../../scripts/setup/run-prepared.mjs";

await runPrepared("bench/tour/start.mjs", async () => (await import("./main.ts")).countTour());
