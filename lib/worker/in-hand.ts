import type { Logger } from "pino";
import { logFailure } from "#lib/db/unavailable";

export type InHand = {
  /**
   * Begins work on a task, unless it is in hand already, there is no place, or its practice has its share. `onEnd` is
   * called at its end, however it ends.
   */
  readonly start: (work: Work) => boolean;
  readonly free: () => number;
  readonly byPractice: () => ReadonlyMap<string, number>;
  /** For how long the oldest has been in hand, in milliseconds. */
  readonly longestMs: () => number;
  /** Resolves when nothing is in hand any more. */
  readonly settled: () => Promise<void>;
};

type Work = {
  readonly taskId: string;
  readonly practiceId: string;
  readonly run: () => Promise<unknown>;
  readonly onEnd?: (() => void) | undefined;
};

type Settings = {
  readonly log: Logger;
  readonly most: number;
  /** The most that one practice may have in hand, so that one whose work does not end leaves places to the others. */
  readonly eachPractice: number;
};

/** The tasks a worker is at work on. */
export function createInHand({ log, most, eachPractice }: Settings): InHand {
  const running = new Map<
    string,
    { readonly practiceId: string; readonly since: number; readonly done: Promise<void> }
  >();
  const counts = new Map<string, number>();

  function count(practiceId: string, by: 1 | -1): void {
    const now = (counts.get(practiceId) ?? 0) + by;
    if (now === 0) counts.delete(practiceId);
    else counts.set(practiceId, now);
  }

  return {
    start: ({ taskId, practiceId, run, onEnd }) => {
      if (running.has(taskId) || running.size >= most || (counts.get(practiceId) ?? 0) >= eachPractice) return false;
      count(practiceId, 1);
      const done = run()
        .catch((error: unknown) => logFailure(log, { taskId, err: error }, "work failed"))
        .then(() => {
          running.delete(taskId);
          count(practiceId, -1);
          onEnd?.();
        });
      running.set(taskId, { practiceId, since: performance.now(), done });
      return true;
    },
    free: () => most - running.size,
    byPractice: () => counts,
    longestMs: () => {
      const [oldest] = running.values();
      return oldest ? performance.now() - oldest.since : 0;
    },
    settled: async () => {
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}
