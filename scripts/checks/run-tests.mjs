import { spawn } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { ensureBrowser } from "../setup/browser.mjs";
import { ensureBuilt } from "../setup/build.mjs";
import { root } from "../setup/files.mjs";
import { ensureGenerated } from "../setup/generate.mjs";
import { say, step, trouble } from "../processes/report.mjs";
import { openScratch } from "./memory.mjs";
import { openTestCluster } from "./test-cluster.mjs";

const node = process.execPath;

/** Every suite, in order; add one here and `npm test` runs it. `part` is what `--only` chooses by. */
const suites = [
  {
    name: "check",
    part: "check",
    command: () => ["npm", "run", "--silent", "check"],
    isThere: () => hasScript("check"),
  },
  {
    name: "unit",
    part: "unit",
    // The check before it ran those that need no database.
    command: (filters, parts) => [
      ...[node, "node_modules/vitest/vitest.mjs", "run"],
      ...(parts.includes("check") ? ["--project", "store"] : []),
      ...filters,
    ],
  },
  {
    name: "browser",
    part: "e2e",
    command: (filters) => [node, "node_modules/@playwright/test/cli.js", "test", ...filters],
    isThere: () => existsSync(join(root, "e2e")),
  },
];

// The tests bring their own; a developer's settings must not reach them.
const foreign =
  /^(DATABASE_URL|APP_DATABASE_URL|DATA_DIR|PORT|HOST|PUBLIC_URL|NEXTAUTH_.*|SEALING_.*|SIMULATOR_.*|OUTBOUND_.*|CHANNEL_.*|DATABASE_CONNECTIONS_MAX|LOG_LEVEL|DEMO|NODE_ENV)$/;

/** `--only=unit|e2e|check` chooses; all other arguments go to the suite, such as the files to run. */
export async function runTests(args) {
  const only = args.find((arg) => arg.startsWith("--only="))?.slice("--only=".length) ?? partOf(args);
  const filters = args.filter((arg) => !arg.startsWith("--only="));
  const strange = strangeFilter(filters);
  if (strange !== undefined)
    throw trouble(`No test file has ${strange} in its path: look for it with its folder and spelling as they are.`);
  const chosen = suites.filter(({ part, isThere }) => (only === undefined || part === only) && isThere?.() !== false);
  const stop = stopOnSignal();
  const began = performance.now();
  const parts = chosen.map(({ part }) => part);
  const { env, close } = await prepare(parts);
  const scratch = openScratch();
  if (scratch.folder !== undefined) env.TMPDIR = scratch.folder;
  // Beside what it would otherwise compile anew in each run's own folder.
  env.PLAYWRIGHT_TRANSFORM_CACHE_DIR ??= join(root, "node_modules", ".cache", "playwright");
  try {
    const results = [];
    for (const suite of chosen) results.push(await runSuite(suite, { filters, parts, env, stop }));
    summarise(results, performance.now() - began);
  } finally {
    await close();
    scratch.close();
  }
  if (stop.signal.aborted) process.exitCode = 128 + constants.signals[stop.signal.reason];
}

/** `npm test -- e2e/void.spec.ts` means the browser tests alone. */
function partOf(filters) {
  if (filters.some((filter) => /^(?:\.\/)?e2e\b|\.spec\b/.test(filter))) return "e2e";
  return filters.some(isPath) ? "unit" : undefined;
}

const isPath = (filter) => !filter.startsWith("-") && /[/\\]|\.(?:test|spec)\b/.test(filter);

/** A path among the filters that no test file has: what it was to run would not be missed beside what others do run. */
function strangeFilter(filters) {
  const files = globSync("**/*.{test,spec}.{ts,tsx}", { cwd: root, exclude: ["**/node_modules/**", ".next/**"] });
  // As both runners take them: a part of the path, and for one test of a file its line.
  const inFile = (filter) => filter.replace(/^\.\//, "").replace(/(?::\d+)+$/, "");
  return filters.filter(isPath).find((filter) => !files.some((file) => join(root, file).includes(inFile(filter))));
}

async function prepare(parts) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
  await step("client", async () => ((await ensureGenerated()) ? { line: "database client generated" } : undefined));
  if (parts.includes("e2e")) {
    const installing = (what) => say("browser", `installing ${what} ...`);
    env.CHROMIUM_PATH = await step("browser", async () =>
      ensureBrowser({ installing }).then((path) => ({ line: path, value: path })),
    );
    await step("build", async () => ((await ensureBuilt()) ? { line: "pages built" } : undefined));
  }
  if (!parts.includes("unit") && !parts.includes("e2e")) return { env, close: async () => {} };
  const {
    close,
    outcome: _,
    ...described
  } = await step("postgres", async () => {
    const cluster = await openTestCluster();
    return { line: `test cluster ${cluster.outcome}`, value: cluster };
  });
  env.TEST_CLUSTER = JSON.stringify(described);
  return { env, close };
}

async function runSuite({ name, command }, { filters, parts, env, stop }) {
  if (stop.signal.aborted) return { name, outcome: "not run", elapsedMs: 0 };
  process.stdout.write(`\n${name}\n`);
  const began = performance.now();
  const code = await runGroup(command(name === "check" ? [] : filters, parts), { env, stop });
  if (code !== 0) process.exitCode = 1;
  return { name, outcome: code === 0 ? "passed" : "failed", elapsedMs: performance.now() - began };
}

/** A group of its own, so that an interrupt reaches all of it once and what hangs can be ended whole. */
function runGroup([command, ...args], { env, stop }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env, detached: true, stdio: ["ignore", "inherit", "inherit"] });
    const signalAll = (signal) => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, signal);
      } catch {
        // All of it has ended.
      }
    };
    const interrupt = () => {
      signalAll("SIGINT");
      setTimeout(signalAll, 20_000, "SIGKILL").unref();
    };
    stop.signal.addEventListener("abort", interrupt);
    child.on("error", reject);
    child.on("close", (code) => {
      stop.signal.removeEventListener("abort", interrupt);
      signalAll("SIGKILL");
      resolve(code ?? 1);
    });
  });
}

function stopOnSignal() {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stop.abort(signal));
  process.on("disconnect", () => stop.abort("SIGTERM"));
  process.channel?.unref();
  return stop;
}

function summarise(results, elapsedMs) {
  process.stdout.write("\n");
  for (const { name, outcome, elapsedMs: each } of results) say(name, outcome, each);
  say("all", results.every(({ outcome }) => outcome === "passed") ? "passed" : "not passed", elapsedMs);
  if (results.some(({ name, outcome }) => name === "browser" && outcome === "failed"))
    say("", "screenshots of what failed are in test-results/");
}

function hasScript(name) {
  return JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts[name] !== undefined;
}
