import { nowMs } from "#lib/platform/now";
import { createLog } from "#lib/platform/log";
import type { Store } from "#lib/db/db";
import { recordWaitingTries, type WaitingTries } from "#lib/person/store/waiting-tries";

/** Whose try had to wait: the account that was typed, or whoever it is, and from where. */
export type Waiting = Pick<WaitingTries, "account" | "personId" | "address">;

type Counted = Waiting & { count: number; readonly first: Date; last: Date };

/** How often they are written; a process that is killed loses no more than this. */
const everyMs = 60_000;

/** Entries of one writing. What is beyond is counted in one, of nobody and from nowhere. */
const entriesMax = 50;

type Book = { counted: Map<string, Counted>; timer?: NodeJS.Timeout | undefined };

const shared = globalThis as { priorAuthorizationWaiting?: WeakMap<Store, Book> };

/** One per process and store, however often Next bundles this module. */
function bookOf(store: Store): Book {
  shared.priorAuthorizationWaiting ??= new WeakMap();
  const known = shared.priorAuthorizationWaiting.get(store);
  const book = known ?? { counted: new Map() };
  if (!known) shared.priorAuthorizationWaiting.set(store, book);
  return book;
}

/** Notes beside the way that a try had to wait; a flood of them comes to a few entries a minute. */
export function noteWaiting(store: Store, waiting: Waiting): void {
  const book = bookOf(store);
  const now = new Date(nowMs());
  const own = JSON.stringify([waiting.personId, waiting.account, waiting.address]);
  const isSpare = book.counted.has(own) || book.counted.size < entriesMax;
  const [key, whose] = isSpare ? [own, waiting] : ["", {}];
  const counted = book.counted.get(key) ?? { ...whose, count: 0, first: now, last: now };
  counted.count += 1;
  counted.last = now;
  book.counted.set(key, counted);
  book.timer ??= setTimeout(() => void writeWaiting(store).catch(logFailure), everyMs).unref();
}

/** Writes what was noted and not written yet; at the end of the process, or for whoever cannot wait. */
export async function writeWaiting(store: Store): Promise<void> {
  const book = bookOf(store);
  clearTimeout(book.timer);
  book.timer = undefined;
  const list = [...book.counted.values()];
  book.counted = new Map();
  await recordWaitingTries(store, list);
}

function logFailure(error: unknown): void {
  createLog("sign-in").error({ err: error }, "tries that had to wait could not be put on record");
}
