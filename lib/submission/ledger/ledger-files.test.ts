import { startsIn } from "#test/support/database/ledgers";
import { appendFileSync, mkdtempSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import {
  createLedger,
  openWriter,
  otherOwner,
  readLedger,
  readLedgerId,
  removeOldFiles,
  type LedgerLine,
} from "./ledger-files.ts";

const aFolder = () => mkdtempSync(join(tmpdir(), "ledger-"));

function place(chain: string, seq: number, at: number): LedgerLine {
  return { kind: "place", at, chain, seq, hash: `${chain}/${seq}` };
}

function started(chain: string, seq: number, at: number): LedgerLine {
  return { ...place(chain, seq, at), kind: "started", taskId: "task", gateId: "gate", attempt: 1 } as LedgerLine;
}

async function write(folder: string, prefix: "places" | "started" | "recovered", lines: readonly LedgerLine[]) {
  const writer = await openWriter(folder, prefix);
  await writer.write(lines);
  await writer.close();
}

test("a ledger has one id, however often it is begun", async () => {
  const folder = aFolder();
  expect(await readLedgerId(folder)).toBeUndefined();
  const id = await createLedger(folder);
  expect(await createLedger(folder)).toBe(id);
  expect(await readLedgerId(folder)).toBe(id);
});

test("a ledger of another user is known as such before anything is written to it, by root also where it is yet to be made", async () => {
  const folder = aFolder();
  const { uid } = statSync(folder);
  expect(await otherOwner(folder, uid)).toBeUndefined();
  expect(await otherOwner(folder, uid + 1)).toBe(uid);
  const missing = join(folder, "later", "ledger");
  expect(await otherOwner(missing, 1)).toBeUndefined();
  expect(await otherOwner(missing, 0)).toBe(uid === 0 ? undefined : uid);
});

test("of each chain the furthest entry counts, whichever process noted it and whether it was a submission", async () => {
  const folder = aFolder();
  await write(folder, "places", [place("a", 4, 1), place("b", 9, 2)]);
  await write(folder, "places", [place("a", 3, 3)]);
  await write(folder, "started", [started("b", 12, 4)]);
  const { places } = await readLedger(folder);
  expect([...places.values()].map(({ chain, seq }) => `${chain} ${seq}`)).toEqual(["a 4", "b 12"]);
  expect(await startsIn(folder)).toMatchObject([{ chain: "b", seq: 12, gateId: "gate" }]);
});

test("what was seen of a chain before it was recovered no longer counts, and its submissions are kept", async () => {
  const folder = aFolder();
  await write(folder, "places", [place("a", 40, 1), place("b", 9, 1)]);
  await write(folder, "started", [started("a", 41, 2)]);
  await write(folder, "recovered", [{ kind: "recovered", at: 3, chain: "a" }]);
  await write(folder, "places", [place("a", 12, 4)]);
  const { places, recovered } = await readLedger(folder);
  expect([...places.values()].map(({ chain, seq }) => `${chain} ${seq}`).sort()).toEqual(["a 12", "b 9"]);
  expect(await startsIn(folder)).toHaveLength(1);
  expect(recovered.get("a")).toBe(3);
});

test("a ledger of more submissions than a call may have arguments is read, and a file of them ends when it is full or a day old", async () => {
  const folder = aFolder();
  const many = Array.from({ length: 150_000 }, (_, index) => `${JSON.stringify(started("a", index + 1, index))}\n`);
  writeFileSync(join(folder, "started-1-00000000.jsonl"), many.join(""));
  expect((await readLedger(folder)).places.get("a")?.seq).toBe(150_000);

  const writer = await openWriter(folder, "started");
  const lines = Array.from({ length: 50_000 }, (_, index) => started("a", 150_001 + index, 1));
  for (const from of [0, 49_999]) await writer.write(lines.slice(from, from + 49_999));
  vi.useFakeTimers({ now: Date.now() + 25 * 3_600_000, toFake: ["Date"] });
  await writer.write([started("a", 200_001, 2)]);
  vi.useRealTimers();
  await writer.close();
  expect(readdirSync(folder)).toHaveLength(4);
  expect(await startsIn(folder)).toHaveLength(200_001);
});

test("a last line that a crash cut short is left out; a broken line before others fails", async () => {
  const folder = aFolder();
  await write(folder, "places", [place("a", 4, 1)]);
  const [name = ""] = readdirSync(folder);
  appendFileSync(join(folder, name), '{"kind":"place","at":2,"ch');
  expect((await readLedger(folder)).places.get("a")?.seq).toBe(4);
  appendFileSync(join(folder, name), "\n");
  await expect(readLedger(folder)).rejects.toThrow(/JSON/);
});

test("begun anew, a file of places takes the place of the one before; files of processes that ended go after a day", async () => {
  const folder = aFolder();
  await write(folder, "places", [place("old", 1, 1)]);
  const [left = ""] = readdirSync(folder);
  utimesSync(join(folder, left), 0, 0);
  const writer = await openWriter(folder, "places");
  await writer.write([place("a", 1, 2)]);
  await writer.restart([place("a", 2, 3), place("old", 1, 1)]);
  await removeOldFiles(folder, Date.now());
  await writer.write([place("a", 3, 4)]);
  await writer.close();
  expect(readdirSync(folder)).toHaveLength(1);
  const { places } = await readLedger(folder);
  expect([...places.values()].map(({ chain, seq }) => `${chain} ${seq}`)).toEqual(["a 3", "old 1"]);
});

test("lines that are noted at once are all there, whole and in order, and each before its caller goes on", async () => {
  const folder = aFolder();
  const writer = await openWriter(folder, "started");
  const lines = Array.from({ length: 40 }, (_, index) => started("a", index + 1, index));
  const [first, ...others] = lines.map((line) => writer.write([line]));
  await first;
  expect((await startsIn(folder)).map(({ seq }) => seq)).toContain(1);
  await Promise.all(others);
  expect((await startsIn(folder)).map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1));
  await writer.close();
});

test("a line that is noted after a write that failed in its middle is read, and so are those before", async () => {
  const folder = aFolder();
  const writer = await openWriter(folder, "started");
  await writer.write([started("a", 1, 1)]);
  const prototype = await handlePrototype(folder);
  const failing = vi.spyOn(prototype, "appendFile").mockImplementationOnce(async function (this: FileHandle) {
    await this.write('{"kind":"started","at":2,"ch');
    throw new Error("no space left on the device");
  });
  const [first, together] = [writer.write([started("a", 2, 2)]), writer.write([started("a", 3, 3)])];
  await expect(first).rejects.toThrow("no space");
  await expect(together).rejects.toThrow("no space");
  failing.mockRestore();
  await writer.write([started("a", 4, 4)]);
  await writer.close();
  const read = await startsIn(folder);
  expect(new Set(read.map(({ seq }) => seq))).toEqual(new Set([1, 4]));
});

test("after a disk refused to keep a line, no later line counts on the same file, and no empty one is left", async () => {
  const folder = aFolder();
  const writer = await openWriter(folder, "started");
  const [first] = readdirSync(folder);
  const refusing = vi
    .spyOn(await handlePrototype(folder), "datasync")
    .mockRejectedValue(new Error("input/output error"));
  for (const seq of [1, 2, 3]) await expect(writer.write([started("a", seq, seq)])).rejects.toThrow("input/output");
  refusing.mockRestore();
  await writer.write([started("a", 4, 4)]);
  await writer.close();
  expect(readdirSync(folder)).toEqual([expect.not.stringContaining(first ?? "")]);
  expect((await startsIn(folder)).map(({ seq }) => seq)).toEqual([4]);
});

/** What every open file has in common, which Node gives no other way to. */
async function handlePrototype(folder: string): Promise<FileHandle> {
  const file = await open(folder, "r");
  await file.close();
  // Safe because it is of the class of every open file.
  return Object.getPrototypeOf(file) as FileHandle;
}
