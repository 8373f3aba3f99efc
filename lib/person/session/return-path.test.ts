import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { returnPath } from "./return-path.ts";

// Safe because that file is a list of texts.
const naughty = JSON.parse(
  readFileSync(new URL("../../../test/vectors/blns/blns.json", import.meta.url), "utf8"),
) as string[];

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
  "/.//elsewhere.example/",
  "/..//elsewhere.example/",
  "/queue/..//elsewhere.example/",
  "/%2e//elsewhere.example/",
  "/%2E%2e//elsewhere.example",
  "/.\\/elsewhere.example",
  "/./\\elsewhere.example",
  "/.\t//elsewhere.example",
  "/.\n/\r/elsewhere.example",
  "/\u0000/elsewhere.example",
  "///elsewhere.example",
  "/.///elsewhere.example",
  "//user:word@elsewhere.example:443/",
  "javascript:alert(1)",
  "queue",
  "/api/auth/signout",
  "",
  null,
])("%j leads home, never out", (wanted) => {
  expect(returnPath(wanted)).toBe("/");
});

/** Pieces that browsers and servers were ever seen to read differently. */
const piece = fc.constantFrom(
  ...["/", "\\", ".", "..", "%2e", "%2E%2e", "%2f", "%5c", "\t", "\n", "\r", "\0", "@", ":", "?", "#", ";", " "],
  ...["elsewhere.example", "queue", "api", "http:", "javascript:", "\u3002", "\uff0f", "\u2028", "\ufeff", "\ud800"],
);

test("for any input, a browser reads the result as a path of this origin, and the result stays the same", () => {
  const pieces = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(""));
  const wanted = fc.oneof(
    pieces,
    pieces.map((text) => `/${text}`),
    fc.string(),
    fc.webUrl(),
  );
  fc.assert(fc.property(wanted, leadsHome), { numRuns: 5_000 });
  for (const text of naughty) for (const wanted of [text, `/${text}`, `/./${text}`, `/..//${text}`]) leadsHome(wanted);
});

function leadsHome(wanted: string): void {
  const path = returnPath(wanted);
  expect(path).toMatch(/^\/(?![/\\])/u);
  for (const origin of ["https://desk.example", "http://localhost:3000"])
    expect(new URL(path, `${origin}/sign-in`).origin).toBe(origin);
  expect(returnPath(path)).toBe(path);
}
