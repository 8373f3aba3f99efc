import type { Hints } from "#lib/db/hints";
import type { Store } from "#lib/db/db";
import { forPractices } from "#lib/db/for-practices";
import { changedTasks, type SeenTask } from "#lib/task/store/changed-tasks";

/** Why a wait ended: the task changed, its time is over, this process is stopping, or nobody waits any more. */
export type WaitEnd = "changed" | "over" | "stopping" | "gone";

export type TaskWait = SeenTask & {
  /** By `performance.now()`, before the version was read: whatever was heard of the task since then may be newer. */
  readonly readAt: number;
  readonly ms: number;
  /** Calls once nobody waits any more, unless the returned function is called first. */
  readonly onGone?: ((leave: () => void) => () => void) | undefined;
};

/** Waits for changes of tasks by any process on the same database. A wait runs no statement of its own. */
export type TaskWatch = {
  /** Resolves once the task may no longer be at this version, or when the wait ends otherwise. */
  readonly untilChanged: (wait: TaskWait) => Promise<WaitEnd>;
  readonly count: () => number;
  /** Ends every wait, and each later one at once. */
  readonly close: () => void;
};

type Options = {
  readonly store: Store;
  readonly hints: Hints;
  readonly onError: (error: unknown) => void;
  /** How often all tasks are compared, in case a hint was lost. */
  readonly compareEveryMs?: number | undefined;
};

type Waiter = SeenTask & { readonly end: (why: WaitEnd) => void };

const compareEveryMsDefault = 20_000;

/** Most tasks that one statement compares. */
const comparedMax = 1_000;

/** For so long at least it is known which tasks were heard of: far longer than it takes to read one. */
const hintedMs = 10_000;

/** Waits end at full steps, so that thousands of them share a few timers. */
const stepMs = 250;

export function createTaskWatch({ store, hints, onError, compareEveryMs = compareEveryMsDefault }: Options): TaskWatch {
  const waiters = createWaiters();
  const hinted = createHintMemory();
  const compare = oneAtATime(() => compareAll(store, waiters), onError);
  let connectedAt = Infinity;
  let stop: (() => void) | undefined;
  let isClosed = false;

  function begin(): () => void {
    const every = setInterval(() => waiters.all().length > 0 && compare(), compareEveryMs).unref();
    const unsubscribe = hints.subscribe({
      onHint: ({ topic, ids }) => {
        if (topic !== "tasks") return;
        for (const taskId of ids) {
          hinted.add(taskId);
          waiters.wake(taskId);
        }
      },
      onConnected: () => {
        connectedAt = performance.now();
        compare();
      },
    });
    return () => {
      clearInterval(every);
      unsubscribe();
    };
  }

  return {
    untilChanged: (wait) => {
      if (isClosed) return Promise.resolve("stopping");
      stop ??= begin();
      if (hinted.has(wait.taskId, wait.readAt)) return Promise.resolve("changed");
      const ended = waiters.add(wait);
      // It is not known what happened to the task before the connection stood.
      if (wait.readAt < connectedAt && connectedAt < Infinity) compare();
      return ended;
    },
    count: () => waiters.all().length,
    close: () => {
      isClosed = true;
      stop?.();
      for (const { end } of waiters.all()) end("stopping");
    },
  };
}

type Waiters = ReturnType<typeof createWaiters>;

function createWaiters() {
  const byTask = new Map<string, Set<Waiter>>();
  return {
    add: ({ ms, onGone, readAt: _, ...seen }: TaskWait): Promise<WaitEnd> =>
      new Promise((resolve) => {
        const sameTask = byTask.get(seen.taskId) ?? new Set();
        byTask.set(seen.taskId, sameTask);
        const end = (why: WaitEnd) => {
          if (!sameTask.delete(waiter)) return;
          if (sameTask.size === 0) byTask.delete(seen.taskId);
          clearTimeout(timer);
          stopListening?.();
          resolve(why);
        };
        const waiter: Waiter = { ...seen, end };
        const timer = setTimeout(end, Math.max(stepMs, Math.floor(ms / stepMs) * stepMs), "over");
        sameTask.add(waiter);
        // It may be called at once.
        const stopListening = onGone?.(() => queueMicrotask(() => end("gone")));
      }),
    wake: (taskId: string) => {
      for (const { end } of byTask.get(taskId) ?? []) end("changed");
    },
    all: (): readonly Waiter[] => [...byTask.values()].flatMap((sameTask) => [...sameTask]),
  };
}

/** Wakes whoever waits for a task that changed without a hint of it. */
async function compareAll(store: Store, waiters: Waiters): Promise<void> {
  const all = waiters.all();
  for (let at = 0; at < all.length; at += comparedMax) {
    const part = all.slice(at, at + comparedMax);
    const practices = [...new Set(part.map(({ practiceId }) => practiceId))];
    for (const taskId of await changedTasks(forPractices(store, practices), part)) waiters.wake(taskId);
  }
}

/** Runs it again at its end where it was asked for meanwhile. */
function oneAtATime(run: () => Promise<void>, onError: (error: unknown) => void): () => void {
  let state: "idle" | "running" | "again" = "idle";
  const begin = () => {
    if (state !== "idle") return void (state = "again");
    state = "running";
    void run()
      .catch(onError)
      .finally(() => {
        const isAgain = state === "again";
        state = "idle";
        if (isAgain) begin();
      });
  };
  return begin;
}

/** Remembers for a while when each task was last heard of. */
function createHintMemory() {
  let [current, before] = [new Map<string, number>(), new Map<string, number>()];
  let turnedAt = performance.now();
  return {
    add: (taskId: string) => {
      const now = performance.now();
      if (now - turnedAt > hintedMs) [current, before, turnedAt] = [new Map(), current, now];
      current.set(taskId, now);
    },
    has: (taskId: string, since: number) => (current.get(taskId) ?? before.get(taskId) ?? -Infinity) >= since,
  };
}
