import { fail } from "../processes/report.mjs";
import { installThenOwnNode } from "./install.mjs";

/**
 * Runs a bench or a rig as `script` under this project's own Node, once everything is installed and the database client
 * is generated. Its payers and receivers are on this machine, so requests to loopback are allowed.
 */
export async function runPrepared(script, run) {
  process.env.OUTBOUND_PRIVATE_NETWORKS ??= "127.0.0.0/8,::1/128";
  try {
    if (!(await installThenOwnNode(script))) return;
    // Only now, for the machine's Node may lack what this imports.
    const { ensureGenerated } = await import("./generate.mjs");
    await ensureGenerated();
    await run(process.argv.slice(2));
  } catch (error) {
    fail(error);
  }
}
