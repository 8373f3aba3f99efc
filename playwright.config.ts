import { availableParallelism } from "node:os";
import { defineConfig, devices } from "@playwright/test";

// The simulator and the agents of the tests are on this machine.
process.env.OUTBOUND_PRIVATE_NETWORKS ??= "127.0.0.0/8,::1/128";

const isRoot = process.getuid?.() === 0;
const executablePath = process.env.CHROMIUM_PATH;

/** Every worker has a whole service of its own (e2e/fixtures/stack.ts), so files run beside each other. */
export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  globalSetup: "./test/support/database/cluster.ts",
  // One for each processor: half of a test's time it waits for a browser, a server or a clock.
  workers: Math.min(4, availableParallelism()),
  forbidOnly: process.env.CI !== undefined,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: [["list"], ["html", { open: "never" }]],
  use: {
    ...devices["Desktop Chrome"],
    // What fades in is measured by axe only when it is there.
    contextOptions: { reducedMotion: "reduce" },
    // Keeping a trace takes a quarter of the processor's time; `npm run test:e2e -- --trace on` has one of each test.
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      // Chromium's sandbox refuses root.
      args: isRoot ? ["--no-sandbox"] : [],
    },
  },
});
