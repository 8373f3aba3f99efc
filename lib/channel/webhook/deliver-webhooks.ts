import type { Logger } from "pino";
import type { Store } from "#lib/db/db";
import { forPractices } from "#lib/db/for-practices";
import { exchange, type Exchange } from "#lib/platform/outbound/exchange";
import { nowMs } from "#lib/platform/now";
import { statusByState } from "#lib/a2a/reply/status";
import { logFailure } from "#lib/db/unavailable";
import { signatureHeaders } from "./model/signature.ts";
import { loadWebhookTerms, type WebhookTerms } from "./store/channel-webhooks.ts";
import {
  claimDue,
  forgetOldDeliveries,
  loadTarget,
  recordTry,
  type DeliveryTarget,
  type DueDelivery,
  type TryOutcome,
} from "./store/deliveries.ts";

/**
 * Deliveries under way at once, in all and of one channel. A channel has less while many have some, so that there is a
 * place left for one more: slow receivers delay only their own.
 */
const underWayMax = 32;
const underWayEachMax = 8;

/** Most that one statement claims. */
const claimMax = 8;

const tryMs = 15_000;
const forgetEveryMs = 3_600_000;

type Settings = { readonly store: Store; readonly log: Logger };

/** One round claims what is due and begins to deliver it; `settled` resolves when nothing is under way. */
export type WebhookRounds = {
  readonly round: (signal: AbortSignal) => Promise<void>;
  readonly settled: () => Promise<void>;
};

/**
 * Delivers the changes of tasks to where their agents want to be told. The last state of each is told at least once, or given
 * up after ten tries in about three days; one that a later change overtook may be left out. Any number of processes may do
 * this.
 */
export function webhookRounds({ store, log }: Settings): WebhookRounds {
  const underWay = new Map<Promise<void>, string>();
  let forgotAt = -Infinity;

  function begin(due: DueDelivery): void {
    const done = deliver(store, due)
      .then((outcome) => log.info({ delivery: due.id, taskId: due.taskId, tries: due.tries, ...outcome }, "webhook"))
      .catch((error: unknown) => logFailure(log, { delivery: due.id, err: error }, "a webhook was not delivered"))
      .finally(() => underWay.delete(done));
    underWay.set(done, due.channelId);
  }

  return {
    round: async (signal) => {
      if (performance.now() - forgotAt > forgetEveryMs) {
        forgotAt = performance.now();
        await forgetOldDeliveries(store);
      }
      for (let isMore = true; isMore && !signal.aborted;) {
        const limit = Math.min(claimMax, underWayMax - underWay.size);
        const claimed = await claimDue(store, { limit, ...sharesOf([...underWay.values()]) });
        for (const each of claimed.due) begin(each);
        isMore = claimed.isMore;
        if (underWay.size >= underWayMax) await Promise.race(underWay.keys());
      }
    },
    settled: async () => void (await Promise.all(underWay.keys())),
  };
}

/** How many a channel may have under way, and how many each has. */
function sharesOf(channels: readonly string[]) {
  const underWay = new Map<string, number>();
  for (const id of channels) underWay.set(id, (underWay.get(id) ?? 0) + 1);
  const share = Math.min(underWayEachMax, Math.max(1, Math.floor(underWayMax / (underWay.size + 1))));
  return { share, underWay };
}

async function deliver(store: Store, due: DueDelivery): Promise<TryOutcome> {
  const scoped = forPractices(store, [due.practiceId]);
  const outcome = await tryOnce(scoped, due);
  await recordTry(scoped, due, outcome);
  return outcome;
}

async function tryOnce(store: Store, due: DueDelivery): Promise<TryOutcome> {
  const [target, terms] = [await loadTarget(store, due), await loadWebhookTerms(store, due.channelId)];
  if (!target || !terms || !isAmong(target, terms)) return { status: "failed", problem: "not-allowed" };
  const [{ url, token }, { secrets }] = [target, terms];
  const body = bodyOf(due);
  const headers = {
    ...signatureHeaders({ id: due.id, timestamp: Math.floor(nowMs() / 1_000), body }, secrets),
    ...(token === undefined ? {} : { "x-a2a-notification-token": token }),
  };
  const call = { method: "POST", url, contentType: "application/json", body: Buffer.from(body) };
  const signal = AbortSignal.timeout(tryMs);
  // Only its status counts, so that a receiver that took the change is not told it again for what it says beside that.
  return outcomeOf(await exchange(call, { signal, headers, isHeadEnough: true }), due.tries);
}

/** An administrator may have taken the host away since the agent named it. */
function isAmong({ url }: DeliveryTarget, { hosts }: WebhookTerms): boolean {
  const host = URL.parse(url)?.host;
  return host !== undefined && hosts.includes(host);
}

/** A Task of A2A with its id and state alone; the same bytes in every try. */
function bodyOf({ taskId, contextId, state, version, changedAt }: DueDelivery): string {
  return JSON.stringify({
    kind: "task",
    id: taskId,
    contextId,
    state,
    version,
    status: { state: statusByState[state].status, timestamp: changedAt.toISOString() },
    metadata: { state, version },
  });
}

/** The receiver is gone for good (Standard Webhooks, "Failures"). */
const gone = 410;

function outcomeOf(answer: Exchange, tries: number): TryOutcome {
  switch (answer.kind) {
    case "unsent":
      if (answer.refused) return { status: "failed", problem: "address-refused" };
      return { status: "failed", problem: "unreachable", pauseS: pauseAfter(tries) };
    case "lost":
      return { status: "failed", problem: "no-answer", pauseS: pauseAfter(tries) };
    case "reply": {
      const { status: httpStatus, retryAfterMs = 0 } = answer;
      if (httpStatus >= 200 && httpStatus < 300) return { status: "delivered", httpStatus };
      const pauseS = httpStatus === gone ? undefined : pauseAfter(tries, Math.ceil(retryAfterMs / 1_000));
      return { status: "failed", httpStatus, pauseS };
    }
  }
}

/** In seconds, how long after each failed try the next one comes: the schedule of Standard Webhooks. */
const pausesS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const;

/**
 * How long to wait after so many failed tries; undefined when there was the last one. A longer time that the receiver
 * asked for is respected.
 */
function pauseAfter(tries: number, statedS = 0): number | undefined {
  const pause = pausesS[tries - 1];
  return pause === undefined ? undefined : Math.max(pause, statedS);
}
