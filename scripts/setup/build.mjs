import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestOf, root } from "./files.mjs";
import { isCurrent } from "./generate.mjs";
import { lock } from "../processes/lock.mjs";
import { trouble } from "../processes/report.mjs";
import { runTool } from "./tools.mjs";

const stamp = join(root, ".next", "build-stamp");
const inputs = [
  ...["app", "components", "lib", "public", "prisma/schema.prisma", "instrumentation.ts", "proxy.ts", "serving.ts"],
  ...["next.config.ts", "next.config.mjs", "postcss.config.mjs", "tsconfig.json", "package.json", "package-lock.json"],
];

/** Builds the pages when anything they are made from has changed since the last build. Returns whether it did. */
export async function ensureBuilt(signal) {
  if (!existsSync(join(root, "app"))) return false;
  const release = await lock(join(root, "node_modules", ".cache", "build.lock"), "exclusive", { waitMs: 600_000 });
  if (release === undefined)
    throw trouble("Another build has been running for ten minutes: stop it, then start again.");
  try {
    const digest = digestOf(inputs, { except: isNoInput });
    if (isCurrent(stamp, digest)) return false;
    await build({ signal, deploymentId: idOf(digest) });
    writeFileSync(stamp, digest);
    return true;
  } finally {
    release();
  }
}

/** The generated client follows from the schema, and tests are in no page. */
function isNoInput(file) {
  return file.startsWith(join(root, "lib", "db", "generated")) || /\.test\.tsx?$/.test(file);
}

/** The name of the build in this folder: a page of another build asks for a whole new one. */
export function deploymentIdOf(folder) {
  return idOf(readFileSync(join(folder, ".next", "build-stamp"), "utf8"));
}

function idOf(digest) {
  return digest.slice(0, 16);
}

async function build({ signal, deploymentId }) {
  const env = {
    ...process.env,
    ...{ NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", NEXT_DEPLOYMENT_ID: deploymentId },
  };
  const { ok, text } = await runTool(["node_modules/next/dist/bin/next", "build"], { env, signal });
  if (!ok) throw trouble(`The pages do not build; correct this, then start again:\n${text.trim()}`);
}
