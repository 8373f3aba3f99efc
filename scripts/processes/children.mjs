import { spawn } from "node:child_process";
import { createWriteStream, mkdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/files.mjs";
import { keptLine } from "./kept-line.mjs";
import { endProcess } from "./processes.mjs";

const logBytesMax = 20_000_000;

/**
 * Starts one of our own programs under this Node. Its output goes to `<logs>/<name>.log`, where every line is an entry of a
 * log; `onLine` is shown each as it came. With a `uid` it runs as that user.
 * The IPC channel makes it end when this process does, however that ends; its own session keeps Ctrl-C from it, so that
 * the order of stopping is ours.
 *
 * @param {{ name: string, args: readonly string[], env: NodeJS.ProcessEnv, logs: string, cwd?: string,
 *   uid?: number | undefined, onLine?: (line: string, seen: { isComplaint: boolean }) => void }} program
 */
export function launch({ name, args, env, logs, cwd = root, onLine = () => {}, ...user }) {
  const child = spawn(process.execPath, args, {
    ...{ cwd, env, ...user },
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const log = openLog(logs, name);
  for (const stream of [child.stdout, child.stderr]) {
    const isComplaint = stream === child.stderr;
    onLineOf(stream, (line) => {
      log.write(`${keptLine(line, { name, isComplaint })}\n`);
      onLine(line, { isComplaint });
    });
  }
  const exited = new Promise((resolve) => {
    child.on("error", () => resolve({ code: 1, signal: null }));
    child.on("close", (code, signal) => resolve({ code, signal }));
  });
  void exited.then(() => log.end());
  return {
    name,
    pid: child.pid,
    exited,
    isRunning: () => child.pid !== undefined && child.exitCode === null && child.signalCode === null,
    /** Asks it to drain and end; what is left after the grace is killed. */
    stop: (graceMs = 10_000) => stopChild(child, graceMs),
    kill: () => child.kill("SIGKILL"),
  };
}

/** Lines end at a line feed and nowhere else: what else some readers end one at may stand inside an entry. */
function onLineOf(stream, onLine) {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    lines.forEach(onLine);
  });
  stream.on("end", () => rest !== "" && onLine(rest));
}

async function stopChild(child, graceMs) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  await endProcess(child.pid, { graceMs });
}

/** Appends; a log that has grown large is set aside once, at a start. */
function openLog(logs, name) {
  mkdirSync(logs, { recursive: true });
  const path = join(logs, `${name}.log`);
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > logBytesMax) renameSync(path, `${path}.old`);
  return createWriteStream(path, { flags: "a", mode: 0o600 });
}
