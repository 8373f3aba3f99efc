import { editTask } from "#lib/task/edit-task";
import { createHash } from "node:crypto";
import { ok } from "#lib/platform/result";
import { risks } from "#lib/task/model/vote-rule";
import type { DeskAct, TaskAct, ViewAct } from "#lib/audit/model/entry";
import type { Store } from "#lib/db/db";
import { newId } from "#lib/db/new-id";
import { adoptTask } from "#lib/task/adopt-task";
import { assignTask } from "#lib/queue/assign-task";
import { cancelTask } from "#lib/task/cancel-task";
import { changeTask } from "#lib/task/change";
import { chosenCases } from "#lib/queue/chosen-cases";
import { declineGate } from "#lib/gate/decline-gate";
import { expireGate } from "#lib/gate/expire-gate";
import { openCase } from "#lib/queue/open-case";
import { answerChange } from "#lib/submission/payer-report";
import { readAttachment } from "#lib/task/read-attachment";
import { readDecision } from "#lib/gate/read-decision";
import { readReleasedPacket } from "#lib/submission/read-packet";
import { readPayerAnswer } from "#lib/submission/read-payer-answer";
import { readReceipt } from "#lib/gate/read-receipt";
import { recallRelease } from "#lib/gate/recall-release";
import { recordAnswer } from "#lib/submission/record-answer";
import { recordInquiry } from "#lib/submission/record-inquiry";
import {
  attend,
  recordDetermination,
  recordVoided,
  recordVoidRefused,
  recordInformationRequest,
} from "#lib/submission/record-payer-answer";
import { recoverSubmission } from "#lib/submission/recover-task";
import { autoRelease } from "#lib/gate/auto-release";
import { aSandboxTask } from "#test/support/cases/sandbox";
import { releaseGate } from "#lib/gate/release-gate";
import { rerouteTasks } from "#lib/submission/reroute-tasks";
import { requestInformation } from "#lib/gate/request-information";
import { sendMessage } from "#lib/task/send-message";
import { resolveUnconfirmed } from "#lib/submission/resolve-unconfirmed";
import { withdrawVote } from "#lib/gate/withdraw-vote";
import { claimTransmission, lapseTransmission, startTransmission } from "#lib/submission/transmission";
import { handleUnmatched, readUnmatched } from "#lib/payer/inbox/unmatched-pushes";
import { recordUnitsUsed } from "#lib/queue/record-units-used";
import { previewCase } from "#lib/queue/preview-case";
import { dropView, nameView, saveView } from "#lib/queue/saved-views";
import { snoozeCase, wakeCase } from "#lib/queue/snooze-case";
import { writeNote } from "#lib/queue/write-note";
import { done, operator } from "#test/support/people/admin";
import {
  aChannel,
  aHeldTask,
  anIntake,
  aPerson,
  aPractice,
  aRoute,
  aVoid,
  fullReview,
  seenOn,
  theWorker,
} from "#test/support/cases/cases";
import { aPdf, aReceivedFile } from "#test/support/agents/files";
import { anUnmatchedPush } from "#test/support/payer/unmatched-push";
import { acceptDetermination, recordAppealTerms, recordPeerToPeer } from "#lib/submission/contest-determination";
import {
  anAnsweredTask,
  approved,
  aReleasedTask,
  aTransmittingTask,
  bytes,
  denied,
} from "#test/support/cases/sent-cases";
import type { Preparation } from "./given.ts";

/** Everything that may happen to a case or around it, each by what brings it about. */
export const caseActs: Readonly<Record<TaskAct | DeskAct | ViewAct, Preparation>> = {
  "task.opened": async (store) => {
    const practiceId = await aPractice(store);
    const channel = await aChannel(store, { practices: [practiceId] });
    return () => sendMessage(channel, anIntake({ practiceId }));
  },
  "task.amended": async (store) => {
    const { channel, practiceId, taskId } = await aHeldTask(store);
    return () =>
      sendMessage(channel, anIntake({ practiceId, taskId, review: { ...fullReview, payer: { id: "60054" } } }));
  },
  "task.edited": async (store) => {
    const { reviewer, taskId, seen } = await aHeldTask(store);
    return () => editTask(reviewer, { taskId, seen, values: { "/placeOfServiceCode": "11" } });
  },
  "task.withdrawn": async (store) => {
    const { channel, taskId } = await aHeldTask(store);
    return () => cancelTask(channel, { taskId });
  },
  "task.adopted": async (store) => {
    const { channel, reviewer, taskId } = await aReleasedTask(store);
    await store.prisma.channelKey.updateMany({
      where: { channelId: channel.actor.id },
      data: { revokedAt: new Date() },
    });
    await claimTransmission(theWorker(store), { taskId });
    return () => adoptTask(reviewer, { taskId });
  },
  "task.attended": async (store) => {
    const { reviewer, taskId } = await anAnsweredTask(store, { type: "contact-payer", text: "Call." });
    return () => attend(reviewer, { taskId });
  },
  "void.requested": async (store) => {
    const { channel, practiceId, taskId } = await anAnsweredTask(store, { type: "accepted" });
    return () => sendMessage(channel, aVoid({ practiceId, taskId }));
  },
  "gate.voted": async (store) => {
    const { reviewer, taskId, seen } = await aGateOfTwo(store);
    return () => releaseGate(reviewer, { taskId, seen });
  },
  "gate.vote-withdrawn": async (store) => {
    const { reviewer, taskId, seen } = await aGateOfTwo(store);
    await releaseGate(reviewer, { taskId, seen });
    return () => withdrawVote(reviewer, { taskId, seen });
  },
  "gate.released": async (store) => {
    const { reviewer, taskId, seen } = await aHeldTask(store);
    return () => releaseGate(reviewer, { taskId, seen });
  },
  "gate.auto-released": async (store) => {
    const { taskId, practiceId, gateId } = await aSandboxTask(store);
    const ctx = { actor: { kind: "auto-reviewer", practiceId }, store } as const;
    return () => autoRelease(ctx, { taskId, gateId });
  },
  "gate.declined": async (store) => {
    const { reviewer, taskId, seen } = await aHeldTask(store);
    return () => declineGate(reviewer, { taskId, seen, reason: "Not needed." });
  },
  "gate.sent-back": async (store) => {
    const { reviewer, taskId, seen } = await aHeldTask(store);
    return () => requestInformation(reviewer, { taskId, seen, question: "Which side?" });
  },
  "gate.recalled": async (store) => {
    const { reviewer, taskId, seen } = await aHeldTask(store, { recallWindowS: 600 });
    await releaseGate(reviewer, { taskId, seen });
    return () => recallRelease(reviewer, { taskId, gateId: seen.gateId });
  },
  "gate.expired": async (store) => {
    const { taskId, seen } = await aHeldTask(store);
    await store.prisma.gate.update({
      where: { id: seen.gateId },
      data: { openedAt: new Date(0), expiresAt: new Date(1) },
    });
    return () => expireGate(theWorker(store), { taskId });
  },
  "gate.re-held": async (store) => {
    const { practiceId } = await aReleasedTask(store);
    await aRoute(store, { practiceId, version: 2 });
    return () => rerouteTasks(theWorker(store), { practiceId, payerId: "87042" });
  },
  "transmission.claimed": async (store) => {
    const { taskId } = await aReleasedTask(store);
    return () => claimTransmission(theWorker(store), { taskId });
  },
  "transmission.started": async (store) => {
    const { taskId } = await aReleasedTask(store);
    await claimTransmission(theWorker(store), { taskId });
    return () => startTransmission(theWorker(store), { taskId, attempt: 1 });
  },
  "transmission.lapsed": async (store) => {
    const { taskId } = await aTransmittingTask(store);
    await store.prisma.transmission.updateMany({ where: { taskId }, data: { leaseUntil: new Date(0) } });
    return () => lapseTransmission(theWorker(store), { taskId });
  },
  "transmission.not-sent": (store) => answered(store, { type: "notSent", reason: "refused" }),
  "transmission.accepted": (store) => answered(store, { type: "accepted" }),
  "transmission.rejected": (store) => answered(store, { type: "rejected", correction: "correctable", reason: "no" }),
  "transmission.outcome-unknown": (store) => answered(store, { type: "unknown", reason: "no reply" }),
  "transmission.found": async (store) => {
    const { taskId, seen } = await aReleasedTask(store);
    const submission = { taskId, gateId: seen.gateId, attempt: 1, at: new Date() };
    return () => recoverSubmission({ actor: operator, store }, submission);
  },
  "transmission.lost": async (store) => {
    const { taskId } = await aReleasedTask(store);
    const submission = { taskId, gateId: crypto.randomUUID(), attempt: 1, at: new Date() };
    return () => recoverSubmission({ actor: operator, store }, submission);
  },
  "transmission.resolved": async (store) => {
    const { reviewer, taskId, seen } = await anAnsweredTask(store, { type: "unknown", reason: "no reply" });
    const inquiry = { whom: "Lee", by: "phone", at: new Date() } as const;
    return () => resolveUnconfirmed(reviewer, { taskId, gateId: seen.gateId, payerHas: true, inquiry });
  },
  "payer.decided": async (store) => {
    const { reviewer, taskId } = await anAnsweredTask(store, { type: "accepted" });
    return () => recordDetermination(reviewer, { taskId, outcome: "denied", evidence: "Letter" });
  },
  "payer.requested-information": async (store) => {
    const { reviewer, taskId } = await anAnsweredTask(store, { type: "accepted" });
    return () => recordInformationRequest(reviewer, { taskId, informationRequest: "The report." });
  },
  "payer.appeal-terms": async (store) => {
    const { reviewer, taskId } = await anAnsweredTask(store, { type: "decided", determination: denied });
    return () => recordAppealTerms(reviewer, { taskId, by: "2099-01-31", evidence: "Letter" });
  },
  "payer.peer-to-peer": async (store) => {
    const { reviewer, taskId } = await anAnsweredTask(store, { type: "decided", determination: denied });
    return () => recordPeerToPeer(reviewer, { taskId, status: "requested" });
  },
  "determination.accepted": async (store) => {
    const { reviewer, taskId } = await anAnsweredTask(store, { type: "decided", determination: denied });
    return () => acceptDetermination(reviewer, { taskId, reason: "Another treatment." });
  },
  "payer.voided": async (store) => {
    const { reviewer, taskId } = await anAnsweredTask(store, { type: "accepted" });
    return () => recordVoided(reviewer, { taskId, evidence: "Letter" });
  },
  "payer.rejected": async (store) => {
    const { taskId, seen } = await anAnsweredTask(store, { type: "accepted" });
    const of = { method: "POST", url: "http://127.0.0.1:9/fhir", contentType: "application/json", body: bytes };
    const answer = { type: "rejected", correction: "correctable", reason: "Unknown member.", of } as const;
    return () => recordInquiry(theWorker(store), { taskId, response: { answer, bytes }, ofGate: seen.gateId });
  },
  "payer.answered-late": async (store) => {
    const { taskId } = await anAnsweredTask(store, { type: "rejected", correction: "correctable", reason: "no" });
    const response = { via: "push", bytes, settles: false, late: true } as const;
    const late = { type: "contact-payer", text: "Call." } as const;
    return () =>
      changeTask(theWorker(store), { taskId, practices: "every" }, async (loaded) =>
        ok(await answerChange(loaded, late, response)),
      );
  },
  "payer.void-refused": async (store) => {
    const { reviewer, channel, practiceId, taskId } = await anAnsweredTask(store, { type: "accepted" });
    const requested = await done(sendMessage(channel, aVoid({ practiceId, taskId })));
    await releaseGate(reviewer, { taskId, seen: seenOn(requested) });
    const claim = await done(claimTransmission(theWorker(store), { taskId }));
    const attempt = claim === "held-again" ? 0 : claim.attempt;
    await startTransmission(theWorker(store), { taskId, attempt });
    await recordAnswer(theWorker(store), { taskId, attempt, response: { answer: { type: "accepted" }, bytes } });
    return () => recordVoidRefused(reviewer, { taskId, reason: "Too late." });
  },
  "payer.requested-contact": (store) => answered(store, { type: "contact-payer", text: "Call." }),
  "payer.unreadable": async (store) => {
    const { taskId } = await anAnsweredTask(store, { type: "accepted" });
    const response = { answer: { type: "unknown", reason: "no Bundle" }, bytes } as const;
    return () => recordInquiry(theWorker(store), { taskId, response });
  },
  "case.assigned": async (store) => {
    const { reviewer, taskId } = await aHeldTask(store);
    return () => assignTask(reviewer, { taskId, from: undefined, to: reviewer.actor.id });
  },
  "case.noted": async (store) => {
    const { reviewer, taskId } = await aHeldTask(store);
    return () => writeNote(reviewer, { taskId, noteId: newId(), text: "Asked the surgeon." });
  },
  "view.shared": async (store) => {
    const { reviewer, practiceId } = await aHeldTask(store);
    return () => saveView(reviewer, { name: "Urgent", query: "view=urgent", practiceId });
  },
  "view.renamed": async (store) => {
    const { reviewer, id } = await aSharedView(store);
    return () => nameView(reviewer, { id, name: "What is urgent" });
  },
  "view.deleted": async (store) => {
    const { reviewer, id } = await aSharedView(store);
    return () => dropView(reviewer, { id });
  },
  "case.snoozed": async (store) => {
    const { reviewer, taskId } = await aHeldTask(store);
    const changedAt = await changedAtOf(store, taskId);
    return () => snoozeCase(reviewer, { taskId, choice: "4-hours", zone: "UTC", changedAt });
  },
  "case.woken": async (store) => {
    const { reviewer, taskId } = await aHeldTask(store);
    const changedAt = await changedAtOf(store, taskId);
    await done(snoozeCase(reviewer, { taskId, choice: "4-hours", zone: "UTC", changedAt }));
    return () => wakeCase(reviewer, { taskId });
  },
  "case.units-recorded": async (store) => {
    const lines = [{ sequence: 1, action: "A1", authorized: { quantity: 12, unit: "VS" }, reasons: [] }] as const;
    const { reviewer, taskId } = await anAnsweredTask(store, {
      type: "decided",
      determination: { ...approved, lines },
    });
    const { determinationId } = await store.prisma.task.findUniqueOrThrow({ where: { id: taskId } });
    const uses = [{ sequence: 1, used: 10 }];
    return () => recordUnitsUsed(reviewer, { taskId, determinationId: determinationId ?? "", uses });
  },
  "case.opened": async (store) => {
    const { reviewer, taskId } = await aHeldTask(store);
    return () => openCase(reviewer, { taskId });
  },
  "case.file-opened": async (store) => {
    const file = aReceivedFile(aPdf("Okafor"), "application/pdf");
    const { reviewer, taskId } = await aHeldTask(store, { files: [file] });
    return () => readAttachment(reviewer, { taskId, sha256: createHash("sha256").update(file.bytes).digest("hex") });
  },
  "case.answer-opened": async (store) => {
    const { reviewer, taskId } = await anAnsweredTask(store, { type: "unknown", reason: "It is not understood." });
    const { id: answerId } = await store.prisma.payerEvent.findFirstOrThrow({ where: { taskId } });
    return () => readPayerAnswer(reviewer, { taskId, answerId });
  },
  "push.opened": async (store) => {
    const { reviewer, id } = await anUnmatchedPush(store);
    return () => readUnmatched(reviewer, { id });
  },
  "push.handled": async (store) => {
    const { reviewer, id } = await anUnmatchedPush(store);
    return () => handleUnmatched(reviewer, { id });
  },
  "case.packet-opened": async (store) => {
    const { reviewer, taskId, seen } = await aHeldTask(store);
    await releaseGate(reviewer, { taskId, seen });
    return () => readReleasedPacket(reviewer, { taskId });
  },
  "case.decision-opened": async (store) => {
    const { reviewer, taskId } = await aHeldTask(store);
    return () => readDecision(reviewer, { taskId });
  },
  "case.receipt-opened": async (store) => {
    const { reviewer, taskId, seen } = await aHeldTask(store);
    await releaseGate(reviewer, { taskId, seen });
    const { id: receiptId } = await store.prisma.decisionReceipt.findFirstOrThrow({ where: { taskId } });
    return () => readReceipt(reviewer, { taskId, receiptId });
  },
  "case.previewed": async (store) => {
    const { reviewer, taskId } = await aHeldTask(store);
    return () => previewCase(reviewer, { taskId });
  },
  "case.listed": async (store) => {
    const { reviewer, taskId } = await aHeldTask(store);
    return () => chosenCases(reviewer, { taskIds: [taskId], act: "decline" });
  },
};

async function aGateOfTwo(store: Store) {
  const held = await aHeldTask(store);
  await aPerson(store, { practices: [held.practiceId] });
  await store.prisma.voteRule.createMany({
    data: risks.map((risk) => ({ practiceId: held.practiceId, action: "transmit", risk, votes: 2, stepUp: false })),
  });
  return held;
}

/** The payer's wire answers so. */
async function answered(store: Store, answer: Parameters<typeof anAnsweredTask>[1]) {
  const { taskId, claim } = await aTransmittingTask(store);
  return () => recordAnswer(theWorker(store), { taskId, attempt: claim.attempt, response: { answer, bytes } });
}

async function aSharedView(store: Store) {
  const { reviewer, practiceId } = await aHeldTask(store);
  await done(saveView(reviewer, { name: "Urgent", query: "view=urgent", practiceId }));
  const { id } = await store.prisma.sharedView.findFirstOrThrow({ where: { practiceId } });
  return { reviewer, id };
}

async function changedAtOf({ prisma }: Store, taskId: string): Promise<string> {
  const { changedAt } = await prisma.task.findUniqueOrThrow({ where: { id: taskId }, select: { changedAt: true } });
  return changedAt.toISOString();
}
