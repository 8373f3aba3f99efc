import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { trouble } from "../processes/report.mjs";
import { runTool } from "./tools.mjs";

/** Chromium without windows, which is what Playwright takes where no window is asked for: a sixth less of the processor's time. */
const shell = "chromium-headless-shell";
const names = [shell, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const applications = ["Google Chrome", "Chromium"].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);

/** The path of a browser for the tests, installed if need be. `installing` is told what is about to be installed. */
export async function ensureBrowser({ installing }) {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen !== undefined && !isProgram(chosen))
    throw trouble(`CHROMIUM_PATH names ${chosen}, which is no program: correct or unset it.`);
  const path = chosen ?? onPath([shell]);
  if (path !== undefined) return path;
  const found = await findBrowser();
  // No longer than it is worth: with another browser the tests run all the same.
  const forRoot = shellForRoot(installing, { withinMs: found === undefined ? 300_000 : 60_000 });
  if (forRoot !== undefined || found !== undefined) return forRoot ?? found;
  const installed =
    fromDebian(installing, { name: "chromium", withinMs: 300_000 }) ?? (await fromPlaywright(installing));
  if (installed !== undefined) return installed;
  throw trouble(
    "The browser tests need Chromium, and it could not be installed: install Chromium or Chrome, or set CHROMIUM_PATH to one.",
  );
}

async function findBrowser() {
  return onPath(names) ?? applications.find(isProgram) ?? (await playwrightsOwn());
}

function onPath(programs) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.flatMap((folder) => programs.map((name) => join(folder, name))).find(isProgram);
}

async function playwrightsOwn() {
  const { chromium } = await import("@playwright/test");
  const path = chromium.executablePath();
  return isProgram(path) ? path : undefined;
}

/** Only where root runs the tests, which nobody does on their own desktop; of the version of the Chromium that is there. */
function shellForRoot(installing, { withinMs }) {
  if (process.getuid?.() !== 0) return undefined;
  const { status, stdout } = spawnSync("dpkg-query", ["-W", "-f", "${Version}", "chromium-common"], {
    encoding: "utf8",
  });
  return fromDebian(installing, { name: status === 0 && stdout !== "" ? `${shell}=${stdout}` : shell, withinMs });
}

function fromDebian(installing, { name, withinMs }) {
  if (!existsSync("/usr/bin/apt-get")) return undefined;
  const [command, ...before] = [...(process.getuid() === 0 ? [] : ["sudo", "-n"]), "apt-get"];
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const deadline = performance.now() + withinMs;
  const run = (...args) => {
    const timeout = Math.max(1, Math.ceil(deadline - performance.now()));
    return spawnSync(command, [...before, ...args], { env, stdio: "ignore", timeout }).status === 0;
  };
  installing(`${name} by apt-get`);
  const install = () => run("install", "-y", "--no-install-recommends", name);
  if (!install() && run("update")) install();
  return onPath(names);
}

async function fromPlaywright(installing) {
  installing("Playwright's Chromium");
  await runTool(["node_modules/@playwright/test/cli.js", "install", "chromium"], {
    signal: AbortSignal.timeout(300_000),
  }).catch(() => {});
  return await playwrightsOwn();
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
