import { expect, onTestFinished, test, vi } from "vitest";
import { settingNames } from "./env.ts";

const needed = { APP_DATABASE_URL: "postgres://app@localhost/prior_auth", SEALING_KEY: btoa("k".repeat(32)) };

async function envWith(settings: Readonly<Record<string, string>>) {
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const name of settingNames) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  vi.resetModules();
  return (await import("./env.ts")).env();
}

test.each(["https://pa.example.org", "https://pa.example.org/", "https://pa.example.org//"])(
  "links made of %s have one slash after the host",
  async (url) => {
    const { PUBLIC_URL } = await envWith({ ...needed, PUBLIC_URL: url });
    expect(PUBLIC_URL).toBe("https://pa.example.org");
  },
);
