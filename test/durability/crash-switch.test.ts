import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";

test("a production worker refuses to start with a crash point set, and says so", async () => {
  const complete = {
    APP_DATABASE_URL: "postgres://127.0.0.1:9/none",
    SEALING_KEY: Buffer.alloc(32).toString("base64"),
  };
  const env = { ...process.env, ...complete, CRASH_POINT: "claimed" };
  const child = spawn(process.execPath, ["lib/worker/main.ts"], {
    env: { ...env, NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [output, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  expect(code).toBe(1);
  expect(output).toContain("CRASH_POINT is for tests only");
});
