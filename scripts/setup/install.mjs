// Node 20 runs this file before anything is installed: built-ins only, here and in what it imports.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { root, sha256 } from "./files.mjs";
import { isAlive } from "../processes/processes.mjs";
import { step, trouble } from "../processes/report.mjs";

const stamp = join(root, "node_modules", ".install-stamp");
const installing = join(root, "node_modules", ".installing");
const ownNode = join(root, "node_modules", ".bin", "node");

/**
 * Installs what package.json and the lock ask for and is not there, and makes sure that this project's own Node runs
 * `script`. Resolves to true where the caller may go on; to false where another process has done the work instead,
 * whose exit code is then ours.
 */
export async function installThenOwnNode(script) {
  await step("install", async () => ((await ensureInstalled()) ? { line: "packages installed" } : undefined));
  // Of every process from here on: without it each strips and compiles the same files again, half a second of its start.
  process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules", ".cache", "node");
  if (realpathSync(process.execPath) === realpathSync(ownNode)) return true;
  process.exitCode = await continueUnder(ownNode, { args: [script, ...process.argv.slice(2)] });
  return false;
}

async function ensureInstalled() {
  if (isInstalled()) return false;
  mkdirSync(join(root, "node_modules"), { recursive: true });
  await waitForOther();
  if (isInstalled()) return false;
  writeFileSync(installing, String(process.pid));
  try {
    install();
    writeFileSync(stamp, wanted());
  } finally {
    rmSync(installing, { force: true });
  }
  return true;
}

function isInstalled() {
  return existsSync(stamp) && existsSync(ownNode) && readFileSync(stamp, "utf8") === wanted();
}

function wanted() {
  return sha256(["package.json", "package-lock.json"].map((name) => readFileSync(join(root, name), "utf8")).join("\0"));
}

async function waitForOther() {
  while (existsSync(installing) && isAlive(Number(readFileSync(installing, "utf8")) || -1)) await sleep(200);
}

function install() {
  process.stdout.write("install    asking npm for what is missing ...\n");
  const args = ["install", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status, error } = spawnSync("npm", args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  if (error?.code === "ENOENT")
    throw trouble("npm is not on the PATH: install Node 20 or later together with npm, then start again.");
  if (status !== 0)
    throw trouble(
      "npm could not install the packages: read its message above, mend the network or the disk, then start again.",
    );
  if (!existsSync(ownNode))
    throw trouble(
      "The package `node` did not install its program: allow npm's install scripts (`npm config get ignore-scripts` prints false), delete node_modules, then start again.",
    );
}

/** Resolves to the exit code. Ctrl-C reaches both processes from the terminal; a signal sent to us alone is passed on. */
export function continueUnder(node, { args, env = process.env }) {
  const child = spawn(node, args, { cwd: root, env, stdio: ["inherit", "inherit", "inherit", "ipc"] });
  for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"]) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}
