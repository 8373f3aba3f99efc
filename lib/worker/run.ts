import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import type { Context } from "#lib/access/context";
import type { WorkerActor } from "#lib/access/model/actor";
import type { Store } from "#lib/db/db";
import { dueWork, claimDuePolls } from "#lib/submission/store/work";
import { expireGate } from "#lib/gate/expire-gate";
import { nextPoll } from "#lib/submission/polling";
import { lapseTransmission } from "#lib/submission/transmission";
import type { Guard } from "#lib/submission/ledger/guard";
import { inquire } from "./inquire.ts";
import { submit, sendDeadlineMs } from "./submit.ts";
import { processPushes } from "./process-pushes.ts";
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
  /** What keeps it from submitting out of a database that lost something. */
  readonly guard: Guard;
  /** False where nothing is submitted, asked or mailed to anybody outside; everything else goes on. */
  readonly sends?: boolean | undefined;
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
  guard,
  sends = true,
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
  const carrying = { log, deadlineMs, guard };
  const mayLeave = () => sends && guard.isKnown();
  const round = async () => {
    await guard.check();
    const due = await dueWork(store);
    for (const taskId of due.expired) take(taskId, () => expireGate(ctx, { taskId }));
    for (const taskId of due.lapsed) take(taskId, () => lapseTransmission(ctx, { taskId }));
    for (const taskId of due.pushed) take(taskId, () => processPushes(ctx, log, taskId));
    if (!mayLeave()) return;
    for (const taskId of due.claimable) take(taskId, () => submit(ctx, carrying, taskId));
    if (inHand.size >= inHandMax) return;
    for (const taskId of await claimDuePolls(store, nextPoll)) take(taskId, () => inquire(ctx, carrying, taskId));
  };
  const tellRound = () => {
    if ([...inHand.values()].every(({ since }) => performance.now() - since < inHandMs)) onRound();
  };
  const begin = (rounds: Rounds | undefined) => rounds && loop(rounds, { signal: stopping.signal, log });
  const leaving = whileAllowed(() => mayLeave() && !guard.hasStops());
  const running = Promise.all([
    begin({ round: () => round().finally(tellRound), everyMs }),
    begin(leaving(push && { round: () => subscribeRoutes(store, { log, ...push }), everyMs: push.everyMs })),
    begin(leaving(push && { round: () => unsubscribeRoutes(store, { log }), everyMs: push.everyMs })),
    // Beside the others, so that a mail server that is slow or gone delays nothing.
    begin(leaving(mail)),
    begin(record),
    begin(sweep),
  ]);
  return {
    stop: async () => {
      stopping.abort();
      await running;
      await Promise.all([...inHand.values()].map(({ done }) => done));
    },
  };
}

/** The same rounds, which do nothing while they are not allowed to. */
function whileAllowed(isAllowed: () => boolean) {
  return (rounds: Rounds | undefined): Rounds | undefined =>
    rounds && { ...rounds, round: async (signal) => (isAllowed() ? rounds.round(signal) : undefined) };
}

async function loop(
  { round, everyMs }: Rounds,
  { signal, log }: { readonly signal: AbortSignal; readonly log: Logger },
): Promise<void> {
  while (!signal.aborted) {
    try {
      await round(signal);
    } catch (error) {
      log.error({ err: error }, "looking for work failed");
    }
    // Rejects only when the worker is stopping.
    await setTimeout(everyMs, undefined, { signal }).catch(() => undefined);
  }
}
