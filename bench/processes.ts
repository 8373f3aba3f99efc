import { fork, type ChildProcess } from "node:child_process";
import { mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { root } from "../scripts/setup/files.mjs";
import { endProcess } from "../scripts/processes/processes.mjs";

export type Program = {
  readonly name: string;
  readonly entry: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly execArgv?: readonly string[];
};

export type Processes = {
  /** Resolves once the program has said that it is ready. */
  readonly begin: (program: Program) => Promise<ChildProcess>;
  readonly stop: () => Promise<void>;
};

const readyMs = 60_000;

/** Output goes straight to `<logs>/<name>.log`, so that nobody has to read along; all end when this process does. */
export function keepProcesses(logs: string): Processes {
  const running: ChildProcess[] = [];
  mkdirSync(logs, { recursive: true });
  return {
    begin: async ({ name, entry, env, execArgv = [] }) => {
      const log = openSync(join(logs, `${name}.log`), "w", 0o600);
      // Its own group, so that Ctrl-C reaches it only through us.
      const options = { cwd: root, env: env as NodeJS.ProcessEnv, execArgv: [...execArgv], detached: true };
      const child = fork(join(root, entry), { ...options, stdio: ["ignore", log, log, "ipc"] });
      running.push(child);
      await untilReady(child, { name, logs });
      return child;
    },
    stop: async () => {
      await Promise.all(running.flatMap(({ pid }) => (pid === undefined ? [] : [endProcess(pid)])));
    },
  };
}

function untilReady(child: ChildProcess, { name, logs }: { name: string; logs: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (why: string) => reject(new Error(`The ${name} ${why}; its log is ${join(logs, `${name}.log`)}`));
    const late = setTimeout(() => refuse(`was not ready after ${readyMs / 1000} s`), readyMs);
    child.once("error", reject);
    child.once("exit", (code, signal) => refuse(`ended (${signal ?? code})`));
    child.once("message", () => {
      clearTimeout(late);
      resolve();
    });
  });
}
