import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

/** The simulator as its own process, as the start runs it. */
async function running(): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(fileURLToPath(new URL("./main.ts", import.meta.url)), {
    env: { ...process.env, SIMULATOR_PORT: "0" },
    execArgv: [],
    silent: true,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  // Safe because the simulator's first message says where it listens.
  const [message] = (await once(child, "message")) as [{ port: number }];
  return { child, url: `http://127.0.0.1:${message.port}` };
}

test("it runs as a process of its own and answers", async () => {
  const { url } = await running();
  expect((await fetch(`${url}/health`)).status).toBe(200);
});

test.each<[string, (child: ChildProcess) => unknown]>([
  ["the process that started it is gone", (child) => child.disconnect()],
  ["it is told to stop", (child) => child.kill("SIGTERM")],
])("it ends cleanly when %s", async (_, stop) => {
  const { child } = await running();
  const ended = once(child, "exit");
  stop(child);
  expect(await ended).toEqual([0, null]);
});
