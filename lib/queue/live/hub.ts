import type { Logger } from "pino";
import type { Topic } from "#lib/db/announce";
import type { Store } from "#lib/db/db";
import { readHeads, type Heads } from "#lib/audit/shared/heads";
import type { Hints } from "#lib/db/hints";
import type { Hint } from "#lib/db/listen";
import { forPractices } from "#lib/db/for-practices";

/** What a subscriber gets: the latest audit entries of its practices, or the practices where the people at work changed. */
export type LiveEvent =
  | { readonly topic: "cases"; readonly heads: Heads }
  | { readonly topic: "desk"; readonly practices: readonly string[] };

export type Subscriber = {
  readonly personId: string;
  /** The practices that the subscriber may see, as of now. */
  readonly practices: () => readonly string[];
  readonly notify: (news: LiveEvent) => void;
  /** Called when the person may have lost the session or a practice. */
  readonly recheck: () => void;
  /** Called when this process is stopping and sends no more. */
  readonly end: () => void;
};

/** Notifies the streams of one process of changes by any process on the same database. */
export type Hub = {
  /** Adds a subscriber until the returned function is called; undefined when its person has too many, or the hub is closed. */
  readonly subscribe: (subscriber: Subscriber) => (() => void) | undefined;
  readonly count: () => number;
  readonly close: () => void;
};

/** A browser needs only one stream; more is a fault or an attempt to exhaust the connections. */
const perPersonMax = 12;

/** Notifications within this time are handled by one look-up. */
const gatherMs = 30;

/** How often to check without a notification, since one may be lost together with the connection. */
const checkEveryMs = 20_000;

type Options = {
  readonly store: Store;
  readonly hints: Hints;
  readonly log: Logger;
  readonly everyMs?: number | undefined;
};

export function createHub({ store, hints, log, everyMs = checkEveryMs }: Options): Hub {
  const subscribers = new Set<Subscriber>();
  const hinted: Record<Exclude<Topic, "people" | "tasks">, Set<string>> = { cases: new Set(), desk: new Set() };
  let closed = false;
  let gathering: NodeJS.Timeout | undefined;

  const gather = () => {
    gathering ??= setTimeout(() => {
      gathering = undefined;
      const [cases, desk] = [[...hinted.cases], [...hinted.desk]];
      for (const practices of Object.values(hinted)) practices.clear();
      notifyDesk(subscribers, desk);
      void notifyCases(store, subscribers, cases).catch((error: unknown) => {
        log.warn({ err: error }, "changes could not be read; the next check will find them");
      });
    }, gatherMs);
  };
  const onHint = ({ topic, ids }: Hint) => {
    if (topic === "tasks") return;
    if (topic === "people") {
      for (const { personId, recheck } of subscribers) if (ids.includes(personId)) recheck();
      return;
    }
    for (const practice of ids) hinted[topic].add(practice);
    gather();
  };
  const checkAll = () => {
    for (const { practices } of subscribers) for (const practice of practices()) hinted.cases.add(practice);
    gather();
  };
  const unsubscribe = hints.subscribe({
    onHint,
    onConnected: () => {
      checkAll();
      for (const { recheck } of subscribers) recheck();
    },
  });
  const looking = setInterval(() => subscribers.size > 0 && checkAll(), everyMs).unref();
  return {
    subscribe: (subscriber) => {
      const theirs = [...subscribers].filter(({ personId }) => personId === subscriber.personId);
      if (closed || theirs.length >= perPersonMax) return undefined;
      subscribers.add(subscriber);
      return () => void subscribers.delete(subscriber);
    },
    count: () => subscribers.size,
    close: () => {
      closed = true;
      unsubscribe();
      clearInterval(looking);
      clearTimeout(gathering);
      for (const { end } of subscribers) end();
      subscribers.clear();
    },
  };
}

/** Notifies each subscriber of its own practices among these, and of no others. */
async function notifyCases(store: Store, subscribers: ReadonlySet<Subscriber>, practices: readonly string[]) {
  const wanted = new Set([...subscribers].flatMap((subscriber) => subscriber.practices()));
  const watched = practices.filter((practice) => wanted.has(practice));
  const heads = await readHeads(forPractices(store, watched), watched);
  for (const { notify: hear, practices: allowed } of subscribers) {
    const own = allowed().filter((practice) => practice in heads);
    if (own.length > 0) hear({ topic: "cases", heads: Object.fromEntries(own.map((id) => [id, heads[id] ?? 0])) });
  }
}

function notifyDesk(subscribers: ReadonlySet<Subscriber>, practices: readonly string[]): void {
  for (const { notify: hear, practices: allowed } of subscribers) {
    const own = allowed().filter((practice) => practices.includes(practice));
    if (own.length > 0) hear({ topic: "desk", practices: own });
  }
}
