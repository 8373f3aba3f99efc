import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";

/** Runs this program beside a watchdog of two seconds, to its end. */
async function ended(program: string) {
  const open = `import { openWatchdog } from "./lib/platform/process/watchdog.ts"; const { beat } = openWatchdog({ stillS: 2 });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", open + program]);
  const output = text(child.stderr);
  const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  return { code, signal, output: await output };
}

test.each([
  ["is busy for ever", "for (;;);"],
  ["waits for what never comes", "setInterval(() => undefined, 1_000);"],
])(
  "a process whose work %s is ended, and says so",
  async (_, program) => {
    const { signal, output } = await ended(program);
    expect(signal).toBe("SIGKILL");
    expect(output).toContain("the work stands still");
  },
  30_000,
);

test("a process whose work goes on is left alone, and ends when it is done", async () => {
  const program = "const going = setInterval(beat, 100); setTimeout(() => clearInterval(going), 4_500);";
  expect(await ended(program)).toMatchObject({ code: 0, signal: null });
}, 30_000);
