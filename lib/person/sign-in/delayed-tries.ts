import { nowMs } from "#lib/platform/now";
import { createLog } from "#lib/platform/log";
import type { Store } from "#lib/db/db";
import { recordWaitingTries, type WaitingTries } from "#lib/person/store/waiting-tries";
import { onePerProcess } from "#lib/platform/process/one-per-process";
import { logFailure } from "#lib/db/unavailable";

/** A try that had to wait: the typed account or the person, and the address it came from. */
export type DelayedTry = Pick<WaitingTries, "account" | "personId" | "address">;

type CountedTries = DelayedTry & { count: number; readonly first: Date; last: Date };

/** How often they are written; a killed process loses no more than this. */
const everyMs = 60_000;

/** The most entries of one write. All further tries are counted in one entry, without account and address. */
const entriesMax = 50;

type Book = { counted: Map<string, CountedTries>; timer?: NodeJS.Timeout | undefined };

/** One for each process and store. */
function bookOf(store: Store): Book {
  const books = onePerProcess("delayed-tries", () => new WeakMap<Store, Book>());
  const known = books.get(store);
  const book = known ?? { counted: new Map() };
  if (!known) books.set(store, book);
  return book;
}

/** Notes that a try had to wait, without delaying it; a flood of them makes a few entries a minute. */
export function noteDelayedTry(store: Store, waiting: DelayedTry): void {
  const book = bookOf(store);
  const now = new Date(nowMs());
  const own = JSON.stringify([waiting.personId, waiting.account, waiting.address]);
  const isSpare = book.counted.has(own) || book.counted.size < entriesMax;
  const [key, whose] = isSpare ? [own, waiting] : ["", {}];
  const counted = book.counted.get(key) ?? { ...whose, count: 0, first: now, last: now };
  counted.count += 1;
  counted.last = now;
  book.counted.set(key, counted);
  book.timer ??= setTimeout(() => void writeDelayedTries(store).catch(logUnrecorded), everyMs).unref();
}

/** Writes the notes that are not written yet: at the end of the process, and for callers who cannot wait. */
export async function writeDelayedTries(store: Store): Promise<void> {
  const book = bookOf(store);
  clearTimeout(book.timer);
  book.timer = undefined;
  const list = [...book.counted.values()];
  book.counted = new Map();
  await recordWaitingTries(store, list);
}

function logUnrecorded(error: unknown): void {
  logFailure(createLog("sign-in"), { err: error }, "tries that had to wait could not be put on record");
}
