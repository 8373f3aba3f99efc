import { randomBytes } from "node:crypto";
import { link, mkdir, open, readdir, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { ReceiptKey } from "#lib/platform/signing-keys";
import type { KnownHead } from "./model/check-chain.ts";
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
  /** How many heads were read. */
  readonly read: number;
  /** What the heads say of each chain: only that, because there are millions of heads after a year. */
  readonly places: ReadonlyMap<string, readonly KnownHead[]>;
  readonly bad: readonly BadHead[];
};

/** Reads and checks every head in a folder. Throws where a file cannot be read. */
export async function readHeadFiles(folder: string, keys: readonly ReceiptKey[]): Promise<HeadFiles> {
  const names = await headFilesIn(folder);
  const places = new Map<string, KnownHead[]>();
  const bad: BadHead[] = [];
  let read = 0;
  let at = "";
  // One file at a time, because there may be more files than a process may open.
  for (const name of names) {
    for (const head of readHeads({ name, text: await readFile(join(folder, name), "utf8") }, keys)) {
      if ("problem" in head) {
        bad.push(head);
        continue;
      }
      read += 1;
      const { chain, seq, hash } = head;
      // One text for the heads that were signed together.
      at = head.at === at ? at : head.at;
      const ofChain = places.get(chain);
      if (ofChain) ofChain.push({ seq, hash, at });
      else places.set(chain, [{ seq, hash, at }]);
    }
  }
  return { files: names.length, read, places, bad };
}

export type FurthestHeads = { readonly heads: readonly SignedHead[]; readonly bad: number };

/**
 * Of each chain in a folder, or in its newest files, the heads than which no later one names a further entry: one, and
 * those from before where the chain was recovered. The signatures of the others are not checked, so that it takes
 * seconds. Throws where a file cannot be read.
 */
export async function readFurthestHeads(
  folder: string,
  keys: readonly ReceiptKey[],
  newest = Infinity,
): Promise<FurthestHeads> {
  const furthest = new Map<string, number>();
  const heads: SignedHead[] = [];
  let bad = 0;
  for (const name of (await headFilesIn(folder)).slice(-newest).reverse()) {
    for (const head of readHeads({ name, text: await readFile(join(folder, name), "utf8") }, keys, furthest)) {
      if ("problem" in head) {
        bad += 1;
        continue;
      }
      heads.push(head);
      furthest.set(head.chain, Math.max(head.seq, furthest.get(head.chain) ?? 0));
    }
  }
  return { heads, bad };
}

/** The oldest first. */
async function headFilesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => /^heads-.*\.jsonl$/.test(name)).sort();
}
