import { randomBytes } from "node:crypto";
import { link, mkdir, open, readdir, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { ReceiptKey } from "#lib/platform/signing-keys";
import { readHeads, type BadHead, type SignedHead } from "./heads.ts";

/**
 * Writes lines as a new file of the folder, whole or not at all; a file that is there is never written to again. Its
 * name begins with the time, so names sort as they came.
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
  // Unlike a rename, a link never takes the place of a file that is there.
  await link(unfinished, join(folder, name));
  await unlink(unfinished);
  return name;
}

export type HeadFiles = {
  readonly files: number;
  readonly heads: readonly SignedHead[];
  readonly bad: readonly BadHead[];
};

/** Every head in a folder, or in its newest files, checked; throws where it cannot be read. */
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
  // One after the other: there may be more files than may be open at once.
  for (const name of names) lines.push(...readHeads({ name, text: await readFile(join(folder, name), "utf8") }, keys));
  return {
    files: names.length,
    heads: lines.filter((line): line is SignedHead => "signature" in line),
    bad: lines.filter((line): line is BadHead => "where" in line),
  };
}
