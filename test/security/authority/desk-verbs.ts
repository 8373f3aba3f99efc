import { randomUUID } from "node:crypto";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import type { Store } from "#lib/db/db";
import { assignTask } from "#lib/queue/assign-task";
import { bulkAssign, bulkDecline, bulkRecall, bulkRelease, bulkSnooze, previewRelease } from "#lib/queue/bulk";
import { chosenCases } from "#lib/queue/chosen-cases";
import { withDeskMarks } from "#lib/queue/desk-marks";
import { deskStatus } from "#lib/queue/desk-status";
import { whatIsAtRisk } from "#lib/queue/at-risk";
import { decidedLately } from "#lib/gate/decided-lately";
import { nextToDecide, walkFrom } from "#lib/queue/walk";
import { recordUnitsUsed } from "#lib/queue/record-units-used";
import { casesInList, countMatches, countQueue, listQueue } from "#lib/queue/list-queue";
import { markPresence } from "#lib/queue/mark-presence";
import { openCase } from "#lib/queue/open-case";
import { queueChoices } from "#lib/queue/queue-choices";
import { readAttachment } from "#lib/task/read-attachment";
import { readDecision } from "#lib/gate/read-decision";
import { readReleasedPacket } from "#lib/submission/read-packet";
import { readPayerAnswer } from "#lib/submission/read-payer-answer";
import { payerAwaySince, payersAway } from "#lib/submission/payers-away";
import { noteOutage } from "#lib/submission/store/payer-outages";
import { readReceipt } from "#lib/gate/read-receipt";
import { releaseGate } from "#lib/gate/release-gate";
import { reviewTask } from "#lib/task/review-task";
import { searchCases } from "#lib/queue/search-cases";
import { sendMessage } from "#lib/task/send-message";
import { practicesInReports } from "#lib/report/report-practices";
import { exportReport } from "#lib/report/export-report";
import { showReport } from "#lib/report/show-report";
import { handleUnmatched, readUnmatched, unmatchedCount, unmatchedPushes } from "#lib/payer/inbox/unmatched-pushes";
import type { Possible } from "#lib/task/views";
import { queueFacets } from "#lib/queue/queue-facets";
import { previewCase } from "#lib/queue/preview-case";
import { countSavedViews, dropView, nameView, savedViews, saveView } from "#lib/queue/saved-views";
import { snoozeCase, wakeCase } from "#lib/queue/snooze-case";
import { writeNote } from "#lib/queue/write-note";
import { done } from "#test/support/people/admin";
import { aChannel, aHeldTask, anIntake, aPerson, aPractice, fullReview, seenOn } from "#test/support/cases/cases";
import { reportReaders, type Holder } from "./holders.ts";
import { aPdf, aReceivedFile } from "#test/support/agents/files";
import { anAnsweredTask, approved, aReleasedTask, bytes } from "#test/support/cases/sent-cases";
import { anUnmatchedPush } from "#test/support/payer/unmatched-push";

/** A case of a practice of its own, with what an act names of it. */
export type DeskGround = {
  readonly practiceId: string;
  readonly taskId: string;
  readonly reviewer: Context<PersonActor>;
  readonly seen: Parameters<typeof releaseGate>[1]["seen"];
  /** The id of the file, receipt, answer or notification. */
  readonly id: string;
};

type Reviewer = Context<PersonActor>;

export type DeskVerb = {
  /** Those who may; the reviewers of the practice unless given. */
  readonly for?: readonly Holder[];
  readonly ground?: (store: Store) => Promise<DeskGround>;
  readonly act: (doer: Reviewer, ground: DeskGround) => Promise<unknown>;
  /** It changes the case; without it, whoever may is shown this. */
  readonly shows?: (ground: DeskGround) => string;
  /** It leaves no more than that somebody is there. */
  readonly leaves?: "nothing";
  /** Done by whoever acts, while they still review for the practice. */
  readonly before?: (doer: Reviewer, ground: DeskGround) => Promise<unknown>;
};

const memberId = (id: string) => `HM-${id}`;

/** A held case with a file, of a member nobody else is. */
export async function aDeskGround(store: Store): Promise<DeskGround> {
  const practiceId = await aPractice(store);
  const [channel, reviewer] = [
    await aChannel(store, { practices: [practiceId] }),
    await aPerson(store, { practices: [practiceId] }),
  ];
  const review = { ...fullReview, subscriber: { ...fullReview.subscriber, memberId: memberId(practiceId.slice(-12)) } };
  const files = [aReceivedFile(aPdf("Okafor"), "application/pdf")];
  const sent = await done(sendMessage(channel, anIntake({ practiceId, review, files })));
  const { sha256 } = await store.prisma.attachment.findFirstOrThrow({ where: { taskId: sent.id } });
  return { practiceId, taskId: sent.id, reviewer, seen: seenOn(sent), id: sha256 };
}

/** A case that may be released among others. */
async function aSmallGround(store: Store): Promise<DeskGround> {
  return { ...(await aHeldTask(store)), id: "" };
}

async function aRecallableGround(store: Store): Promise<DeskGround> {
  const held = await aHeldTask(store, { recallWindowS: 600 });
  await done(releaseGate(held.reviewer, { taskId: held.taskId, seen: held.seen }));
  return { ...held, id: "" };
}

async function aReleasedGround(store: Store): Promise<DeskGround> {
  const { practiceId, taskId, reviewer, seen } = await aHeldTask(store);
  await done(releaseGate(reviewer, { taskId, seen }));
  const { id } = await store.prisma.decisionReceipt.findFirstOrThrow({ where: { taskId } });
  return { practiceId, taskId, reviewer, seen, id };
}

/** An approval of twelve visits. */
async function anApprovedGround(store: Store): Promise<DeskGround> {
  const lines = [{ sequence: 1, action: "A1", authorized: { quantity: 12, unit: "VS" }, reasons: [] }] as const;
  const { practiceId, taskId, reviewer } = await anAnsweredTask(store, {
    type: "decided",
    determination: { ...approved, lines },
  });
  const { determinationId } = await store.prisma.task.findUniqueOrThrow({ where: { id: taskId } });
  const seen = { gateId: "", digest: "", revision: 1 };
  return { practiceId, taskId, reviewer, seen, id: determinationId ?? "" };
}

async function anAnsweredGround(store: Store): Promise<DeskGround> {
  const { practiceId, taskId, reviewer } = await anAnsweredTask(store, { type: "unknown", reason: "no reply" });
  const { id } = await store.prisma.payerEvent.findFirstOrThrow({ where: { taskId } });
  return { practiceId, taskId, reviewer, seen: { gateId: "", digest: "", revision: 1 }, id };
}

async function aNotifiedGround(store: Store): Promise<DeskGround> {
  const { practiceId, reviewer, id } = await anUnmatchedPush(store);
  return { practiceId, taskId: id, reviewer, seen: { gateId: "", digest: "", revision: 1 }, id };
}

/** A released case whose payer does not answer. */
async function anAwayGround(store: Store): Promise<DeskGround> {
  const { practiceId, taskId, reviewer, seen } = await aReleasedTask(store);
  const { payerHost } = await store.prisma.transmission.findFirstOrThrow({ where: { taskId } });
  await noteOutage(store, { payerHost, reason: "ECONNREFUSED" });
  return { practiceId, taskId, reviewer, seen, id: taskId };
}

const question = { view: "all", sort: "due", filters: {} } as const;
const ofTask = ({ taskId }: DeskGround) => taskId;
const one = ({ taskId, seen }: DeskGround) => ({ items: [{ taskId, seen }] });

/** A view that the reviewers of a practice share. */
async function aSharedGround(store: Store): Promise<DeskGround> {
  const ground = await aSmallGround(store);
  const { practiceId, reviewer } = ground;
  await done(saveView(reviewer, { name: "Urgent", query: "view=urgent", practiceId }));
  return { ...ground, id: (await store.prisma.sharedView.findFirstOrThrow({ where: { practiceId } })).id };
}

async function changedAtOf({ prisma }: Store, taskId: string): Promise<string> {
  const found = await prisma.task.findUnique({ where: { id: taskId }, select: { changedAt: true } });
  return found?.changedAt.toISOString() ?? "";
}

async function snooze(doer: Reviewer, { taskId }: Pick<DeskGround, "taskId">) {
  const changedAt = await changedAtOf(doer.store, taskId);
  return snoozeCase(doer, { taskId, choice: "4-hours", zone: "UTC", changedAt });
}

/** Every verb of a reviewer beside the decisions on a case, by its name: each for those who review for the practice, or who it says. */
export const deskVerbs: Readonly<Record<string, DeskVerb>> = {
  assignTask: {
    act: (doer, { taskId, reviewer }) => assignTask(doer, { taskId, from: undefined, to: reviewer.actor.id }),
  },
  writeNote: { act: (doer, { taskId }) => writeNote(doer, { taskId, noteId: randomUUID(), text: "Called them." }) },
  markPresence: {
    act: (doer, { taskId }) => markPresence(doer, { taskId, left: false }),
    leaves: "nothing",
  },
  snoozeCase: { act: snooze },
  wakeCase: {
    before: (_, { reviewer, taskId }) => snooze(reviewer, { taskId }),
    act: (doer, { taskId }) => wakeCase(doer, { taskId }),
  },
  bulkAssign: {
    act: (doer, { taskId, reviewer }) =>
      bulkAssign(doer, { items: [{ taskId, from: undefined }], to: reviewer.actor.id }),
  },
  bulkDecline: { act: (doer, ground) => bulkDecline(doer, { ...one(ground), reason: "Not needed." }) },
  bulkSnooze: {
    act: async (doer, { taskId }) => {
      const changedAt = await changedAtOf(doer.store, taskId);
      return bulkSnooze(doer, { items: [{ taskId, changedAt }], choice: "4-hours", zone: "UTC" });
    },
  },
  bulkRecall: {
    ground: aRecallableGround,
    act: (doer, { taskId, seen }) => bulkRecall(doer, { items: [{ taskId, gateId: seen.gateId }] }),
  },
  bulkRelease: {
    ground: aSmallGround,
    before: (doer, { taskId }) => openCase(doer, { taskId }),
    act: (doer, ground) => bulkRelease(doer, one(ground)),
  },
  handleUnmatched: { ground: aNotifiedGround, act: (doer, { id }) => handleUnmatched(doer, { id }) },

  previewRelease: {
    before: (doer, { taskId }) => openCase(doer, { taskId }),
    act: (doer, ground) => previewRelease(doer, ground),
    shows: () => '"releasable":true',
  },
  chosenCases: { act: (doer, { taskId }) => chosenCases(doer, { taskIds: [taskId], act: "assign" }), shows: ofTask },
  openCase: { act: (doer, { taskId }) => openCase(doer, { taskId }), shows: ofTask },
  previewCase: { act: (doer, { taskId }) => previewCase(doer, { taskId }), shows: ofTask },
  reviewTask: { act: (doer, { taskId }) => reviewTask(doer, { taskId }), shows: ofTask },
  deskStatus: {
    before: (_, { reviewer, taskId }) => markPresence(reviewer, { taskId, left: false }),
    act: (doer, { taskId }) => deskStatus(doer, taskId),
    shows: () => "Dana Whitfield",
  },
  searchCases: {
    act: async (doer, { practiceId }) => {
      const searched = await searchCases(doer, memberId(practiceId.slice(-12)));
      return searched.ok ? listQueue(doer, { ...question, ...searched.value }) : searched;
    },
    shows: ofTask,
  },
  listQueue: { act: (doer) => listQueue(doer, question), shows: ofTask },
  casesInList: { act: (doer, { taskId }) => casesInList(doer, question, [taskId]), shows: ofTask },
  walkFrom: { act: (doer, { taskId }) => walkFrom(doer, question, taskId), shows: () => '"total":1' },
  nextToDecide: { act: (doer) => nextToDecide(doer, question), shows: ofTask },
  decidedLately: {
    ground: aSmallGround,
    before: (doer, { taskId, seen }) => releaseGate(doer, { taskId, seen }),
    act: (doer, { taskId, seen }) => decidedLately(doer, { places: [{ taskId, gateId: seen.gateId }] }),
    shows: ofTask,
  },
  recordUnitsUsed: {
    ground: anApprovedGround,
    act: (doer, { taskId, id }) =>
      recordUnitsUsed(doer, { taskId, determinationId: id, uses: [{ sequence: 1, used: 10 }] }),
  },
  countMatches: { act: (doer) => countMatches(doer, question), shows: () => "1" },
  countQueue: { act: async (doer) => Math.max(...Object.values(await countQueue(doer)).map(Number)), shows: () => "1" },
  whatIsAtRisk: {
    ground: aReleasedGround,
    act: async (doer) => Math.max(0, ...Object.values((await whatIsAtRisk(doer))?.counts ?? {})),
    shows: () => "1",
  },
  savedViews: {
    before: (_, { reviewer, practiceId }) =>
      saveView(reviewer, { name: "Urgent here", query: "view=urgent", practiceId }),
    act: (doer) => savedViews(doer),
    shows: () => "Urgent here",
  },
  countSavedViews: {
    act: async (doer) => (await countSavedViews(doer, [{ id: "one", name: "All", query: "view=all" }])).get("one"),
    shows: () => "1",
  },
  saveView: {
    act: (doer, { practiceId }) => saveView(doer, { name: "Urgent here", query: "view=urgent", practiceId }),
  },
  nameView: {
    ground: aSharedGround,
    act: (doer, { id }) => nameView(doer, { id, name: "What is urgent" }),
  },
  dropView: { ground: aSharedGround, act: (doer, { id }) => dropView(doer, { id }) },
  queueFacets: {
    act: (doer) => queueFacets(doer, question),
    shows: () => '{"name":"assignee","value":"none","count":1}',
  },
  queueChoices: { act: (doer) => queueChoices(doer), shows: ({ practiceId }) => practiceId },
  withDeskMarks: {
    before: (_, { reviewer, taskId }) => markPresence(reviewer, { taskId, left: false }),
    act: (doer, { taskId }) => withDeskMarks(doer, [{ taskId, state: "transmit-held" }]),
    shows: () => "Dana Whitfield",
  },
  showReport: {
    for: reportReaders,
    act: (doer, { practiceId }) => showReport(doer, { report: "overview", zone: "UTC", practiceId }),
    shows: ({ practiceId }) => practiceId,
  },
  exportReport: {
    for: reportReaders,
    act: (doer, { practiceId }) => exportReport(doer, { report: "reviews", zone: "UTC", practiceId }),
    shows: () => '"ok":true',
  },
  practicesInReports: {
    for: reportReaders,
    act: (doer) => practicesInReports(doer),
    shows: ({ practiceId }) => practiceId,
  },
  readAttachment: {
    act: (doer, { taskId, id }) => readAttachment(doer, { taskId, sha256: id }),
    shows: () => '"ok":true',
  },
  readDecision: { ground: aReleasedGround, act: (doer, { taskId }) => readDecision(doer, { taskId }), shows: ofTask },
  readReceipt: {
    ground: aReleasedGround,
    act: (doer, { taskId, id }) => readReceipt(doer, { taskId, receiptId: id }),
    shows: ofTask,
  },
  readReleasedPacket: {
    ground: aReleasedGround,
    act: (doer, { taskId }) => readReleasedPacket(doer, { taskId }),
    shows: ofTask,
  },
  readPayerAnswer: {
    ground: anAnsweredGround,
    act: async (doer, { taskId, id }) => {
      const read = await readPayerAnswer(doer, { taskId, answerId: id });
      return read.ok ? Buffer.from(read.value).toString("hex") : read;
    },
    shows: () => Buffer.from(bytes).toString("hex"),
  },
  readUnmatched: {
    ground: aNotifiedGround,
    act: (doer, { id }) => readUnmatched(doer, { id }),
    shows: () => '"ok":true',
  },
  payersAway: { ground: anAwayGround, act: (doer) => payersAway(doer), shows: () => '"waiting":1' },
  payerAwaySince: {
    ground: anAwayGround,
    act: (doer, { taskId }) => payerAwaySince(doer, { taskId }),
    shows: () => 'Z"',
  },
  unmatchedCount: { ground: aNotifiedGround, act: (doer) => unmatchedCount(doer), shows: () => "1" },
  unmatchedPushes: { ground: aNotifiedGround, act: (doer) => unmatchedPushes(doer), shows: ({ id }) => id },
};

/** The decisions on a case, each by the act of its page under which test/security/case-authority.store.test.ts tries it. */
export const decisions: Readonly<Record<string, Possible>> = {
  releaseGate: "release",
  declineGate: "decline",
  requestInformation: "request-information",
  withdrawVote: "withdraw-vote",
  editTask: "edit",
  recallRelease: "recall",
  adoptTask: "adopt",
  startManualSubmission: "start-manual-submission",
  reportSent: "report-sent",
  reportRefused: "report-refused",
  reportNotSent: "report-not-sent",
  resolveUnconfirmed: "resolve-unconfirmed",
  recordDetermination: "record-determination",
  recordInformationRequest: "record-information-request",
  recordVoided: "record-voided",
  recordVoidRefused: "record-void-refused",
  recordAppealTerms: "record-appeal-terms",
  recordPeerToPeer: "record-peer-to-peer",
  acceptDetermination: "accept-determination",
  attend: "attend",
};

/** Verbs of that folder a person may run that ask no reviewer's power, and why. */
export const notOfDesk: Readonly<Record<string, string>> = {
  decideOnce: "runs the decisions, which ask",
  changeTask: "runs the decisions within the practices it is given",
  practicesOf: "says where somebody reviews",
  queryOf: "says what a list asks for where somebody reviews, and reads no case",
  expireGate: "runs in the decisions, which ask; and by the worker",
  explainStale: "says why a decision of theirs was refused",
  recordCaseDenial: "puts a refusal on record",
  recordDeniedCases: "puts refusals on record",
  recoverSubmission: "by the operator, from lib/submission/recover-record.ts",
  holdAfterRecovery: "by the operator, from lib/submission/recover-record.ts",
  personChange: "what records of a payer's answer have in common; checks that the person may review the case",
  explainSubmission: "takes the operator by its type: it is called by nobody else",
  payerHostRecords: "takes the operator by its type: it is called by nobody else",
  inspectService: "takes the operator by its type: it is called by nobody else",
  adminsToAsk: "says who they are, and of no case",
  openEmergencyAccess: "takes an administrator: lib/task/emergency-access.store.test.ts has everybody else",
  showEmergencyCase: "takes whoever opened it: lib/task/emergency-access.store.test.ts has everybody else",
  listEmergencyAccesses: "for reviewers and administrators: lib/task/emergency-access.store.test.ts",
};
