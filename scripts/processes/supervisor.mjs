import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inHandMs } from "../../lib/platform/process/on-shutdown.ts";
import { launch } from "./children.mjs";
import { trouble } from "./report.mjs";
import { shownLine } from "./shown-line.mjs";

/** How long a program that ended is left before it is started again: not at all the first time, then ever longer. */
const restartMs = [0, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000];
const steadyMs = 60_000;
/** What a program takes at most to end by itself, where it waits for nobody else. */
const graceMs = 10_000;
const readyMs = 90_000;

/** Starts our processes, restarts those that end, and stops them all, the server and the worker before the simulator. */
export function supervise({ settings, stopping, dev, verbose, folder }) {
  const logs = join(settings.folder, "logs");
  const running = new Map();
  let isReady = false;
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

  /** Once gone, started again: at once, then after ever longer pauses until it has been steady for a minute. */
  async function keep(program) {
    for (let ends = 0; !stopping.signal.aborted; ends += 1) {
      const began = performance.now();
      const { child, tail } = launchOne(program);
      const { code, signal } = await child.exited;
      if (stopping.signal.aborted) return;
      if (program.needed === true && !isReady) return endWith(program, { code, signal, tail });
      if (performance.now() - began > steadyMs) ends = 0;
      const pauseMs = restartMs[Math.min(ends, restartMs.length - 1)];
      process.stdout.write(
        `${program.name.padEnd(10)} ended (${signal ?? code}), restarting${pauseMs === 0 ? "" : ` in ${pauseMs / 1000} s`}; its log is ${join(logs, `${program.name}.log`)}\n`,
      );
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  /** What does not even come up will not come up again: its end is ours. */
  function endWith({ name }, { code, signal, tail }) {
    stopping.failWith(
      trouble(
        `The ${name} ended by itself (${signal ?? code}): correct what it says, then start again.\n${tail.filter((line) => line !== "").join("\n")}`,
      ),
    );
  }

  return {
    keep: (program) => void keep(program),
    /** The same, for what there is no service without: before the service is ready, its end is ours. */
    need: (program) => void keep({ ...program, needed: true }),
    async untilReady() {
      const lines = await untilReady(settings, stopping);
      isReady = true;
      return lines;
    },
    async stop() {
      const graceOf = (name) => graceMs + (waitsMs(settings)[name] ?? 0);
      for (const group of [["server", "worker"], ["simulator"]])
        await Promise.all(group.map((name) => running.get(name)?.stop(graceOf(name))));
    },
  };
}

/** The server waits for its balancer, and the worker for the payers it has something under way with. */
function waitsMs({ drainDelayS, sendDeadlineMs }) {
  return { server: drainDelayS * 1_000, worker: inHandMs(sendDeadlineMs) };
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
