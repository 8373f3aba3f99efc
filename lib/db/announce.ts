import { type Store, unscoped } from "./db.ts";

/** Postgres's channel for hints between processes. */
export const hintChannel = "prior_authorization";

/**
 * What a hint is about: cases of a practice changed, who is at work on them, a person may no longer be signed in, or this
 * very task changed. It says only where to look; the tables say what there is.
 */
export const topics = ["cases", "desk", "people", "tasks"] as const;
export type Topic = (typeof topics)[number];

/** Hints of one process go out together, at most once in this time. */
const everyMs = 150;

/** Postgres carries at most 8,000 bytes at once; an id has at most 64. */
const idsPerHint = 100;

type Box = { readonly found: Map<Topic, Set<string>>; resting: boolean };
const boxes = new WeakMap<Store, Box>();

/**
 * Hints to every process that something of a practice, or of a person, or a task changed. Call it after
 * the commit. It costs its caller nothing and may be lost: whoever hears it
 * also looks from time to time.
 */
export function announce(scoped: Store, topic: Topic, id: string): void {
  const store = unscoped(scoped);
  let box = boxes.get(store);
  if (!box) boxes.set(store, (box = { found: new Map(), resting: false }));
  const ids = box.found.get(topic);
  if (ids) ids.add(id);
  else box.found.set(topic, new Set([id]));
  if (!box.resting) send(store, box);
}

function send(store: Store, box: Box): void {
  const hints = [...box.found].flatMap(([topic, ids]) => hintsOf(topic, [...ids]));
  box.found.clear();
  box.resting = hints.length > 0;
  if (!box.resting) return;
  // A statement of its own: inside the transaction that changed something, every commit would wait for every other.
  for (const hint of hints) store.pool.query("SELECT pg_notify($1, $2)", [hintChannel, hint]).catch(() => undefined);
  setTimeout(() => send(store, box), everyMs).unref();
}

function hintsOf(topic: Topic, ids: readonly string[]): string[] {
  const starts = Array.from({ length: Math.ceil(ids.length / idsPerHint) }, (_, n) => n * idsPerHint);
  return starts.map((start) => JSON.stringify({ topic, ids: ids.slice(start, start + idsPerHint) }));
}
