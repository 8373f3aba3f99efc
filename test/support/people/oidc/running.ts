import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Account } from "./account.ts";

/** The provider as a test has it: a process of its own. */
export type RunningProvider = {
  readonly issuer: string;
  /** Makes or changes an account; the next sign-in there tells it so. */
  readonly account: (subject: string, account?: Account) => Promise<void>;
  /** Every token it gave to anybody so far. */
  readonly tokens: () => Promise<readonly string[]>;
  readonly stop: () => Promise<void>;
};

/** Starts one that sends browsers back to these addresses. */
export async function runProvider(...backUrls: readonly string[]): Promise<RunningProvider> {
  const child = fork(join(import.meta.dirname, "./main.ts"), backUrls, { stdio: ["ignore", "ignore", "pipe", "ipc"] });
  const complaints: string[] = [];
  child.stderr?.on("data", (chunk) => complaints.push(String(chunk)));
  const exited = once(child, "exit");
  const [message] = (await Promise.race([
    once(child, "message"),
    exited.then(() => Promise.reject(new Error(`the provider ended: ${complaints.join("")}`))),
  ])) as [{ issuer: string }];
  return {
    issuer: message.issuer,
    account: async (subject, account = {}) => {
      const body = JSON.stringify({ subject, ...account });
      const { ok, status } = await fetch(`${message.issuer}/control/accounts`, { method: "POST", body });
      if (!ok) throw new Error(`the provider answered ${status}`);
    },
    // Safe because the provider answers a list of texts there.
    tokens: async () => (await (await fetch(`${message.issuer}/control/tokens`)).json()) as readonly string[],
    stop: async () => {
      child.kill();
      await exited;
    },
  };
}
