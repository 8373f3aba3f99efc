import { createHash, timingSafeEqual } from "node:crypto";
import type { CaseReferences } from "#lib/payer/connector";
import { connectors } from "#lib/payer/connectors";
import { taskOfTrace } from "#lib/payer/trace";
import type { Store } from "#lib/db/db";
import {
  keepPush,
  submittedRequests,
  submittedTasks,
  tasksByReference,
  type SubmittedRequest,
} from "#lib/payer/inbox/store/pushes";
import {
  confirmSubscription,
  loadPushDoor,
  reopenSubscription,
  type PushDoor,
} from "#lib/payer/inbox/shared/subscriptions";
import { keepUnmatched } from "#lib/payer/inbox/store/unmatched-pushes";
import { askSoon } from "#lib/submission/shared/work";
import { forPractices } from "#lib/db/for-practices";
import { payerReasons } from "#lib/messages/reasons/payer";

/** The secret that an unknown route is compared with, so that it takes as long as a known one. */
const noSecret = "no secret";

/** Most pages of submitted requests that are searched for the addresses of one notification. */
const pagesMax = 50;

/**
 * The route that accepts notifications with this secret. A caller cannot distinguish a route that does not exist from one
 * with another secret.
 */
export async function openPushDoor(
  store: Store,
  { routeId, secret }: { routeId: string; secret: string },
): Promise<PushDoor | undefined> {
  const door = await loadPushDoor(store, routeId);
  const right = timingSafeEqual(sha256(secret), sha256(door?.secret ?? noSecret));
  return door && right ? door : undefined;
}

/**
 * The result of a notification: `kept` with the tasks that it is about, and also for a reviewer if an answer in it matches
 * no single task; `refused` with what is wrong with it; or `full` when too many wait for a reviewer.
 */
export type PushReceipt =
  | {
      readonly type: "kept";
      readonly digest: string;
      readonly taskIds: readonly string[];
      readonly forReviewer: boolean;
      /** How many cases the payer is asked about now. */
      readonly inquiries: number;
    }
  | { readonly type: "refused"; readonly problem: string }
  | { readonly type: "full"; readonly digest: string };

/**
 * Stores a notification with every task that it is about, before the payer gets its confirmation. Only submitted tasks of the
 * route's practice and payer count. A notification that matches none of them, or may match several, or cannot be read, is
 * stored for a reviewer of the practice. One that names no case makes the worker inquire about the open cases now. So does one
 * that says that the subscription has ended, and it has the worker subscribe again.
 */
export async function receivePush(whole: Store, door: PushDoor, body: Uint8Array): Promise<PushReceipt> {
  const { routeId, practiceId, payerId } = door;
  const store = forPractices(whole, [practiceId]);
  const pushed = connectors[door.connector].onPush?.(body);
  if (!pushed?.ok) return { type: "refused", problem: pushed?.refusal ?? payerReasons.noNotifications };
  const { answers, hasUnreadable, isHint, isEnded = false } = pushed.value;
  const within = { store, door, requested: await tasksOfRequests(store, door, answers) };
  const found: (readonly string[])[] = [];
  for (const answer of answers) found.push(await casesOf(within, answer));
  const forReviewer = hasUnreadable || found.some((taskIds) => taskIds.length === 0);
  const taskIds = [...new Set(found.flat())];
  const digest = sha256(body).toString("hex");
  for (const taskId of taskIds) await keepPush(store, { taskId, practiceId, digest, body });
  if (forReviewer && !(await keepUnmatched(store, { routeId, practiceId, payerId, digest, body })))
    return { type: "full", digest };
  if (isEnded) await reopenSubscription(store, { routeId, problem: payerReasons.subscriptionEnded });
  else await confirmSubscription(store, routeId);
  // What happened while the subscription was failing was never told.
  const inquiries = isHint || isEnded || forReviewer ? await askSoon(store, { practiceId, payerId }) : 0;
  return { type: "kept", digest, taskIds, forReviewer, inquiries };
}

type Search = {
  readonly store: Store;
  readonly door: PushDoor;
  /** The tasks of the requests that the notification names, by their addresses. */
  readonly requested: ReadonlyMap<string, string>;
};

/** The tasks that an answer is about: by our trace number, else by the request it names, else by the payer's reference. */
async function casesOf({ store, door, requested }: Search, answer: CaseReferences): Promise<readonly string[]> {
  const { request, references } = answer;
  const traced = tracedIn(answer);
  if (traced.length > 0) return submittedTasks(store, { ...door, taskIds: traced });
  const named = request === undefined ? undefined : requested.get(request);
  if (named !== undefined) return [named];
  const referred = references.length === 0 ? [] : await tasksByReference(store, { ...door, references });
  // Only a person can decide which of several tasks it is about.
  return referred.length === 1 ? referred : [];
}

function tracedIn({ traces }: CaseReferences): readonly string[] {
  return [...new Set(traces.flatMap((trace) => taskOfTrace(trace) ?? []))];
}

/**
 * The address of a request is a hash of its identifiers, so it is searched among the submitted requests: once for all
 * answers of a notification, or a payer that names a hundred requests nobody knows would have all of them read a hundred
 * times.
 */
async function tasksOfRequests(
  store: Store,
  door: PushDoor,
  answers: readonly CaseReferences[],
): Promise<ReadonlyMap<string, string>> {
  const { requestName } = connectors[door.connector];
  const named = answers.flatMap((answer) => (tracedIn(answer).length === 0 ? (answer.request ?? []) : []));
  const wanted = new Set(named.filter((request) => request.startsWith("urn:uuid:")));
  const tasks = new Map<string, string>();
  let after: SubmittedRequest["after"] | undefined;
  for (let page = 0; requestName && page < pagesMax && tasks.size < wanted.size; page++) {
    const sent = await submittedRequests(store, { ...door, after });
    if (sent.length === 0) break;
    for (const each of sent) {
      const name = requestName(each);
      if (wanted.has(name) && !tasks.has(name)) tasks.set(name, each.taskId);
    }
    after = sent.at(-1)?.after;
  }
  return tasks;
}

function sha256(value: string | Uint8Array): Buffer {
  return createHash("sha256").update(value).digest();
}
