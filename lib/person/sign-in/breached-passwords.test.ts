import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isBreached } from "./breached-passwords.ts";

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "breached-"))));
afterAll(() => rmSync(folder, { recursive: true }));

const sha1 = (text: string) => createHash("sha1").update(text).digest("hex").toUpperCase();

function aFile(lines: readonly string[], end = "\n"): string {
  const path = join(folder, crypto.randomUUID());
  writeFileSync(path, lines.join(end));
  return path;
}

const known = Array.from({ length: 150 }, (_, index) => `breached password ${index}`);

test.each([
  ["as Pwned Passwords gives it", (hash: string, index: number) => `${hash}:${7 ** (index % 8)}`, "\r\n"],
  ["of hashes alone, in small letters", (hash: string) => hash.toLowerCase(), "\n"],
])("every password of a file %s is found in it, and no other", async (_, lineOf, end) => {
  const sorted = known.map(sha1).toSorted();
  for (const path of [aFile(sorted.map(lineOf), end), aFile([...sorted.map(lineOf), ""], end)]) {
    for (const password of known) expect(await isBreached(password, path), password).toBe(true);
    for (const password of known) expect(await isBreached(`${password}!`, path), password).toBe(false);
  }
});

test("a file of one line, and an empty one, are read", async () => {
  expect(await isBreached("a", aFile([sha1("a")]))).toBe(true);
  expect(await isBreached("b", aFile([sha1("a")]))).toBe(false);
  expect(await isBreached("a", aFile([]))).toBe(false);
});

test("a file of another form and a missing file are errors", async () => {
  await expect(isBreached("a", aFile(["password", "123456"]))).rejects.toThrow("none");
  await expect(isBreached("a", aFile(["x".repeat(5_000)]))).rejects.toThrow("none");
  await expect(isBreached("a", join(folder, "missing"))).rejects.toThrow("ENOENT");
});
