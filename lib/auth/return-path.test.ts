import { expect, test } from "vitest";
import { returnPath } from "./return-path.ts";

test.each(["/queue", "/tasks/01a1fb6d-f4a6-753d-a6bc-09a68050a058", "/queue?view=recent"])(
  "signing in leads back to %s",
  (path) => {
    expect(returnPath(path)).toBe(path);
  },
);

test.each([
  "https://elsewhere.example/queue",
  "//elsewhere.example",
  "/\\elsewhere.example",
  "/\t/elsewhere.example",
  "javascript:alert(1)",
  "queue",
  "/api/auth/signout",
  "",
  null,
])("%j leads home, never out", (asked) => {
  expect(returnPath(asked)).toBe("/");
});
