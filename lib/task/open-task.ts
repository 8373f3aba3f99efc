import type { Context } from "#lib/access/context";
import type { ChannelActor } from "#lib/access/model/actor";
import type { ReceivedFile } from "#lib/task/model/attachment";
import { assert, ok, refuse, type Result } from "#lib/platform/result";
import { gateOf } from "#lib/task/model/task";
import { openTask as openLifecycle } from "#lib/task/model/lifecycle/decide";
import { revisionDigest } from "#lib/payer/digest";
import type { PrefetchResult } from "#lib/channel/store/admission";
import { chooseRoute, resolveRoute, type ResolvedRoute } from "#lib/practice/shared/resolved-route";
import { isUuid } from "#lib/platform/uuid";
import { newId } from "#lib/db/new-id";
import { isAuthorization } from "#lib/task/model/renewal";
import { loadEarlierTask } from "#lib/task/store/earlier-task";
import { insertTask, type NewTask } from "#lib/task/store/open-task";
import { insertTaskWithFiles } from "#lib/task/store/open-task-with-files";
import { freezeGate, missingFor } from "#lib/gate/freeze-gate";
import { messageProblems } from "#lib/messages/problems/agent";
import { type Advice, adviceOn, payerWarnings, unlistedPayer } from "./advice.ts";
import { besideOf } from "./beside.ts";
import { isKnownMessage } from "./known-message.ts";
import { countIncluded, referencesIn } from "./message-history.ts";
import type { InboundMessage } from "./inbound-message.ts";
import { queueFacts, type ServiceReview } from "./model/service-review.ts";
import type { Issue, Refusal } from "./refusal.ts";
import { unknownIssues } from "./revision-files.ts";
import type { TaskRecord } from "./views.ts";
import { now } from "#lib/platform/now";

type Intake = Extract<InboundMessage["ask"], { skill: "prior_auth_intake" }>;
type Opening = Context<ChannelActor> & { readonly prefetched?: PrefetchResult | undefined };

/** Opens a task, at a gate if its review is complete for its payer connection. `taken` if the message id is known. */
export async function openTask(ctx: Opening, sent: InboundMessage): Promise<Result<TaskRecord, Refusal> | "taken"> {
  const { actor, store } = ctx;
  assert(sent.ask.skill === "prior_auth_intake", "only an intake opens a task");
  const { practiceId, review, reviewBytes, files, keepAttachments } = sent.ask;
  if (sent.contextId !== undefined && !isUuid(sent.contextId)) {
    const problem = messageProblems.contextIdForm;
    return refuse({ type: "invalid", issues: [{ path: "/message/contextId", problem }] });
  }
  const own = await ownRoute(ctx, practiceId, review.payer.id);
  const route = own && (await chooseRoute(store, { practiceId, review, own }));
  if (!route?.practice.active) return refuse({ type: "not-authorised" });
  if (route.practice.recordStopped) return refuse({ type: "record-stopped" });
  if (store.needsStandby && route.practice.commitsAlone) return refuse({ type: "not-replicated" });
  const earlier = await earlierOf(ctx, sent.ask, route.destination);
  if (earlier === "none") return refuseUnlessKnown(ctx, sent, notRenewable);
  const issue = appealIssue(sent, review) ?? unlistedPayer(route, { review, dataPath: sent.dataPath });
  if (issue) return refuseUnlessKnown(ctx, sent, issue);
  const strange = unknownIssues(sent.dataPath, keepAttachments, []);
  if (strange.length > 0) return refuse({ type: "invalid", issues: strange });
  // A quick check before many bytes are written in vain; the insertion decides.
  if (files.length > 0 && (await isKnownMessage(store, actor, sent))) return "taken";
  const attachments = files.map((file) => ({ ...file, since: 1 }));
  const id = newId();
  const at = now();
  const missing = missingFor(route, review);
  const prepared =
    missing.length === 0
      ? freezeGate({ taskId: id, action: "transmit", revision: 1, review, route, now: at, attachments, earlier })
      : undefined;
  const opening = {
    id,
    practiceId,
    contextId: sent.contextId ?? earlier?.contextId ?? newId(),
    earlierTaskId: earlier?.taskId,
    payerId: review.payer.id,
    connection: route.connection,
    environment: route.destination.environment,
    ...openLifecycle({ missing, gate: prepared?.gate }),
    frozen: prepared?.frozen,
    ...queueFacts(review),
    revision: {
      digest: revisionDigest(
        reviewBytes,
        files.map(({ sha256 }) => sha256),
      ),
      bytes: reviewBytes,
    },
    message: { messageId: sent.messageId, contentDigest: sent.contentDigest, body: sent.body },
    at,
    files,
    webhook: sent.webhook,
  };
  const payer = payerWarnings(route, review);
  const insert = files.length > 0 || sent.webhook ? insertTaskWithFiles : insertTask;
  if (!(await insert(store, actor, opening))) return "taken";
  const compared = { taskId: id, practiceId, review, route, files: files.length, earlierTaskId: earlier?.taskId };
  const beside = await besideOf(store, actor, compared);
  const advice = adviceOn(review, { missing, update: false, now: at, files, payer, beside });
  return ok(newRecord(opening, advice, sent.historyLength));
}

/** What was accepted before stays accepted, whatever has become of its payer or of the task that it renews. */
async function refuseUnlessKnown({ store, actor }: Opening, sent: InboundMessage, issue: Issue) {
  if (await isKnownMessage(store, actor, sent)) return "taken";
  return refuse({ type: "invalid", issues: [issue] });
}

function appealIssue({ dataPath }: InboundMessage, { appeal }: ServiceReview): Issue | undefined {
  const problem = messageProblems.appealNamesTask;
  return appeal && { path: `${dataPath}/serviceReview/appeal`, problem };
}

const notRenewable = {
  path: "/message/referenceTaskIds/0",
  problem: messageProblems.notAuthorizedBefore,
};

/** The case that a renewal or extension names; `none` where the practice has no such case that could be renewed. */
async function earlierOf(
  { store }: Opening,
  { practiceId, review, earlierTaskId }: Intake,
  { environment }: ResolvedRoute["destination"],
) {
  if (earlierTaskId === undefined) return undefined;
  const earlier = await loadEarlierTask(store, { taskId: earlierTaskId, practiceId });
  const isSamePayer = earlier?.payerId === review.payer.id && earlier.environment === environment;
  const fits = earlier?.outcome && isAuthorization(earlier.outcome) && isSamePayer;
  return fits ? earlier : "none";
}

/** The payer's own connection; it was read along with the credential, unless the payer is named in an unusual way. */
async function ownRoute(
  { store, prefetched }: Opening,
  practiceId: string,
  payerId: string,
): Promise<ResolvedRoute | undefined> {
  const known =
    prefetched && "route" in prefetched && prefetched.practiceId === practiceId && prefetched.payerId === payerId;
  return known ? prefetched.route : resolveRoute(store, practiceId, payerId);
}

type NewTaskWithFiles = NewTask & { readonly files: readonly ReceivedFile[] };

/** The record of a new task, from what was written, without reading it back. */
function newRecord(opening: NewTaskWithFiles, advice: Advice, historyLength: number): TaskRecord {
  const { files, id, contextId, earlierTaskId, practiceId, environment, task, at, revision, frozen, message } = opening;
  const gate = gateOf(task);
  return {
    id,
    contextId,
    earlierTaskId,
    practiceId,
    environment,
    task,
    changedAt: at,
    version: 1,
    advice,
    revisionDigest: revision.digest,
    gate: gate && { ...gate, status: "open", documentDigests: frozen?.documentDigests ?? [], fields: [] },
    attachments: files.map(({ bytes: _, ...file }) => ({ ...file, since: 1 })),
    superseded: [],
    submissions: [],
    ...(historyLength > 0 ? historyOfOne(message.body, files) : {}),
  };
}

function historyOfOne(body: Uint8Array, files: readonly ReceivedFile[]): Partial<TaskRecord> {
  const bytesOf = new Map(files.map(({ sha256, bytes }) => [sha256, bytes]));
  const references = referencesIn(body);
  return { messages: [body], files: bytesOf, filePartsIncluded: countIncluded([body], references) };
}
