import { randomInt } from "node:crypto";
import type { KeptCode } from "#lib/person/store/recovery-codes";
import { hashPassword } from "#lib/person/sign-in/password";

const codesMade = 10;

/** Crockford's base32: no letter that looks like a digit. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** Of the sixteen characters, the first four identify the code; the other twelve are 60 random bits. */
const [tagLength, length] = [4, 16];

/** Ten new codes: the texts to show once, in groups of four, and the hashes to store. */
export async function newRecoveryCodes(): Promise<{ readonly shown: readonly string[]; readonly kept: KeptCode[] }> {
  const codes = new Map<string, string>();
  while (codes.size < codesMade) {
    const code = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("");
    codes.set(code.slice(0, tagLength), code);
  }
  const all = [...codes.values()];
  const kept: KeptCode[] = [];
  // One at a time, because they are one person's turn among all who wait for a hash.
  for (const code of all) kept.push({ tag: code.slice(0, tagLength), hash: await hashPassword(code.slice(tagLength)) });
  return { shown: all.map((code) => code.replaceAll(/(.{4})(?=.)/g, "$1-")), kept };
}

/**
 * Splits a typed code into its identifying part and its secret part. Spaces, hyphens, case and look-alike characters
 * make no difference.
 */
export function readRecoveryCode(typed: string): { readonly tag: string; readonly rest: string } | undefined {
  const code = typed.replaceAll(/[\s-]/g, "").toLowerCase().replaceAll("o", "0").replaceAll(/[il]/g, "1");
  if (!/^[0-9a-hjkmnp-tv-z]{16}$/.test(code)) return undefined;
  return { tag: code.slice(0, tagLength), rest: code.slice(tagLength) };
}
