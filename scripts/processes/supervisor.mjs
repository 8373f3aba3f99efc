import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { launch } from "./children.mjs";
import { trouble } from "./report.mjs";
import { shownLine } from "./shown-line.mjs";

const restartMsMax = 30_000;
const steadyMs = 60_000;
const readyMs = 90_000;

/** Starts our processes, restarts those that may be, and stops them all, the server and the worker before the simulator. */
export function supervise({ settings, stopping, dev, verbose, folder }) {
  const logs = join(settings.folder, "logs");
  const running = new Map();
  stopping.onImpatience = () => running.forEach((child) => child.kill());

  function launchOne({ name, entry, env }) {
    const tail = [];
    const onLine = (line, { isComplaint }) => {
      tail.push(shownLine(line, { isComplaint: true }) ?? "");
      if (tail.length > 20) tail.shift();
      const shown = verbose ? line : shownLine(line, { isComplaint: isComplaint || dev });
      if (shown !== undefined) process.stdout.write(`${name.padEnd(10)} ${shown}\n`);
    };
    const child = launch({ name, args: [entry], env, logs, onLine });
    running.set(name, child);
    folder.remember(child.pid);
    return { child, tail };
  }

  /** Once gone, begun again: at once, then after ever longer pauses until it has been steady for a minute. */
  async function keep(program) {
    for (let pauseMs = 500; !stopping.signal.aborted;) {
      const began = performance.now();
      const { code, signal } = await launchOne(program).child.exited;
      if (stopping.signal.aborted) return;
      if (performance.now() - began > steadyMs) pauseMs = 500;
      process.stdout.write(
        `${program.name.padEnd(10)} ended (${signal ?? code}), restarting in ${pauseMs / 1000} s; its log is ${join(logs, `${program.name}.log`)}\n`,
      );
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      pauseMs = Math.min(pauseMs * 2, restartMsMax);
    }
  }

  /** Without this one there is no service: its end is ours. */
  function need(program) {
    const { child, tail } = launchOne(program);
    void child.exited.then(({ code, signal }) => {
      stopping.failWith(
        trouble(
          `The ${program.name} ended by itself (${signal ?? code}): correct what it says, then start again.\n${tail.filter((said) => said !== "").join("\n")}`,
        ),
      );
    });
  }

  return {
    keep: (program) => void keep(program),
    need,
    untilReady: () => untilReady(settings, stopping),
    async stop() {
      for (const group of [["server", "worker"], ["simulator"]])
        await Promise.all(group.map((name) => running.get(name)?.stop()));
    },
  };
}

async function untilReady({ host, port }, stopping) {
  const url = `http://${reachable[host] ?? host}:${port}/health/ready`;
  const until = performance.now() + readyMs;
  while (!stopping.signal.aborted) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    if (answer?.ok) return { line: "ready" };
    if (performance.now() > until)
      throw trouble(
        `The server is not ready after ${readyMs / 1000} s (${url} says ${answer === undefined ? "nothing" : await answer.text()}): read its log, then start again.`,
      );
    await sleep(25);
  }
  throw stopping.failure ?? new Error("Stopped while starting.");
}

const reachable = { "0.0.0.0": "127.0.0.1", "::": "[::1]", "::1": "[::1]" };
