import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import type { Context } from "#lib/access/context";
import type { WorkerActor } from "#lib/access/model/actor";
import type { Store } from "#lib/db/db";
import type { Replication } from "#lib/db/replication";
import { logFailure } from "#lib/db/unavailable";
import { dueWork } from "#lib/submission/shared/work";
import type { DueTask } from "#lib/submission/model/due-work";
import { expireGate } from "#lib/gate/expire-gate";
import { lapseTransmission } from "#lib/submission/transmission";
import type { Guard } from "#lib/submission/ledger/guard";
import { createInHand } from "./in-hand.ts";
import { createPayerWork } from "./payer-work.ts";
import type { HostFigures } from "./payer-hosts.ts";
import { standingReports } from "./report-standing.ts";
import { sendDeadlineMs } from "./submit.ts";
import type { CrashPoint } from "#lib/platform/process/crash-point";
import { subscribeRoutes, unsubscribeRoutes } from "./subscribe.ts";
import { watchCommits } from "./watch-commits.ts";
import type { WebhookRounds } from "#lib/channel/webhook/deliver-webhooks";
import { forPractices } from "#lib/db/for-practices";
import { recordPush } from "#lib/payer/inbox/record-push";

/** Longest that work on one case takes: two exchanges with the payer, and every wait for the database. */
const runningMaxMs = 300_000;

/** How many cases are changed at once without asking a payer, and how many of them are of one practice. */
const changesMax = { most: 16, eachPractice: 4 };

/** How many submissions and inquiries a worker has in hand at most, where nothing else is set. */
const concurrencyDefault = 128;

export type Worker = {
  /** How much each payer host has under way here. */
  readonly hosts: () => readonly HostFigures[];
  /** Starts nothing new and resolves when the running work is done. */
  readonly stop: () => Promise<void>;
};

type Settings = {
  readonly store: Store;
  readonly log: Logger;
  readonly everyMs: number;
  /** Prevents submissions from a database that has lost entries. */
  readonly guard: Guard;
  /** False to stop submissions, inquiries and mail; everything else runs. */
  readonly sends?: boolean | undefined;
  /** What is done while no standby confirms commits; nothing where it is not given. */
  readonly replication?: Replication | undefined;
  /** How many submissions and inquiries this worker has in hand at most. */
  readonly concurrency?: number | undefined;
  /** The longest that one submission may take, answer included. */
  readonly deadlineMs?: number | undefined;
  /** The public address for payers' notifications, and how often to check for routes to subscribe; without it, none is. */
  readonly push?: { readonly publicUrl: string; readonly everyMs: number } | undefined;
  /** One round of sending mail, and how often; without it, no mail is sent. */
  readonly mail?: Rounds | undefined;
  /** One round of delivering webhooks, and how often; without it, none are delivered. */
  readonly webhooks?: (Rounds & Pick<WebhookRounds, "settled">) | undefined;
  /** Rounds of upkeep in our own database, each in a loop of its own: verifying, forgetting, adding up. */
  readonly upkeep?: readonly Rounds[] | undefined;
  /** Where it is given, the worker reports that it is at work; `isMeasuring` where somebody reads its metrics. */
  readonly reports?: { readonly isMeasuring: boolean; readonly signsHeads?: boolean | undefined } | undefined;
  /** Called after each round, also after a failed one, unless work on a case has run longer than it can take. */
  readonly onRound?: (() => void) | undefined;
  /** Called at each named moment of a submission, for tests that end the worker there. */
  readonly onPoint?: ((point: CrashPoint) => void) | undefined;
};

type Rounds = { readonly round: (signal: AbortSignal) => Promise<void>; readonly everyMs: number };

/**
 * Looks for due work every `everyMs` and does it. Any number of workers may run: conditional updates of the rows decide which
 * worker does what.
 */
export function startWorker({
  store,
  log,
  everyMs,
  guard,
  sends = true,
  replication = "off",
  concurrency = concurrencyDefault,
  deadlineMs = sendDeadlineMs,
  push,
  mail,
  webhooks,
  upkeep = [],
  reports,
  onRound = () => undefined,
  onPoint,
}: Settings): Worker {
  const stopping = new AbortController();
  const changes = createInHand({ log, ...changesMax });
  const payers = createPayerWork({
    ...{ store, log, concurrency, signal: stopping.signal },
    submitOptions: { log, deadlineMs, guard, onPoint },
  });
  // Due work is found across practices, and done in the scope of its own practice.
  const start = (
    { taskId, practiceId }: DueTask,
    work: (ctx: Context<WorkerActor>, taskId: string) => Promise<unknown>,
  ) => {
    const ctx = { actor: { kind: "worker" }, store: forPractices(store, [practiceId]) } as const;
    if (!stopping.signal.aborted) changes.start({ taskId, practiceId, run: () => work(ctx, taskId) });
  };
  const { look, maySubmit, maySendAll } = permission({ store, log, guard, sends, replication });
  const inHand = () => concurrency - payers.inHand.free();
  const standing = () => ({ inHand: inHand(), maySubmit: maySubmit(), compared: guard.compared() });
  const reporting = reports && standingReports({ store, standing, ...reports });
  const round = async () => {
    await look();
    const due = await dueWork(store);
    for (const each of due.expired) start(each, (ctx, taskId) => expireGate(ctx, { taskId }));
    for (const each of due.lapsed) start(each, (ctx, taskId) => lapseTransmission(ctx, { taskId }));
    for (const each of due.pushed) start(each, (ctx, taskId) => processPushes(ctx, log, taskId));
    if (maySubmit()) await payers.round();
  };
  const isStuck = () => Math.max(changes.longestMs(), payers.inHand.longestMs()) >= runningMaxMs;
  const reportRound = () => void (isStuck() || onRound());
  const begin = (rounds: Rounds | undefined) => rounds && loop(rounds, { signal: stopping.signal, log });
  const loops = Promise.all([
    begin({ round: () => round().finally(reportRound), everyMs }),
    // Each in a loop of its own, so that a slow mail server delays nothing else.
    ...[...subscriptionRounds({ store, log, push }), mail, webhooks].map(whileAllowed(maySendAll)).map(begin),
    ...[...upkeep, reporting?.beats, reporting?.figures].map(begin),
  ]);
  return {
    hosts: payers.hosts,
    stop: async () => {
      stopping.abort();
      await loops;
      await Promise.all([changes.settled(), payers.inHand.settled(), webhooks?.settled()]);
      await reporting?.end();
    },
  };
}

type Rules = Pick<Settings, "store" | "log" | "guard"> & Required<Pick<Settings, "sends" | "replication">>;

/** Whether anything may leave: as a person set it, and as the database stands, which `look` finds out. */
function permission({ store, log, guard, sends, replication }: Rules) {
  const commits = watchCommits(store, { log, rule: replication ?? "off" });
  const maySubmit = () => sends === true && guard.isKnown() && commits.allows();
  return {
    look: async () => {
      await guard.check();
      await commits.check();
    },
    maySubmit,
    // Mail, webhooks and subscriptions are of every practice, and so wait while any is stopped.
    maySendAll: () => maySubmit() && !guard.hasStops(),
  };
}

function subscriptionRounds({ store, log, push }: Pick<Settings, "store" | "log" | "push">): readonly Rounds[] {
  if (!push) return [];
  const { everyMs } = push;
  return [
    { round: (signal) => subscribeRoutes(store, { log, ...push }, signal), everyMs },
    { round: (signal) => unsubscribeRoutes(store, { log }, signal), everyMs },
  ];
}

/** The same rounds, which do nothing while `isAllowed` is false. */
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
      logFailure(log, { err: error }, "looking for work failed");
    }
    // Rejects only when the worker is stopping.
    await setTimeout(everyMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Acts on the waiting notifications about a task, in the order of their arrival. */
export async function processPushes(ctx: Context<WorkerActor>, log: Logger, taskId: string): Promise<void> {
  for (;;) {
    const recorded = await recordPush(ctx, { taskId });
    if (!recorded.ok)
      return log.warn({ taskId, refusal: recorded.refusal.type }, "a notification could not be recorded");
    if (recorded.value === "none-waits" || recorded.value === "later") return;
    log.info({ taskId, answer: recorded.value }, "recorded a payer's notification");
  }
}
