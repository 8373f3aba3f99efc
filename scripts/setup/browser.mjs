import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { trouble } from "../processes/report.mjs";
import { runTool } from "./tools.mjs";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const applications = ["Google Chrome", "Chromium"].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);

/** The path of a browser for the tests, installed if need be. `installing` is told what is about to be installed. */
export async function ensureBrowser({ installing }) {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen !== undefined && !isProgram(chosen))
    throw trouble(`CHROMIUM_PATH names ${chosen}, which is no program: correct or unset it.`);
  const found = chosen ?? (await findBrowser());
  if (found !== undefined) return found;
  const installed = (await fromDebian(installing)) ?? (await fromPlaywright(installing));
  if (installed !== undefined) return installed;
  throw trouble(
    "The browser tests need Chromium, and it could not be installed: install Chromium or Chrome, or set CHROMIUM_PATH to one.",
  );
}

async function findBrowser() {
  const onPath = (process.env.PATH ?? "").split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  const found = [...onPath, ...applications].find(isProgram);
  return found ?? (await playwrightsOwn());
}

async function playwrightsOwn() {
  const { chromium } = await import("@playwright/test");
  const path = chromium.executablePath();
  return isProgram(path) ? path : undefined;
}

async function fromDebian(installing) {
  if (!existsSync("/usr/bin/apt-get")) return undefined;
  const prefix = process.getuid() === 0 ? [] : ["sudo", "-n"];
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  installing("Chromium by apt-get");
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", "chromium"]]) {
    const [command, ...rest] = [...prefix, "apt-get", ...args];
    if (spawnSync(command, rest, { env, stdio: "ignore" }).status !== 0 && args[0] === "install") return undefined;
  }
  return await findBrowser();
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
