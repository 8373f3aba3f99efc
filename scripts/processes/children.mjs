import { spawn } from "node:child_process";
import { createWriteStream, fstatSync, mkdirSync, openSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../setup/files.mjs";
import { keptLine } from "./kept-line.mjs";
import { endProcess } from "./processes.mjs";

/**
 * Starts one of our own programs under this Node. Its output goes to `<logs>/<name>.log`, where every line is an entry of a
 * log; `onLine` is shown each as it came. A log that has reached `logBytesMax` is set aside. With a `uid` it runs as that user.
 * The IPC channel makes it end when this process does, however that ends; its own session keeps Ctrl-C from it, so that
 * the order of stopping is ours.
 *
 * @param {{ name: string, args: readonly string[], env: NodeJS.ProcessEnv, logs: string, cwd?: string,
 *   uid?: number | undefined, logBytesMax?: number, onLine?: (line: string, seen: { isComplaint: boolean }) => void }} program
 */
export function launch({ name, args, env, logs, cwd = root, logBytesMax = 20_000_000, onLine = () => {}, ...user }) {
  const child = spawn(process.execPath, args, {
    ...{ cwd, env, ...user },
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const log = openLog(join(logs, `${name}.log`), logBytesMax);
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

/** Appends. What is full becomes `<path>.old`, in the place of the one before, so that two files are all there is. */
function openLog(path, bytesMax) {
  mkdirSync(dirname(path), { recursive: true });
  let log = openFile(path);
  const begin = () => {
    log.stream.end();
    renameSync(path, `${path}.old`);
    log = openFile(path);
  };
  return {
    write: (text) => {
      if (log.bytes >= bytesMax) begin();
      log.bytes += Buffer.byteLength(text);
      log.stream.write(text);
    },
    end: () => log.stream.end(),
  };
}

/** Opened at once, so that what is set aside is there. */
function openFile(path) {
  const fd = openSync(path, "a", 0o600);
  return { stream: createWriteStream(path, { fd }), bytes: fstatSync(fd).size };
}
