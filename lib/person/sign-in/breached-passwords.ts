import { createHash } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";
import { breachedPasswordsFile } from "#lib/platform/env";

/** Longer than any line: 40 digits, a colon, a count and the end of the line. */
const lineBytesMax = 128;

/**
 * Whether a password is in a file of breached passwords. The file has the form of the offline copy of Pwned Passwords:
 * one SHA-1 in hex a line, sorted, with or without a count after a colon. No request leaves the service, and about
 * forty places of the file are read whatever its length. Throws where the file cannot be read or has another form.
 * False where the operator has no file.
 */
export async function isBreached(password: string, path = breachedPasswordsFile()): Promise<boolean> {
  if (path === undefined) return false;
  const wanted = createHash("sha1").update(password).digest("hex").toUpperCase();
  const file = await open(path);
  try {
    // The line, where it exists, begins at `low` or later, and before `high`.
    let [low, high] = [0, (await file.stat()).size];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const line = await lineFrom(file, middle);
      if (line?.hash === wanted) return true;
      if (line && line.start < high && line.hash < wanted) low = line.end;
      else high = middle;
    }
    return false;
  } finally {
    await file.close();
  }
}

/**
 * Throws where the operator's file has another form, so that the start fails, not the first person who chooses a
 * password.
 */
export async function proveBreachedFile(): Promise<void> {
  await isBreached("");
}

/** The first line that begins at this place or after it. */
async function lineFrom(file: FileHandle, place: number) {
  const from = Math.max(place - 1, 0);
  const { bytesRead, buffer } = await file.read(Buffer.alloc(2 * lineBytesMax), 0, 2 * lineBytesMax, from);
  const text = buffer.toString("latin1", 0, bytesRead);
  const begins = place === 0 ? 0 : text.indexOf("\n") + 1;
  const isThere = (place === 0 || begins > 0) && begins < bytesRead;
  if (!isThere && bytesRead < 2 * lineBytesMax) return undefined;
  const [line = "", hash = ""] = /^([0-9A-Fa-f]{40})(?::\d+)?\r?(?:\n|$)/.exec(text.slice(begins)) ?? [];
  if (!isThere || line === "") throw new Error("The file of breached passwords is none: SHA-1 in hex, one a line.");
  return { hash: hash.toUpperCase(), start: from + begins, end: from + begins + line.length };
}
