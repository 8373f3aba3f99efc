import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";

const safe = {
  NODE_ENV: "production",
  APP_DATABASE_URL: "postgresql://app:not-to-be-told@127.0.0.1/prior_auth",
  SEALING_KEY: Buffer.alloc(32, 1).toString("base64"),
  NEXTAUTH_SECRET: "x".repeat(44),
};

/** What a process of ours says of its settings before it opens anything: nothing where it would go on. */
async function outputOf(settings: Readonly<Record<string, string>>): Promise<string> {
  const program = `import { env } from "./lib/platform/env.ts"; env();`;
  const { PATH } = process.env;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    env: { PATH, ...safe, ...settings } as NodeJS.ProcessEnv,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [output] = await Promise.all([text(child.stderr), once(child, "exit")]);
  return output;
}

test("an archive that is named by half is refused, and each setting that is missing is named", async () => {
  const whole = {
    ARCHIVE_ENDPOINT: "https://s3.example",
    ARCHIVE_BUCKET: "closed-cases",
    ARCHIVE_ACCESS_KEY_ID: "key",
    ARCHIVE_SECRET_ACCESS_KEY: "not-to-be-told",
  };
  const local = { HOST: "127.0.0.1", PUBLIC_URL: "http://localhost:3000" };
  expect(await outputOf({ ...local, ...whole, ARCHIVE_AFTER_DAYS: "30" })).toBe("");
  const { ARCHIVE_SECRET_ACCESS_KEY: _, ...half } = whole;
  expect(await outputOf({ ...local, ...half })).toContain("ARCHIVE_SECRET_ACCESS_KEY must be set where");
  const alone = await outputOf({ ...local, ARCHIVE_AFTER_DAYS: "30" });
  for (const name of Object.keys(whole)) expect(alone).toContain(`${name} must be set where ARCHIVE_AFTER_DAYS is`);
  const secretAlone = await outputOf({ ...local, ARCHIVE_SECRET_ACCESS_KEY: "not-to-be-told" });
  expect(secretAlone).toContain("ARCHIVE_BUCKET must be set where ARCHIVE_SECRET_ACCESS_KEY is");
  expect(secretAlone).not.toContain("not-to-be-told");
});

test("a process that is begun past `npm start` refuses settings that make it unsafe, by itself, and tells no secret", async () => {
  expect(await outputOf({ HOST: "127.0.0.1", PUBLIC_URL: "http://localhost:3000" })).toBe("");
  const remote = "postgresql://app:not-to-be-told@db.example/prior_auth";
  for (const [settings, why] of [
    [{ HOST: "0.0.0.0", PUBLIC_URL: "http://localhost:3000" }, "HOST is 0.0.0.0, which others reach"],
    [{ PUBLIC_URL: "http://desk.example" }, "PUBLIC_URL sends people to desk.example without TLS"],
    [{ DEMO: "1", HOST: "0.0.0.0", PUBLIC_URL: "https://localhost" }, "the demo, whose passwords are no secret"],
    [{ APP_DATABASE_URL: remote }, "APP_DATABASE_URL names a database on another machine without TLS"],
    [{ NEXTAUTH_SECRET: "not-to-be-told" }, "NEXTAUTH_SECRET has fewer than 32 characters"],
  ] as const) {
    const output = await outputOf(settings);
    expect(output).toContain(why);
    expect(output).not.toContain("not-to-be-told");
  }
});
