import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import type { Context } from "#lib/context";
import type { WorkerActor } from "#lib/domain/actor";
import type { Store } from "#lib/store/db";
import { dueWork, takeDuePolls } from "#lib/store/work";
import { expireGate } from "#lib/tasks/expire-gate";
import { nextPoll } from "#lib/tasks/polling";
import { lapseTransmission } from "#lib/tasks/transmission";
import { ask } from "./ask.ts";
import { carry, sendDeadlineMs } from "./carry.ts";
import { hear } from "./hear.ts";
import { subscribeRoutes, unsubscribeRoutes } from "./subscribe.ts";

/** Longest a case is in hand: what a payer may take, asked and told again, and every wait on the database beside. */
const inHandMs = 300_000;

/** Cases in hand at once; a slow payer occupies some of them and never all rounds. */
const inHandMax = 16;

export type Worker = {
  /** Takes nothing new and resolves when what is in hand is done. */
  readonly stop: () => Promise<void>;
};

type Settings = {
  readonly store: Store;
  readonly log: Logger;
  readonly everyMs: number;
  /** The longest one action may take to reach its payer and be answered. */
  readonly deadlineMs?: number | undefined;
  /** Where payers reach this service, and how often to look for routes on which none was asked to; without it, none is. */
  readonly push?: { readonly publicUrl: string; readonly everyMs: number } | undefined;
  /** One round of writing mail, and how often; without it, none is written. */
  readonly mail?: Rounds | undefined;
  /** One round of watching over the audit record, and how often; without it, nobody does. */
  readonly record?: Rounds | undefined;
  /** One round of forgetting what is over, and how often; without it, it stays. */
  readonly sweep?: Rounds | undefined;
  /** Told as each look for work ends, however it ends, unless something has been in hand for longer than anything takes. */
  readonly onRound?: (() => void) | undefined;
};

type Rounds = { readonly round: (signal: AbortSignal) => Promise<void>; readonly everyMs: number };

/**
 * Looks for due work every `everyMs` and carries it out. Any number of workers
 * may run: rows decide who does what.
 */
export function startWorker({
  store,
  log,
  everyMs,
  deadlineMs = sendDeadlineMs,
  push,
  mail,
  record,
  sweep,
  onRound = () => undefined,
}: Settings): Worker {
  const ctx: Context<WorkerActor> = { actor: { kind: "worker" }, store };
  const inHand = new Map<string, { readonly since: number; readonly done: Promise<void> }>();
  const stopping = new AbortController();
  const take = (taskId: string, work: () => Promise<unknown>) => {
    if (inHand.has(taskId) || inHand.size >= inHandMax || stopping.signal.aborted) return;
    const done = work()
      .catch((error: unknown) => log.error({ taskId, err: error }, "work failed"))
      .then(() => void inHand.delete(taskId));
    inHand.set(taskId, { since: performance.now(), done });
  };
  const round = async () => {
    const due = await dueWork(store);
    for (const taskId of due.expired) take(taskId, () => expireGate(ctx, { taskId }));
    for (const taskId of due.lapsed) take(taskId, () => lapseTransmission(ctx, { taskId }));
    for (const taskId of due.pushed) take(taskId, () => hear(ctx, log, taskId));
    for (const taskId of due.claimable) take(taskId, () => carry(ctx, { log, deadlineMs }, taskId));
    if (inHand.size >= inHandMax) return;
    for (const taskId of await takeDuePolls(store, nextPoll)) take(taskId, () => ask(ctx, { log, deadlineMs }, taskId));
  };
  const tellRound = () => {
    if ([...inHand.values()].every(({ since }) => performance.now() - since < inHandMs)) onRound();
  };
  const running = Promise.all([
    loop(() => round().finally(tellRound), { everyMs, signal: stopping.signal, log }),
    push &&
      loop(() => subscribeRoutes(store, { log, ...push }), { everyMs: push.everyMs, signal: stopping.signal, log }),
    push && loop(() => unsubscribeRoutes(store, { log }), { everyMs: push.everyMs, signal: stopping.signal, log }),
    // Beside the others, so that a mail server that is slow or gone delays nothing.
    mail && loop(() => mail.round(stopping.signal), { everyMs: mail.everyMs, signal: stopping.signal, log }),
    record && loop(() => record.round(stopping.signal), { everyMs: record.everyMs, signal: stopping.signal, log }),
    sweep && loop(() => sweep.round(stopping.signal), { everyMs: sweep.everyMs, signal: stopping.signal, log }),
  ]);
  return {
    stop: async () => {
      stopping.abort();
      await running;
      await Promise.all([...inHand.values()].map(({ done }) => done));
    },
  };
}

async function loop(
  round: () => Promise<void>,
  { everyMs, signal, log }: { everyMs: number; signal: AbortSignal; log: Logger },
): Promise<void> {
  while (!signal.aborted) {
    try {
      await round();
    } catch (error) {
      log.error({ err: error }, "looking for work failed");
    }
    // Rejects only when the worker is stopping.
    await setTimeout(everyMs, undefined, { signal }).catch(() => undefined);
  }
}
