import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Whether this process exists; one that ended but was not yet collected by its parent does not count. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
  return !isZombie(pid);
}

/** The command line of a process, or "" when it cannot be told. */
export function commandOf(pid) {
  try {
    if (process.platform === "linux") return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" });
  } catch {
    return "";
  }
}

/** Names one process for ever: a pid alone may be given to another program later. */
export function identityOf(pid) {
  return { pid, began: beganAt(pid) };
}

export function isSame({ pid, began }) {
  return isAlive(pid) && beganAt(pid) === began;
}

/** Signals a process and waits for its end; what is left after the grace is killed. */
export async function endProcess(pid, { signal = "SIGTERM", graceMs = 10_000 } = {}) {
  signalTo(pid, signal);
  if (await isGone(pid, graceMs)) return;
  signalTo(pid, "SIGKILL");
  await isGone(pid, 5_000);
}

export async function isGone(pid, waitMs) {
  const until = performance.now() + waitMs;
  while (isAlive(pid)) {
    if (performance.now() >= until) return false;
    await sleep(20);
  }
  return true;
}

function signalTo(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended meanwhile.
  }
}

function beganAt(pid) {
  try {
    if (process.platform === "linux") return statOf(pid)[19];
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
  } catch {
    return "";
  }
}

function isZombie(pid) {
  try {
    return process.platform === "linux" && statOf(pid)[0] === "Z";
  } catch {
    return true;
  }
}

/** The fields after the program's name, which may itself hold spaces and brackets. */
function statOf(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
}
