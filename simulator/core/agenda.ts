import { decided, type Case } from "./case.ts";
import type { Clock } from "./clock.ts";
import type { Decision } from "./scenarios.ts";
import type { Store } from "./store.ts";

/** What the payer does without being asked. */
export type Agenda = {
  /** Decides what is due by now, as of when it was due. */
  readonly settle: () => void;
  readonly decide: (of: Case, decision: Decision, at: Date) => Case;
  /** Told of every case that changed without a message of its requester. */
  readonly onDecided: (listener: (of: Case) => void) => void;
};

const timerMsMax = 2 ** 31 - 1;

export function createAgenda(store: Store, clock: Clock): Agenda {
  const listeners: ((of: Case) => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  const decide = (of: Case, decision: Decision, at: Date): Case => {
    const next = decided(of, decision, at);
    store.keep({ case: next });
    for (const listener of listeners) listener(next);
    return next;
  };
  const settle = (): void => {
    const now = clock.now().getTime();
    for (const of of [...store.due.values()])
      if (of.due && Date.parse(of.due.at) <= now) decide(of, of.due.decision, new Date(of.due.at));
    clearTimeout(timer);
    const dues = [...store.due.values()].flatMap(({ due }) => (due ? [Date.parse(due.at)] : []));
    const nextMs = Math.min(...dues) - now;
    if (dues.length > 0) timer = setTimeout(settle, Math.min(nextMs + 1, timerMsMax)).unref();
  };
  // Not at once: what fell due while the payer was away is told to listeners that are yet to come.
  timer = setTimeout(settle).unref();
  return { settle, decide, onDecided: (listener) => void listeners.push(listener) };
}
