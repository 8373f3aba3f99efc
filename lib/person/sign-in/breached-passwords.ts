import { createHash } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";
import { breachedPasswordsFile } from "#lib/platform/env";

/** Longer than any line: 40 digits, a colon, how often it was seen, and the line's end. */
const lineBytesMax = 128;

/**
 * Whether a password is in a file of breached ones, as the offline copy of Pwned Passwords has them: the SHA-1 of each in
 * hex, one a line, in their order, with or without how often it was seen after a colon. Nobody else is asked, and some
 * forty places of the file are read however long it is. Throws where it cannot be read or is another file; where the
 * operator has none, no password is.
 */
export async function isBreached(password: string, path = breachedPasswordsFile()): Promise<boolean> {
  if (path === undefined) return false;
  const wanted = createHash("sha1").update(password).digest("hex").toUpperCase();
  const file = await open(path);
  try {
    // The line, where there is one, begins in between: at `low` at the soonest, and before `high`.
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

/** Throws where the operator's file is none, so that the start says so and not the first who chooses a password. */
export async function proveBreachedFile(): Promise<void> {
  await isBreached("");
}

/** The first line that begins there or after it. */
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
