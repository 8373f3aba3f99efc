import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { passwordProblem } from "./password-rule.ts";

const email = "dana.whitfield@clinic.example";

test.each([
  "wander tulip 9 kettle",
  "Xq7!mR2@vT9#",
  "ünïcödé-wörds-hére",
  "administration is dull",
  "a".repeat(200) + "bcdefgh",
])("%j will do", async (password) => {
  expect(await passwordProblem(password, { email })).toBeUndefined();
});

test.each(["", "eleven char", "👩‍👩‍👧"])("%j is too short", async (password) => {
  expect(await passwordProblem(password, { email })).toContain("at least 12");
});

test("a password has a longest length", async () => {
  expect(await passwordProblem("wander".repeat(60), { email })).toContain("at most 256");
});

test.each([
  ...["password1234", "Password2026!", "passwordpassword", "changeme-2026", "qwertyuiop12", "Welcome123456"],
  ...["aaaaaaaaaaaaaa", "121212121212", "123456789012", "abcdefghijklm", "987654321098"],
  ...["sunshine2026", "1234michael!!", "baseballbaseball", "correcthorsebatterystaple1"],
])("%j is guessed first", async (password) => {
  expect(await passwordProblem(password, { email })).toContain("common password");
});

test.each(["my dana.whitfield pass", "dana.whitfield@clinic.example", "PriorAuth rules the day"])(
  "%j names the person or the product",
  async (password) => {
    expect(await passwordProblem(password, { email })).toContain("your email name");
  },
);

test("a password in the operator's file of breached ones is refused", async () => {
  const folder = mkdtempSync(join(tmpdir(), "breached-"));
  const breached = join(folder, "hashes");
  const password = "wander tulip 9 kettle";
  writeFileSync(breached, `${createHash("sha1").update(password).digest("hex")}:4\n`);
  expect(await passwordProblem(password, { email, breached })).toContain("data breach");
  expect(await passwordProblem(`${password}s`, { email, breached })).toBeUndefined();
  rmSync(folder, { recursive: true });
});

test("a name too short to be one is no reason to refuse", async () => {
  expect(await passwordProblem("a dandelion seeds", { email: "dan@clinic.example" })).toBeUndefined();
});
