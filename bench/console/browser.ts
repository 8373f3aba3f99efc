import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { chromium, type Browser } from "@playwright/test";
import { ensureBrowser } from "../../scripts/setup/browser.mjs";

/** Chromium gives its processes priorities of its own, so a low one would not last; what the scheduler calls idle does. */
const idle = "chrt --idle 0";

/**
 * A browser that gives way to everything else: a reader's runs on a machine of their own, and takes no core from server
 * and Postgres while they answer. All its processes inherit it.
 */
export async function openPoliteBrowser(folder: string): Promise<Browser> {
  const browser = await ensureBrowser({ installing: () => {} });
  const executablePath = join(folder, "browser.sh");
  const quoted = `'${browser.replaceAll("'", String.raw`'\''`)}'`;
  const politely = givesWay() ? `${idle} ` : "";
  writeFileSync(executablePath, `#!/bin/sh\nexec ${politely}${quoted} "$@"\n`, { mode: 0o700 });
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

/** What stands over the figures. */
export function conditions(): string {
  const shared = `Browser, server and Postgres share ${availableParallelism()} cores`;
  const browser = givesWay()
    ? "; the browser runs when they leave it a core (SCHED_IDLE), since a reader's own would take none of them."
    : ", each as important as the others.";
  return `${shared}${browser} What was read while the host gave the processors to others is set aside and read again; where it left no time for that, it counts as disturbed.`;
}

/** Whether this machine has idle processes, as Linux does. */
function givesWay(): boolean {
  return spawnSync("sh", ["-c", `${idle} true`]).status === 0;
}
