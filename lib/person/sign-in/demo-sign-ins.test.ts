import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test, vi } from "vitest";

const settings: { DEMO?: "1"; DATA_DIR?: string } = {};
vi.mock("#lib/platform/env", () => ({ env: () => settings }));
const { demoSignIns } = await import("./demo-sign-ins.ts");

const folder = mkdtempSync(join(tmpdir(), "demo-sign-ins-"));
afterAll(() => rmSync(folder, { recursive: true }));
const reviewer = { email: "a@demo.example", password: "one" };
const admin = { email: "b@demo.example", password: "two" };

beforeEach(() => {
  settings.DEMO = "1";
  settings.DATA_DIR = folder;
  writeFileSync(join(folder, "demo.json"), JSON.stringify({ reviewer, admin, channelKey: "never shown" }));
});

test("the demo's accounts are given in demo mode, and nothing else of its file", async () => {
  expect(await demoSignIns()).toEqual([
    { role: "Reviewer", ...reviewer },
    { role: "Admin", ...admin },
  ]);
});

test("no account is given outside demo mode, though the file is there", async () => {
  delete settings.DEMO;
  expect(await demoSignIns()).toEqual([]);
});

test("a file that is missing or another's gives no account", async () => {
  writeFileSync(join(folder, "demo.json"), JSON.stringify({ reviewer: "x" }));
  expect(await demoSignIns()).toEqual([]);
  rmSync(join(folder, "demo.json"));
  expect(await demoSignIns()).toEqual([]);
});
