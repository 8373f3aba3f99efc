import { randomBytes } from "node:crypto";
import { link, mkdir, open, readdir, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { ReceiptKey } from "#lib/platform/signing-keys";
import { readHeads, type BadHead, type SignedHead } from "./heads.ts";

/**
 * Writes lines as a new file of the folder, completely or not at all, and never over an existing file. The name begins
 * with the time, so that names sort by time. Returns the name.
 */
export async function writeHeadFile(folder: string, lines: readonly string[], at: Date): Promise<string> {
  await mkdir(folder, { recursive: true });
  const name = `heads-${at.toISOString().replaceAll(/[:.]/g, "-")}-${randomBytes(4).toString("hex")}.jsonl`;
  const unfinished = join(folder, `.${name}.unfinished`);
  const file = await open(unfinished, "wx", 0o644);
  try {
    await file.writeFile(`${lines.join("\n")}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  // Unlike a rename, a link never replaces an existing file.
  await link(unfinished, join(folder, name));
  await unlink(unfinished);
  return name;
}

export type HeadFiles = {
  readonly files: number;
  readonly heads: readonly SignedHead[];
  readonly bad: readonly BadHead[];
};

/** Reads and checks every head in a folder, or in its newest files. Throws where a file cannot be read. */
export async function readHeadFiles(
  folder: string,
  keys: readonly ReceiptKey[],
  newest = Infinity,
): Promise<HeadFiles> {
  const names = (await readdir(folder))
    .filter((name) => /^heads-.*\.jsonl$/.test(name))
    .sort()
    .slice(-newest);
  const lines: (SignedHead | BadHead)[] = [];
  // One file at a time, because there may be more files than a process may open.
  for (const name of names) lines.push(...readHeads({ name, text: await readFile(join(folder, name), "utf8") }, keys));
  return {
    files: names.length,
    heads: lines.filter((line): line is SignedHead => "signature" in line),
    bad: lines.filter((line): line is BadHead => "where" in line),
  };
}
