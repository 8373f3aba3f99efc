import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { layOutQuickstart, runInShell } from "#test/support/docs/guides";
import { readJson, root } from "../../scripts/setup/files.mjs";
import { trouble } from "../../scripts/processes/report.mjs";
import { sayRow } from "../one-server.ts";

type Demo = { readonly baseUrl?: string; readonly sandbox?: { readonly channelKey: string } };

/**
 * How long a newcomer's steps take against the service that `npm start` runs, once each block of the quickstart is saved:
 * from the command until it has printed the determination. Uses the running service's DATA_DIR, as `npm run sandbox` does.
 */
export async function benchQuickstart(): Promise<void> {
  // Safe because the demo's own start wrote it.
  const { baseUrl, sandbox } = readJson(join(resolve(root, process.env.DATA_DIR || ".data"), "demo.json"), {}) as Demo;
  if (baseUrl === undefined || sandbox === undefined)
    throw trouble("There is no sandbox here: start the service with demo data first (npm start), or set its DATA_DIR.");
  const folder = mkdtempSync(join(tmpdir(), "quickstart-"));
  const given = { PA_URL: baseUrl, PA_KEY: sandbox.channelKey };
  try {
    const steps = layOutQuickstart(folder);
    askAnew(join(folder, "review.json"));
    sayRow(["language", "seconds", "printed"]);
    sayRow(["---", "---", "---"]);
    for (const { heading, command } of steps) {
      const began = performance.now();
      // A newcomer's message is new too; the guide's id may name one of whoever tried it before.
      const printed = await runInShell(command.replace("quickstart-curl-1", crypto.randomUUID()), { folder, given });
      const seconds = (performance.now() - began) / 1_000;
      sayRow([heading, seconds.toFixed(2), printed.trim().split("\n").at(-1) ?? ""]);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A newcomer's request is the first of its kind; one that the payer already has would wait for a person. */
function askAnew(file: string): void {
  const review = JSON.parse(readFileSync(file, "utf8")) as { readonly subscriber: object };
  const subscriber = { ...review.subscriber, memberId: `NEW${crypto.randomUUID().slice(0, 8)}` };
  writeFileSync(file, JSON.stringify({ ...review, subscriber }));
}
