import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { releaseGate } from "#lib/gate/release-gate";
import type { Store } from "#lib/db/db";
import { storeForPerson } from "#lib/db/for-practices";
import { isUnavailable } from "#lib/db/unavailable";
import { loadTask } from "#lib/task/store/load-task";
import { rowToTask } from "#lib/task/store/task-rows";
import { gateOf } from "#lib/task/model/task";
import { fullReview } from "#test/support/agents/reviews";
import type { Desk } from "./scene.ts";

/** One request to the payer: which person's, under which message id, and what became of it as its sender knows. */
export type LoadRequest = {
  readonly desk: Desk;
  readonly member: string;
  readonly messageId: string;
  taskId?: string;
  acceptedAt?: number;
  /** A release was tried, so it may have been recorded. */
  isReleaseTried?: boolean;
  releasedAt?: number;
};

export type Load = {
  readonly sent: readonly LoadRequest[];
  /** How many calls failed, by what their senders saw. */
  readonly failures: ReadonlyMap<string, number>;
  /** The longest time between two acknowledged calls from one moment to another, in milliseconds. */
  readonly longestGap: (from: number, to: number) => number;
  /** Sends nothing new; resolves once everything was accepted and released, or after the time given. */
  readonly stop: (withinMs?: number) => Promise<void>;
};

type Options = {
  readonly urls: readonly string[];
  readonly desks: readonly Desk[];
  readonly store: Store;
  readonly perSecond: number;
  /** How many are released at once. */
  readonly reviewers?: number;
  readonly releases?: boolean;
  /** The end of each member's id, by which the payer chooses its answer; every request is certified without one. */
  readonly ending?: (n: number) => string;
};

const againMs = 500;
/** Ten seconds. */
const missingTriesMax = 20;
let members = 0;

/** Calls at a steady rate, each repeated under its message id until it is acknowledged, and a release of each. */
export function startLoad(options: Options): Load {
  const { urls, desks, store, perSecond, reviewers = 4, releases = true, ending = () => "" } = options;
  const sent: LoadRequest[] = [];
  const failures = new Map<string, number>();
  const accepted: number[] = [];
  const waiting: LoadRequest[] = [];
  let [isStopping, isGivenUp, turn] = [false, false, 0];
  const open = new Set<Promise<void>>();

  const note = (problem: string) => void failures.set(problem, (failures.get(problem) ?? 0) + 1);
  const send = async (one: LoadRequest) => {
    while (one.taskId === undefined && !isGivenUp) {
      turn += 1;
      const answer = await call(urls[turn % urls.length] ?? "", one);
      if ("taskId" in answer) {
        Object.assign(one, { taskId: answer.taskId, acceptedAt: Date.now() });
        accepted.push(Date.now());
        if (releases) waiting.push(one);
        return;
      }
      note(answer.problem);
      await setTimeout(againMs);
    }
  };
  const pacer = (async () => {
    const began = performance.now();
    for (let n = 0; !isStopping; n += 1) {
      const desk = desks[n % desks.length];
      if (!desk) return;
      members += 1;
      const one: LoadRequest = { desk, member: `RIG${members}${ending(n)}`, messageId: randomUUID() };
      sent.push(one);
      const submission = send(one);
      open.add(submission);
      void submission.finally(() => open.delete(submission));
      await setTimeout(Math.max(0, began + ((n + 1) * 1_000) / perSecond - performance.now()));
    }
  })();
  const releasers = Array.from({ length: reviewers }, async () => {
    for (;;) {
      const one = waiting.shift();
      if (one) await releaseOnce({ store, isGivenUp: () => isGivenUp, onFailure: note }, one);
      else if (isGivenUp || (isStopping && open.size === 0)) return;
      else await setTimeout(20);
    }
  });
  return {
    sent,
    failures,
    longestGap: (from, to) => longestGap([from, ...accepted.filter((at) => at > from && at < to), to]),
    stop: async (withinMs = 60_000) => {
      isStopping = true;
      const all = Promise.all([pacer, ...releasers]);
      await Promise.race([all, setTimeout(withinMs, undefined, { ref: false })]);
      isGivenUp = true;
      await all;
      await Promise.all(open);
    },
  };
}

async function post(url: string, key: string, request: { readonly method: string; readonly params: object }) {
  const reply = await fetch(`${url}/api/a2a`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify({ jsonrpc: "2.0", id: "rig", ...request }),
    signal: AbortSignal.timeout(20_000),
  });
  return { status: reply.status, text: await reply.text() };
}

async function call(
  url: string,
  { desk, member, messageId }: LoadRequest,
): Promise<{ taskId: string } | { problem: string }> {
  const review = { ...fullReview, subscriber: { ...fullReview.subscriber, memberId: member } };
  const data = { skill: "prior_auth_intake", practiceId: desk.practiceId, serviceReview: review };
  const configuration = desk.webhook === undefined ? undefined : { pushNotificationConfig: { url: desk.webhook } };
  const params = { message: { role: "user", messageId, parts: [{ kind: "data", data }] }, configuration };
  try {
    const { status, text } = await post(url, desk.key, { method: "message/send", params });
    const taskId = /"kind":"task","id":"([0-9a-f-]{36})"/.exec(text)?.[1];
    if (status === 200 && taskId !== undefined) return { taskId };
    const code = /"code":(-\d+)/.exec(text)?.[1];
    return { problem: `HTTP ${status}${code === undefined ? "" : ` ${code}`}` };
  } catch (error) {
    const { cause, name } = error as Error & { cause?: { code?: string } };
    return { problem: cause?.code ?? name };
  }
}

function longestGap(times: readonly number[]): number {
  return Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at)));
}

/** What one request is answered, in short. */
export async function callOnce(url: string, desk: Desk | undefined): Promise<string> {
  if (!desk) return "nobody to ask for";
  members += 1;
  const answer = await call(url, { desk, member: `RIG${members}`, messageId: randomUUID() });
  return "taskId" in answer ? "accepted" : answer.problem;
}

/** Whether a task can be read with its messages, which are sealed. */
export async function readTask(url: string, { desk, taskId }: LoadRequest): Promise<boolean> {
  const reply = await post(url, desk.key, { method: "tasks/get", params: { id: taskId, historyLength: 10 } });
  return reply.status === 200 && reply.text.includes(`"kind":"task","id":"${taskId}"`);
}

type Releasing = {
  readonly store: Store;
  readonly isGivenUp: () => boolean;
  readonly onFailure: (problem: string) => void;
};

/** Releases as the button on the page does, again under the same key while the database cannot be reached. */
async function releaseOnce({ store, isGivenUp, onFailure }: Releasing, one: LoadRequest): Promise<void> {
  const { taskId = "", desk } = one;
  const key = randomUUID();
  const reviewer = { actor: desk.reviewer, store: storeForPerson(store, desk.reviewer) };
  for (let tries = 0; !isGivenUp(); tries += 1) {
    try {
      const row = await loadTask(store, { taskId, practices: "every" });
      const gate = row && gateOf(rowToTask(store, row));
      // A server that is about to be left may lack the newest cases for a moment.
      if (!row && tries < missingTriesMax) throw new Error("the case is not there");
      // Gone, which the comparison counts as lost; or an earlier try was recorded and its answer lost.
      if (!gate) return void (row && one.isReleaseTried && (one.releasedAt = Date.now()));
      one.isReleaseTried = true;
      const seen = { gateId: gate.id, revision: gate.revision, digest: gate.digest };
      const decided = await releaseGate(reviewer, { taskId, seen, key });
      if (decided.ok) one.releasedAt = Date.now();
      else if (decided.refusal.type !== "not-replicated") onFailure(`release refused: ${decided.refusal.type}`);
      if (decided.ok || decided.refusal.type !== "not-replicated") return;
    } catch (error) {
      onFailure(isUnavailable(error) ? "release: the database cannot be reached" : `release: ${String(error)}`);
    }
    await setTimeout(againMs);
  }
}
