import { randomBytes, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat, unlink, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";

/** An entry of an audit chain that was seen in the database. */
const placeSchema = z.object({
  kind: z.literal("place"),
  at: z.number(),
  chain: z.string(),
  seq: z.number(),
  hash: z.string(),
});

/** A submission that was about to start, and the audit entry that records it. Ids, digests and numbers only. */
const startedSchema = z.object({
  kind: z.literal("started"),
  at: z.number(),
  chain: z.string(),
  seq: z.number(),
  hash: z.string(),
  taskId: z.string(),
  gateId: z.string(),
  attempt: z.number(),
});

/** The database in which the places were seen, and since when. Releases from before then are held again. */
const databaseSchema = z.object({
  kind: z.literal("database"),
  at: z.number(),
  identity: z.string(),
  /** How much of the database's write-ahead log was on disk. */
  lsn: z.string(),
  since: z.number(),
});

/** A person recovered a chain: places seen before then no longer count. */
const recoveredSchema = z.object({ kind: z.literal("recovered"), at: z.number(), chain: z.string() });

const lineSchema = z.discriminatedUnion("kind", [placeSchema, startedSchema, databaseSchema, recoveredSchema]);

export type LedgerLine = z.infer<typeof lineSchema>;
export type StartEntry = z.infer<typeof startedSchema>;
export type SeenPlace = Pick<z.infer<typeof placeSchema>, "at" | "chain" | "seq" | "hash">;
export type SeenDatabase = Omit<z.infer<typeof databaseSchema>, "kind">;

/** What a ledger contains, without places that were seen before their chain was recovered. */
export type LedgerContent = {
  /** The furthest entry seen of each chain. */
  readonly places: ReadonlyMap<string, SeenPlace>;
  readonly database: SeenDatabase | undefined;
  /** When each chain was last recovered. */
  readonly recovered: ReadonlyMap<string, number>;
};

/** Submissions are kept as long as a backup may reasonably be restored: 90 days. */
const keepStartedMs = 90 * 24 * 3_600_000;
/**
 * A file that was not written for this long belongs to no running process: each process writes at least once an hour.
 */
const idleFileMs = 24 * 3_600_000;

/** A file of submissions holds about 20,000, and those of one day at most. */
const startedBytesMax = 5_000_000;
const startedFileMs = 24 * 3_600_000;

/** What a file's name begins with. */
type FileKind = "places" | "started" | "recovered";

const identityFile = "ledger.json";

/** The ledger's id. Undefined if the folder has no ledger. */
export async function readLedgerId(folder: string): Promise<string | undefined> {
  try {
    return z.object({ id: z.uuid() }).parse(JSON.parse(await readFile(join(folder, identityFile), "utf8"))).id;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * The user who owns the ledger, where that is not this one: what this process wrote there, the worker could never read.
 * Of a folder that is yet to be made, the one above counts for root, who may write anywhere.
 */
export async function otherOwner(folder: string, uid = process.getuid?.()): Promise<number | undefined> {
  const known = await stat(folder).catch(() => undefined);
  if (uid === undefined || (known === undefined && uid !== 0)) return undefined;
  if (known === undefined) return dirname(folder) === folder ? undefined : otherOwner(dirname(folder), uid);
  return known.uid === uid ? undefined : known.uid;
}

/** Makes the folder a ledger. Only once. */
export async function createLedger(folder: string): Promise<string> {
  const known = await readLedgerId(folder);
  if (known !== undefined) return known;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const id = randomUUID();
  const unfinished = join(folder, `.${identityFile}.${process.pid}`);
  const file = await open(unfinished, "w", 0o600);
  await file.writeFile(`${JSON.stringify({ id })}\n`);
  await file.sync();
  await file.close();
  await rename(unfinished, join(folder, identityFile));
  await syncFolder(folder);
  return id;
}

/**
 * Reads everything in the folder but the submissions themselves, and holds no more than a part of a file at once. A
 * last line that was cut short by a crash is skipped, because nothing relied on it.
 */
export async function readLedger(folder: string): Promise<LedgerContent> {
  const { recovered, database: recoveredIn } = await readRecovered(folder);
  const places = new Map<string, SeenPlace>();
  let database = recoveredIn;
  for await (const line of linesIn(folder, ["places", "started"])) {
    if (line.kind === "database" && line.at >= (database?.at ?? 0)) database = line;
    if (line.kind !== "place" && line.kind !== "started") continue;
    if (line.at <= (recovered.get(line.chain) ?? 0)) continue;
    if (line.seq >= (places.get(line.chain)?.seq ?? 0)) places.set(line.chain, line);
  }
  return { places, database, recovered };
}

/** What people recovered, which is in few short files, and the database in which they did it last. */
export async function readRecovered(folder: string): Promise<Pick<LedgerContent, "recovered" | "database">> {
  const recovered = new Map<string, number>();
  let database: SeenDatabase | undefined;
  for await (const line of linesIn(folder, ["recovered"])) {
    if (line.kind === "recovered") recovered.set(line.chain, Math.max(line.at, recovered.get(line.chain) ?? 0));
    if (line.kind === "database" && line.at >= (database?.at ?? 0)) database = line;
  }
  return { recovered, database };
}

/** The submissions in the folder one by one, those of each process in the order in which it noted them. */
export async function* readStarts(folder: string): AsyncGenerator<StartEntry> {
  for await (const line of linesIn(folder, ["started"])) if (line.kind === "started") yield line;
}

/** Appends lines; each is on disk before the call returns. After a failed write the next goes to a file of its own. */
export type LedgerWriter = {
  readonly write: (lines: readonly LedgerLine[]) => Promise<void>;
  /** Begins a new file with these lines and removes the earlier file, so that places do not pile up. */
  readonly restart: (lines: readonly LedgerLine[]) => Promise<void>;
  readonly size: () => number;
  readonly close: () => Promise<void>;
};

/** Opens a file for this process alone. Any number of processes may use one folder. */
export async function openWriter(folder: string, prefix: FileKind): Promise<LedgerWriter> {
  let current = await createFile(folder, prefix);
  let size = 0;
  // Writes one line after the other, so that lines never overlap.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Value>(run: () => Promise<Value>): Promise<Value> => {
    const turn = last.then(run);
    last = turn.catch(() => undefined);
    return turn;
  };
  /** A write failed: the file may end in the middle of a line, and what a disk refused once it need not say again. */
  let isBroken = false;
  const append = async (lines: readonly LedgerLine[]) => {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    if (isBroken || isFull(prefix, { size, openedAt: current.openedAt })) await replace();
    isBroken = true;
    await current.file.appendFile(text);
    await current.file.datasync();
    isBroken = false;
    size += text.length;
  };
  /** The lines that were kept in it stay there, and are read with the others. */
  const replace = async () => {
    const [before, keptBytes] = [current, size];
    current = await createFile(folder, prefix);
    isBroken = false;
    size = 0;
    await before.file.close().catch(() => undefined);
    if (keptBytes === 0) await rm(before.path, { force: true });
  };
  let waiting: LedgerLine[] = [];
  let turn: Promise<void> | undefined;
  const appendWaiting = () => {
    const lines = waiting;
    waiting = [];
    turn = undefined;
    return append(lines);
  };
  return {
    // Those that wait for their turn are written together, and wait for the disk together.
    write: (lines) => {
      waiting.push(...lines);
      return (turn ??= inTurn(appendWaiting));
    },
    restart: (lines) =>
      inTurn(async () => {
        const before = current;
        current = await createFile(folder, prefix);
        isBroken = false;
        size = 0;
        await append(lines);
        await before.file.close();
        await unlink(before.path);
      }),
    size: () => size,
    close: () => inTurn(() => current.file.close()),
  };
}

/** A file of submissions ends after this much, so that files in which nothing is young enough to keep can go. */
function isFull(prefix: FileKind, { size, openedAt }: { readonly size: number; readonly openedAt: number }): boolean {
  return prefix === "started" && (size > startedBytesMax || Date.now() - openedAt > startedFileMs);
}

type OpenFile = { readonly path: string; readonly file: FileHandle; readonly openedAt: number };

async function createFile(folder: string, prefix: FileKind): Promise<OpenFile> {
  const openedAt = Date.now();
  const path = join(folder, `${prefix}-${openedAt}-${randomBytes(4).toString("hex")}.jsonl`);
  const file = await open(path, "ax", 0o600);
  await syncFolder(folder);
  return { path, file, openedAt };
}

/**
 * Removes what is no longer needed: files of places of other processes, once `places` are in a file of our own, and
 * submissions older than any backup that may be restored.
 */
export async function removeOldFiles(folder: string, now: number): Promise<void> {
  for (const name of await ledgerFiles(folder)) {
    const idleMs = now - (await stat(join(folder, name))).mtimeMs;
    const isOld = name.startsWith("places-") ? idleMs > idleFileMs : idleMs > keepStartedMs;
    if (isOld && !name.startsWith("recovered-")) await unlink(join(folder, name));
  }
}

async function ledgerFiles(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => /^(?:places|started|recovered)-.*\.jsonl$/.test(name)).sort();
}

/** The lines of all files of these kinds, one after the other. */
async function* linesIn(folder: string, kinds: readonly FileKind[]): AsyncGenerator<LedgerLine> {
  const names = await ledgerFiles(folder);
  for (const name of names.filter((file) => kinds.some((kind) => file.startsWith(`${kind}-`))))
    for await (const texts of textsIn(join(folder, name)))
      for (const text of texts) yield lineSchema.parse(JSON.parse(text));
}

/** After the last line feed there is nothing, or a line that was cut short. */
async function* textsIn(path: string): AsyncGenerator<readonly string[]> {
  let rest = "";
  for await (const part of createReadStream(path, "utf8")) {
    const texts = `${rest}${String(part)}`.split("\n");
    rest = texts.pop() ?? "";
    yield texts;
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync();
  await handle.close();
}
