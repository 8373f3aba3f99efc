import { expect, test } from "vitest";
import { passwordProblem } from "./password-rule.ts";

const email = "dana.whitfield@clinic.example";

test.each([
  "wander tulip 9 kettle",
  "Xq7!mR2@vT9#",
  "ünïcödé-wörds-hére",
  "administration is dull",
  "a".repeat(200) + "bcdefgh",
])("%j will do", (password) => {
  expect(passwordProblem(password, { email })).toBeUndefined();
});

test.each(["", "eleven char", "👩‍👩‍👧"])("%j is too short", (password) => {
  expect(passwordProblem(password, { email })).toContain("at least 12");
});

test("a password has a longest length", () => {
  expect(passwordProblem("wander".repeat(60), { email })).toContain("at most 256");
});

test.each([
  ...["password1234", "Password2026!", "passwordpassword", "changeme-2026", "qwertyuiop12", "Welcome123456"],
  ...["aaaaaaaaaaaaaa", "121212121212", "123456789012", "abcdefghijklm", "987654321098"],
  ...["dana.whitfield", "dana.whitfield2026", "dana.whitfield@clinic.example"],
])("%j is guessed first", (password) => {
  expect(passwordProblem(password, { email })).toContain("guessed first");
});
