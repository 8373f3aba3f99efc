import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSigningKey } from "#lib/platform/signing-keys";
import { readFurthestHeads, readHeadFiles } from "./head-files.ts";
import { signHead } from "./heads.ts";

const signer = openSigningKey(Buffer.alloc(32, 5));
const other = openSigningKey(Buffer.alloc(32, 6));

type Head = { readonly chain: string; readonly seq: number; readonly by?: typeof signer };

/** A folder in which each list of heads is a file, the oldest first. */
function aFolder(files: readonly (readonly Head[])[]): string {
  const folder = mkdtempSync(join(tmpdir(), "heads-"));
  for (const [index, heads] of files.entries()) {
    const at = new Date(Date.UTC(2026, 0, 1, index));
    const lines = heads.map(({ by = signer, ...head }) => signHead(by, { ...head, hash: "a".repeat(64), at }));
    writeFileSync(join(folder, `heads-${at.toISOString().replaceAll(/[:.]/g, "-")}-0.jsonl`), lines.join("\n"));
  }
  return folder;
}

const placesIn = ({ heads }: { readonly heads: readonly Head[] }) =>
  heads.map(({ chain, seq }) => `${chain} ${seq}`).sort();

test("of each chain the furthest head is read, however many there are, and one that does not verify is passed over", async () => {
  const folder = aFolder([
    [{ chain: "idle", seq: 3 }],
    ...Array.from({ length: 50 }, (_, index) => [{ chain: "busy", seq: index + 1 }]),
    [{ chain: "busy", seq: 99, by: other }],
  ]);
  const read = await readFurthestHeads(folder, [signer.key]);
  expect([placesIn(read), read.bad]).toEqual([["busy 50", "idle 3"], 1]);
  expect(placesIn(await readFurthestHeads(folder, [signer.key], 10))).toEqual(["busy 50"]);
});

test("of a chain that was recovered, the furthest head from before is read too", async () => {
  const heads = [7, 9, 4, 5].map((seq) => [{ chain: "forked", seq }]);
  expect(placesIn(await readFurthestHeads(aFolder(heads), [signer.key]))).toEqual(["forked 5", "forked 9"]);
});

test("to verify chains, every head is read and checked", async () => {
  const heads = [[{ chain: "a", seq: 1 }], [{ chain: "a", seq: 2 }], [{ chain: "b", seq: 1, by: other }]];
  const { files, read, places, bad } = await readHeadFiles(aFolder(heads), [signer.key]);
  expect([files, read, places.get("a")?.map(({ seq }) => seq), bad]).toEqual([
    ...[3, 2, [1, 2]],
    [expect.objectContaining({ problem: "unknown-key" })],
  ]);
});
