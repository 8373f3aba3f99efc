import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";

/** Imports that no room may have, by the file that would have them. */
const forbidden: Readonly<Record<string, readonly string[]>> = {
  "lib/newroom/a.ts": ["#lib/platform/now"],
  "lib/gate/model/a.ts": ["node:fs", "#lib/task/store/load-task"],
  "lib/audit/a.ts": [
    "#lib/person/store/people",
    "#lib/task/store/load-task",
    "#lib/queue/list-queue",
    "pg",
    "next/navigation",
    "#lib/db/generated/x",
  ],
  "lib/audit/store/a.ts": ["#lib/audit/browse-audit-log", "#lib/queue/live/hub", "react"],
  "lib/audit/shared/a.ts": ["#lib/audit/browse-audit-log", "#lib/person/store/people", "react"],
  "lib/platform/a.ts": ["#lib/db/db", "#lib/task/model/task"],
  "lib/db/a.ts": ["#lib/task/model/task"],
  "lib/payer/pas-fhir/a.ts": ["#lib/db/db", "#lib/payer/inbox/serve", "pg"],
  "lib/gate/receipt/a.ts": ["#lib/gate/release-gate", "#lib/db/db"],
  "lib/platform/process/a.ts": ["#lib/platform/log"],
  "app/queue/a.ts": [
    "#lib/db/db",
    "#lib/payer/connectors",
    "#lib/gate/store/votes",
    "#lib/gate/shared/gates",
    "#lib/worker/run",
    "pg",
  ],
  "components/list/a.ts": ["#lib/task/views", "#lib/person/store/people", "pino"],
  "simulator/core/a.ts": ["#lib/platform/log"],
};

const allowed: Readonly<Record<string, readonly string[]>> = {
  "lib/gate/model/b.ts": ["#lib/task/model/task", "zod"],
  "lib/audit/b.ts": ["#lib/task/shared/replayed-tasks", "#lib/audit/store/audit-chain", "#lib/platform/now"],
  "lib/gate/b.ts": ["#lib/task/store/load-task", "#lib/practice/shared/practices"],
  "lib/gate/shared/b.ts": ["#lib/gate/store/votes", "#lib/task/shared/case-owners", "pg"],
  "app/queue/b.ts": ["#lib/queue/list-queue", "#lib/payer/inbox/serve"],
};

const folder = mkdtempSync(join(tmpdir(), "rooms-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("an import across rooms that the table does not allow is a finding of the linter, and no other is", async () => {
  for (const [file, imports] of [...Object.entries(forbidden), ...Object.entries(allowed)]) {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, imports.map((from, index) => `export { a${index} } from "${from}";\n`).join(""));
  }
  // Without types, which the rules of imports do not need.
  const config = `import config from "${resolve("oxlint.config.ts")}";\nexport default { ...config, options: {} };\n`;
  writeFileSync(join(folder, "oxlint.config.ts"), config);
  const args = [resolve("node_modules/oxlint/bin/oxlint"), "--format=json"];
  const run = await promisify(execFile)(process.execPath, args, { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  type Finding = { readonly filename: string; readonly message: string; readonly code: string };
  const { diagnostics } = JSON.parse(run.stdout) as { readonly diagnostics: readonly Finding[] };
  const found = diagnostics
    .filter(({ code }) => code.includes("no-restricted-imports"))
    .map(({ filename, message }) => `${filename} ${/'([^']+)'/.exec(message)?.[1]}`)
    // Some paths are named by two rules.
    .filter((line, index, lines) => lines.indexOf(line) === index);
  const wanted = Object.entries(forbidden).flatMap(([file, imports]) => imports.map((from) => `${file} ${from}`));
  expect(found.toSorted()).toEqual(wanted.toSorted());
});
