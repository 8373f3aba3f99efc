import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestOf, root } from "./files.mjs";
import { lock } from "../processes/lock.mjs";
import { trouble } from "../processes/report.mjs";
import { runTool } from "./tools.mjs";

const stamp = join(root, "lib", "db", "generated", ".stamp");
const inputs = ["prisma/schema.prisma", "prisma.config.ts", "node_modules/prisma/package.json"];

/** Generates the Prisma client when the schema it was made from has changed. Returns whether it did. */
export async function ensureGenerated(signal) {
  if (!existsSync(join(root, "prisma", "schema.prisma"))) return false;
  const release = await lock(join(root, "node_modules", ".cache", "generate.lock"), "exclusive", { waitMs: 60_000 });
  if (release === undefined)
    throw trouble(
      "Another process has been generating the database client for a minute: wait for its end, then start again.",
    );
  try {
    const digest = digestOf(inputs);
    if (isCurrent(stamp, digest)) return false;
    await generate(signal);
    writeFileSync(stamp, digest);
    return true;
  } finally {
    release();
  }
}

/** Whether what this stamp stands beside was made from inputs with this digest. */
export function isCurrent(path, digest) {
  return existsSync(path) && readFileSync(path, "utf8") === digest;
}

async function generate(signal) {
  // Prisma downloads an engine before it generates, unless it is shown an executable; generating never runs it.
  const env = {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: process.env.PRISMA_SCHEMA_ENGINE_BINARY ?? process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: "1",
    CHECKPOINT_DISABLE: "1",
  };
  const { ok, text } = await runTool(["node_modules/prisma/build/index.js", "generate"], { env, signal });
  if (!ok)
    throw trouble(`Prisma could not generate the database client; correct prisma/schema.prisma:\n${text.trim()}`);
}
