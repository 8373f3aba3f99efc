import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { chromium, type Browser } from "@playwright/test";
import { ensureBrowser } from "../../scripts/browser.mjs";

/**
 * A browser that gives way to everything else: a reader's runs on a machine of their own, and takes no core from server
 * and Postgres while they answer. All its processes inherit it.
 */
export async function openPoliteBrowser(folder: string): Promise<Browser> {
  const browser = await ensureBrowser({ installing: () => {} });
  const executablePath = join(folder, "browser.sh");
  const quoted = `'${browser.replaceAll("'", String.raw`'\''`)}'`;
  // As many steps as there are, so that it is the lowest priority whatever that of the bench is.
  writeFileSync(executablePath, `#!/bin/sh\nexec nice -n 39 ${quoted} "$@"\n`, { mode: 0o700 });
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

/** What stands over the figures. */
export function conditions(): string {
  return `Browser, server and Postgres share ${availableParallelism()} cores; the browser runs at the lowest priority (nice 19), since a reader's own would take none of them.`;
}
