import type { Logger } from "pino";
import type { Topic } from "#lib/db/announce";
import type { Store } from "#lib/db/db";
import { readHeads, type Heads } from "#lib/audit/store/heads";
import { listen, type Hint } from "#lib/db/listen";

/** What a subscriber is told: how far the records of its practices have come, or where the people at work changed. */
export type News =
  | { readonly topic: "cases"; readonly heads: Heads }
  | { readonly topic: "desk"; readonly practices: readonly string[] };

export type Subscriber = {
  readonly personId: string;
  /** The practices it may hear of, as they are at this moment. */
  readonly practices: () => readonly string[];
  readonly hear: (news: News) => void;
  /** Whoever it is may no longer be signed in, or not for the same practices. */
  readonly recheck: () => void;
  /** No more will come: this process is stopping. */
  readonly end: () => void;
};

/** Tells the streams of one process what changed in any process on the same database. */
export type Hub = {
  /** Takes a subscriber until the returned function is called; undefined when its person has too many, or nobody is taken any more. */
  readonly subscribe: (subscriber: Subscriber) => (() => void) | undefined;
  readonly count: () => number;
  readonly close: () => Promise<void>;
};

/** One for each browser is enough; more is a fault or an attempt to hold all connections. */
const perPersonMax = 12;

/** Hints that come close together are answered by one look. */
const gatherMs = 30;

/** How often to look without a hint: one may be lost, and in between the connection may be too. */
const lookEveryMs = 20_000;

type Options = {
  readonly store: Store;
  /** The database, reached without a pool in between. */
  readonly url: string;
  readonly log: Logger;
  readonly everyMs?: number | undefined;
};

export function createHub({ store, url, log, everyMs = lookEveryMs }: Options): Hub {
  const subscribers = new Set<Subscriber>();
  const hinted: Record<Exclude<Topic, "people">, Set<string>> = { cases: new Set(), desk: new Set() };
  let closed = false;
  let gathering: NodeJS.Timeout | undefined;

  const gather = () => {
    gathering ??= setTimeout(() => {
      gathering = undefined;
      const [cases, desk] = [[...hinted.cases], [...hinted.desk]];
      for (const practices of Object.values(hinted)) practices.clear();
      tellDesk(subscribers, desk);
      void tellCases(store, subscribers, cases).catch((error: unknown) => {
        log.warn({ err: error }, "what changed could not be looked up; the next look will tell");
      });
    }, gatherMs);
  };
  const onHint = ({ topic, ids }: Hint) => {
    if (topic === "people") {
      for (const { personId, recheck } of subscribers) if (ids.includes(personId)) recheck();
      return;
    }
    for (const practice of ids) hinted[topic].add(practice);
    gather();
  };
  const lookAtAll = () => {
    for (const { practices } of subscribers) for (const practice of practices()) hinted.cases.add(practice);
    gather();
  };
  const listener = listen(url, {
    onHint,
    onConnected: () => {
      lookAtAll();
      for (const { recheck } of subscribers) recheck();
    },
    onLost: (error) => log.warn({ err: error }, "the connection that hears of changes was lost"),
  });
  const looking = setInterval(() => subscribers.size > 0 && lookAtAll(), everyMs).unref();
  return {
    subscribe: (subscriber) => {
      const theirs = [...subscribers].filter(({ personId }) => personId === subscriber.personId);
      if (closed || theirs.length >= perPersonMax) return undefined;
      subscribers.add(subscriber);
      return () => void subscribers.delete(subscriber);
    },
    count: () => subscribers.size,
    close: async () => {
      closed = true;
      clearInterval(looking);
      clearTimeout(gathering);
      for (const { end } of subscribers) end();
      subscribers.clear();
      await listener.close();
    },
  };
}

/** Tells each subscriber of its own practices among these, and of no other. */
async function tellCases(store: Store, subscribers: ReadonlySet<Subscriber>, practices: readonly string[]) {
  const wanted = new Set([...subscribers].flatMap((subscriber) => subscriber.practices()));
  const heads = await readHeads(
    store,
    practices.filter((practice) => wanted.has(practice)),
  );
  for (const { hear, practices: allowed } of subscribers) {
    const own = allowed().filter((practice) => practice in heads);
    if (own.length > 0) hear({ topic: "cases", heads: Object.fromEntries(own.map((id) => [id, heads[id] ?? 0])) });
  }
}

function tellDesk(subscribers: ReadonlySet<Subscriber>, practices: readonly string[]): void {
  for (const { hear, practices: allowed } of subscribers) {
    const own = allowed().filter((practice) => practices.includes(practice));
    if (own.length > 0) hear({ topic: "desk", practices: own });
  }
}
