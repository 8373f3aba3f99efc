import type { Store } from "./db.ts";

/** Postgres's channel for hints between processes. */
export const hintChannel = "prior_authorization";

/**
 * What a hint is about: cases of a practice changed, or who is at work on them.
 * It says only where to look; the tables say what there is.
 */
export const topics = ["cases", "desk"] as const;
export type Topic = (typeof topics)[number];

/** Hints of one process go out together, at most once in this time. */
const everyMs = 150;

/** Postgres carries at most 8,000 bytes at once; a practice's id has at most 64. */
const practicesPerHint = 100;

type Box = { readonly found: Map<Topic, Set<string>>; resting: boolean };
const boxes = new WeakMap<Store, Box>();

/**
 * Hints to every process that something of a practice changed. Call it after
 * the commit. It costs its caller nothing and may be lost: whoever hears it
 * also looks from time to time.
 */
export function announce(store: Store, topic: Topic, practiceId: string): void {
  let box = boxes.get(store);
  if (!box) boxes.set(store, (box = { found: new Map(), resting: false }));
  const practices = box.found.get(topic);
  if (practices) practices.add(practiceId);
  else box.found.set(topic, new Set([practiceId]));
  if (!box.resting) send(store, box);
}

function send(store: Store, box: Box): void {
  const hints = [...box.found].flatMap(([topic, practices]) => hintsOf(topic, [...practices]));
  box.found.clear();
  box.resting = hints.length > 0;
  if (!box.resting) return;
  // A statement of its own: inside the transaction that changed something, every commit would wait for every other.
  for (const hint of hints) store.pool.query("SELECT pg_notify($1, $2)", [hintChannel, hint]).catch(() => undefined);
  setTimeout(() => send(store, box), everyMs).unref();
}

function hintsOf(topic: Topic, practices: readonly string[]): string[] {
  const starts = Array.from({ length: Math.ceil(practices.length / practicesPerHint) }, (_, n) => n * practicesPerHint);
  return starts.map((start) => JSON.stringify({ topic, practices: practices.slice(start, start + practicesPerHint) }));
}
