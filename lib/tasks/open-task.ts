import type { Context } from "#lib/context";
import type { ChannelActor } from "#lib/domain/actor";
import { assert, ok, refuse, type Result } from "#lib/domain/result";
import type { ServiceReview } from "#lib/domain/service-review";
import { gateOf } from "#lib/domain/task";
import { openTask as firstStep } from "#lib/domain/transition";
import type { Prefetched } from "#lib/store/admission";
import { loadWay, type Way } from "#lib/store/destinations";
import { isUuid } from "#lib/store/load-task";
import { newId } from "#lib/store/new-id";
import { insertTask, type NewTask } from "#lib/store/open-task";
import { freezeGate, missingFor } from "./freeze-gate.ts";
import type { Sent } from "./messages.ts";
import type { Refusal } from "./refusal.ts";
import type { TaskRecord } from "./views.ts";

type Opening = Context<ChannelActor> & { readonly prefetched?: Prefetched | undefined };

/** Opens a task, at a gate when its review is complete for its route. `taken` when the message id is known. */
export async function openTask(ctx: Opening, sent: Sent): Promise<Result<TaskRecord, Refusal> | "taken"> {
  const { actor, store } = ctx;
  assert(sent.ask.skill === "prior_auth_intake", "only an intake opens a task");
  const { practiceId, review, reviewBytes, revisionDigest } = sent.ask;
  if (sent.contextId !== undefined && !isUuid(sent.contextId)) {
    const problem = "must be the contextId of an earlier task, or left out";
    return refuse({ type: "invalid", issues: [{ path: "/message/contextId", problem }] });
  }
  const way = await wayTo(ctx, practiceId, review.payer.id);
  if (!way?.practice.active) return refuse({ type: "not-authorised" });
  const id = newId();
  const at = new Date();
  const missing = missingFor(way, review);
  const frozen =
    missing.length === 0
      ? freezeGate({ taskId: id, action: "transmit", revision: 1, review, way, now: at })
      : undefined;
  const opening = {
    id,
    practiceId,
    contextId: sent.contextId ?? newId(),
    payerId: review.payer.id,
    environment: way.destination.environment,
    task: firstStep({ missing, gate: frozen?.gate }).task,
    frozen: frozen?.frozen,
    ...queueFacts(review),
    revision: { digest: revisionDigest, bytes: reviewBytes },
    message: { messageId: sent.messageId, contentDigest: sent.contentDigest, body: sent.body },
    at,
  };
  if (!(await insertTask(store, actor, opening))) return "taken";
  return ok(newRecord(opening, sent.historyLength));
}

async function wayTo({ store, prefetched }: Opening, practiceId: string, payerId: string): Promise<Way | undefined> {
  const known =
    prefetched && "way" in prefetched && prefetched.practiceId === practiceId && prefetched.payerId === payerId;
  return known ? prefetched.way : loadWay(store, practiceId, payerId);
}

/** The record of a task just made: exactly what was written, without reading it back. */
function newRecord(opening: NewTask, historyLength: number): TaskRecord {
  const { id, contextId, practiceId, environment, task, at, revision, frozen, message } = opening;
  const gate = gateOf(task);
  return {
    id,
    contextId,
    practiceId,
    environment,
    task,
    changedAt: at,
    revisionDigest: revision.digest,
    gate: gate && { ...gate, status: "open", documentDigests: frozen?.documentDigests ?? [] },
    superseded: [],
    sendings: [],
    messages: historyLength > 0 ? [message.body] : undefined,
  };
}

/** What the queue shows of a case without opening its review. */
export function queueFacts({ procedures, patient, subscriber, serviceLevelCode }: ServiceReview) {
  const name = [patient?.lastName ?? subscriber?.lastName, patient?.firstName ?? subscriber?.firstName];
  const known = name.filter((part) => part !== undefined).join(", ");
  return {
    procedureCodes: procedures.map(({ code }) => code),
    patient: known === "" ? undefined : known,
    urgent: serviceLevelCode !== undefined && serviceLevelCode !== "E",
  };
}
