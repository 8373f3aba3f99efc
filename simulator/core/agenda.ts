import { decided, refused, type Case } from "./case.ts";
import type { Clock } from "./clock.ts";
import type { Message } from "./ledger.ts";
import type { Decision } from "./scenarios.ts";
import type { Store } from "./store.ts";

/** What the payer does without being asked. */
export type Agenda = {
  /** Decides or refuses what is due by now, as of when it was due. */
  readonly settle: () => void;
  readonly decide: (of: Case, decision: Decision, at: Date) => Case;
  /** Told of every case that changed without a message of its requester. */
  readonly onDecided: (listener: (of: Case) => void) => void;
};

const timerMsMax = 2 ** 31 - 1;

export function createAgenda(store: Store, clock: Clock): Agenda {
  const listeners: ((of: Case) => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  const keep = (next: Case, message?: Message): Case => {
    store.keep({ case: next, ...(message ? { message } : {}) });
    for (const listener of listeners) listener(next);
    return next;
  };
  const decide = (of: Case, decision: Decision, at: Date): Case => keep(decided(of, decision, at));
  const fall = (of: Case, due: NonNullable<Case["due"]>): Case => {
    if ("decision" in due) return decide(of, due.decision, new Date(due.at));
    const last = store.messagesOf(of.id).findLast(({ rejection }) => rejection === undefined);
    const next = refused(of, due, { identity: last?.identity ?? "", at: due.at });
    return keep(next, due.before && last && { ...last, rejection: due.rejection });
  };
  const settle = (): void => {
    const now = clock.now().getTime();
    for (const of of [...store.due.values()]) if (of.due && Date.parse(of.due.at) <= now) fall(of, of.due);
    clearTimeout(timer);
    const dues = [...store.due.values()].flatMap(({ due }) => (due ? [Date.parse(due.at)] : []));
    const nextMs = Math.min(...dues) - now;
    if (dues.length > 0) timer = setTimeout(settle, Math.min(nextMs + 1, timerMsMax)).unref();
  };
  // Not at once: what fell due while the payer was away is told to listeners that are yet to come.
  timer = setTimeout(settle).unref();
  return { settle, decide, onDecided: (listener) => void listeners.push(listener) };
}
