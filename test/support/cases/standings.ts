import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import type { Store } from "#lib/db/db";
import { releaseGate } from "#lib/gate/release-gate";
import { startManualSubmission } from "#lib/submission/manual-submission";
import { recordAnswer } from "#lib/submission/record-answer";
import { claimTransmission, startTransmission } from "#lib/submission/transmission";
import { risks } from "#lib/task/model/vote-rule";
import { gateOf } from "#lib/task/model/task";
import { sendMessage } from "#lib/task/send-message";
import { loadTask } from "#lib/task/store/load-task";
import { rowToTask } from "#lib/task/store/task-rows";
import type { Possible } from "#lib/task/views";
import { done } from "../people/admin.ts";
import { aHeldTask, aPerson, aVoid, seenOn, theWorker } from "./cases.ts";
import { anAnsweredTask, aReleasedTask, bytes, denied } from "./sent-cases.ts";

export type Reviewer = Context<PersonActor>;

/** A case in a practice of its own where the act succeeds for whoever may do it, and what its form says beside the gate. */
export type Standing = {
  readonly practiceId: string;
  readonly taskId: string;
  readonly typed?: Readonly<Record<string, string>> | undefined;
  /** What whoever acts did before, while they still reviewed for the practice. */
  readonly before?: (doer: Reviewer) => Promise<unknown>;
};

/** Every act on a case that a page offers, on a case of its own. */
export const standings: Readonly<Record<Possible, (store: Store) => Promise<Standing>>> = {
  release: (store) => aHeldTask(store),
  decline: (store) => held(store, { code: "other", reason: "Asked for twice." }),
  "request-information": (store) => held(store, { question: "Which side?" }),
  "withdraw-vote": async (store) => {
    const { practiceId, taskId, seen } = await aHeldTask(store);
    await aPerson(store, { practices: [practiceId] });
    const rule = { practiceId, action: "transmit", votes: 2, stepUp: false };
    await store.prisma.voteRule.createMany({ data: risks.map((risk) => ({ ...rule, risk })) });
    return { practiceId, taskId, before: (doer) => done(releaseGate(doer, { taskId, seen })) };
  },
  edit: (store) => held(store, { "value:/placeOfServiceCode": "11" }),
  recall: async (store) => {
    const { practiceId, taskId, seen, reviewer } = await aHeldTask(store, { recallWindowS: 600 });
    await done(releaseGate(reviewer, { taskId, seen }));
    return { practiceId, taskId };
  },
  adopt: async (store) => {
    const { practiceId, taskId, channel } = await aReleasedTask(store);
    const keys = { where: { channelId: channel.actor.id }, data: { revokedAt: new Date() } };
    await store.prisma.channelKey.updateMany(keys);
    await claimTransmission(theWorker(store), { taskId });
    return { practiceId, taskId };
  },
  "start-manual-submission": (store) => releasedByHand(store),
  "report-sent": (store) => begunByHand(store, { delivery: "fax" }),
  "report-refused": (store) => begunByHand(store, { reason: "Unknown member." }),
  "report-not-sent": (store) => begunByHand(store, { reason: "No fax there." }),
  "resolve-unconfirmed": (store) => {
    const inquiry = { whom: "Ada", inquiredBy: "phone", inquiredAt: new Date().toISOString().slice(0, 16) };
    return answered(store, { type: "unknown", reason: "no reply" }, { payerHas: "no", ...inquiry });
  },
  "record-determination": (store) =>
    answered(
      store,
      { type: "accepted" },
      { requestedRevision: "1", outcome: "denied", learnedBy: "fax", evidence: "Letter" },
    ),
  "record-information-request": (store) => answered(store, { type: "accepted" }, { informationRequest: "The report." }),
  "record-voided": (store) => answered(store, { type: "accepted" }, { evidence: "By phone." }),
  "record-void-refused": async (store) => {
    const { practiceId, taskId, channel, reviewer } = await anAnsweredTask(store, { type: "accepted" });
    const requested = await done(sendMessage(channel, aVoid({ practiceId, taskId })));
    await done(releaseGate(reviewer, { taskId, seen: seenOn(requested) }));
    const claim = await done(claimTransmission(theWorker(store), { taskId }));
    const attempt = claim === "held-again" ? 0 : claim.attempt;
    await startTransmission(theWorker(store), { taskId, attempt });
    await recordAnswer(theWorker(store), { taskId, attempt, response: { answer: { type: "accepted" }, bytes } });
    return { practiceId, taskId, typed: { reason: "Too late." } };
  },
  "record-appeal-terms": (store) => refusedByPayer(store, { by: "2099-01-31", how: "By fax.", evidence: "Letter" }),
  "record-peer-to-peer": (store) => refusedByPayer(store, { status: "requested", clinician: "Dr. Rao" }),
  "accept-determination": (store) => refusedByPayer(store, { reason: "The patient chose another treatment." }),
  attend: (store) => answered(store, { type: "contact-payer", text: "Call." }, {}),
};

async function held(store: Store, typed: Standing["typed"]): Promise<Standing> {
  return { ...(await aHeldTask(store)), typed };
}

async function answered(
  store: Store,
  answer: Parameters<typeof anAnsweredTask>[1],
  typed: Standing["typed"],
): Promise<Standing> {
  return { ...(await anAnsweredTask(store, answer)), typed };
}

async function refusedByPayer(store: Store, typed: Standing["typed"]): Promise<Standing> {
  return answered(store, { type: "decided", determination: denied }, typed);
}

/** Released, and the payer has no connection. */
async function releasedByHand(store: Store) {
  const all = await aHeldTask(store);
  await done(releaseGate(all.reviewer, { taskId: all.taskId, seen: all.seen }));
  return all;
}

async function begunByHand(store: Store, typed: Standing["typed"]): Promise<Standing> {
  const { practiceId, taskId, seen, reviewer } = await releasedByHand(store);
  await done(startManualSubmission(reviewer, { taskId, gateId: seen.gateId }));
  return { practiceId, taskId, typed };
}

/** The fields that a form drawn now sends of what it shows. */
export async function shownNow(store: Store, taskId: string) {
  const row = await loadTask(store, { taskId, practices: "every" });
  if (!row) throw new Error("The case is gone.");
  const gate = gateOf(rowToTask(store, row));
  return { taskId, gateId: row.gate_id ?? "", digest: gate?.digest ?? "", revision: String(row.revision) };
}
