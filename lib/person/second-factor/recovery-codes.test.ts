import { expect, test } from "vitest";
import { isPassword } from "#lib/person/sign-in/password";
import { newRecoveryCodes, readRecoveryCode } from "./recovery-codes.ts";

test("a recovery code is stored as its identifying part and a salted argon2id hash of the other 60 random bits", async () => {
  const [{ shown, kept }, again] = await Promise.all([newRecoveryCodes(), newRecoveryCodes()]);
  expect(new Set([...shown, ...again.shown]).size).toBe(20);
  for (const [index, code] of shown.entries()) {
    const { tag = "", rest = "" } = readRecoveryCode(code) ?? {};
    expect(kept[index]?.tag).toBe(tag);
    expect(kept[index]?.hash).toMatch(/^\$argon2id\$/);
    expect(kept[index]?.hash).not.toContain(rest);
    // Twelve of 32 signs; nothing of them is always the same.
    expect(rest).toMatch(/^[0-9a-hjkmnp-tv-z]{12}$/);
  }
  for (let place = 0; place < 12; place += 1)
    expect(new Set([...shown, ...again.shown].map((code) => readRecoveryCode(code)?.rest[place])).size).toBeGreaterThan(
      4,
    );
  expect(new Set(kept.map(({ hash }) => hash.split("$")[4])).size).toBe(10);
  expect(await isPassword(readRecoveryCode(shown[0] ?? "")?.rest ?? "", kept[0]?.hash)).toBe(true);
});
