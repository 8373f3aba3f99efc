import { join, resolve } from "node:path";
import { readDotEnv } from "./environment.mjs";
import { readJson, root } from "../setup/files.mjs";
import { installThenOwnNode } from "../setup/install.mjs";
import { fail } from "../processes/report.mjs";

try {
  if (await installThenOwnNode("scripts/start/agent.mjs")) process.exitCode = await runAgent(process.argv.slice(2));
} catch (error) {
  fail(error);
}

/** The example agent stands by itself; what it finds here is only the demo and the key. */
async function runAgent(args) {
  const { runAgent: run } = await import("../../agent/main.ts");
  readDotEnv();
  const demo = readJson(join(resolve(root, process.env.DATA_DIR || ".data"), "demo.json"), undefined);
  return await run({ args, demo, key: process.env.PA_CHANNEL_KEY || undefined });
}
