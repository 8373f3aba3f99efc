import { suspendChannel } from "#lib/channel/suspend-channel";
import { assert } from "#lib/platform/result";
import { stateOf } from "#lib/task/model/task";
import { loadTask } from "#lib/task/store/load-task";
import { rowToTask } from "#lib/task/store/task-rows";
import { newId } from "#lib/db/new-id";
import { assignTask } from "#lib/queue/assign-task";
import { snoozeCase } from "#lib/queue/snooze-case";
import { cancelTask } from "#lib/task/cancel-task";
import { declineGate } from "#lib/gate/decline-gate";
import { recordDetermination, recordVoided, recordInformationRequest } from "#lib/submission/record-payer-answer";
import { requestInformation } from "#lib/gate/request-information";
import { writeNote } from "#lib/queue/write-note";
import { startManualSubmission, reportSent } from "#lib/submission/manual-submission";
import { practices } from "./places.ts";
import { timeZone } from "./place-people.ts";
import { reviewOf, type DemoCase, type PathName } from "./demo-case.ts";
import { askPayer, submitNow, loseAnswer } from "./submit-now.ts";
import { done, release, see, sendAsAgent, type DemoActors } from "./demo-actors.ts";

/** A case while its steps run: its actors, its description, today, and the time that it is dated to. */
export type CaseInProgress = {
  readonly hands: DemoActors;
  readonly taskId: string;
  readonly about: DemoCase;
  readonly today: Date;
  readonly at: Date;
};
type Step = (going: CaseInProgress) => Promise<unknown>;

const releases: Step = ({ hands, taskId }) => release(hands, taskId);
const submits: Step = ({ hands, taskId }) => submitNow(hands, taskId);
const asks: Step = ({ hands, taskId }) => askPayer(hands, taskId);
const losesAnswer: Step = ({ hands, taskId }) => loseAnswer(hands, taskId);

const begins: Step = async ({ hands, taskId }) => {
  const { gateId } = await see(hands, taskId);
  await done(startManualSubmission(hands.reviewer, { taskId, gateId }));
};

const reports: Step = async ({ hands, taskId, about }) => {
  const { gateId } = await see(hands, taskId);
  await done(reportSent(hands.reviewer, { taskId, gateId, delivery: "portal", reference: referenceOf(about) }));
};

const amends: Step = async ({ hands, taskId, about, today }) => {
  const review = reviewOf(about, today);
  assert(about.amended, "an amendment says what it changes");
  const data = {
    skill: "prior_auth_intake",
    practiceId: practices[about.practice].id,
    serviceReview: about.amended(review),
  };
  await sendAsAgent(hands, { data, taskId, note: "Amended as asked; nothing else changed." });
};

const asksVoid: Step = ({ hands, taskId, about }) => {
  const practiceId = practices[about.practice].id;
  return sendAsAgent(hands, { data: { skill: "prior_auth_void", practiceId, taskId, reason: statement(about) } });
};

const sendsBack: Step = async ({ hands, taskId, about }) =>
  done(requestInformation(hands.reviewer, { taskId, seen: await see(hands, taskId), question: statement(about) }));

const declines: Step = async ({ hands, taskId, about }) =>
  done(declineGate(hands.reviewer, { taskId, seen: await see(hands, taskId), reason: statement(about) }));

const withdraws: Step = ({ hands, taskId }) => done(cancelTask(hands.agent, { taskId }));

const requestsInformation: Step = ({ hands, taskId, about }) =>
  done(recordInformationRequest(hands.reviewer, { taskId, informationRequest: statement(about) }));

const recordsApproval: Step = ({ hands, taskId, about, at }) =>
  done(
    recordDetermination(hands.reviewer, {
      taskId,
      outcome: "approved",
      authorizationNumber: `AUTH-${about.memberId.replaceAll(/\D/g, "")}`,
      decidedAt: at,
      evidence: statement(about),
    }),
  );

/** The channel is suspended after the release, so the submission is refused and the action is held again. */
const suspendsChannel: Step = ({ hands: { agent } }) =>
  done(suspendChannel({ actor: { kind: "operator" }, store: agent.store }, { channelId: agent.actor.id }));

const hearsOfVoid: Step = ({ hands, taskId, about }) =>
  done(recordVoided(hands.reviewer, { taskId, evidence: statement(about) }));

const payerHasIt = [releases, submits] as const;
const sentByHand = [releases, begins, reports] as const;

/** The steps of a case after its intake, in order. If it reaches the payer, the member id determines the answer. */
const paths = {
  "is undecided": [],
  "is released": [releases],
  "is being submitted manually": [releases, begins],
  "is with the payer": payerHasIt,
  "waits at the payer": [...payerHasIt, asks],
  "loses its answer": [releases, losesAnswer],
  "loses its channel": [releases, suspendsChannel, begins],
  "is sent back": [sendsBack],
  "is sent back and amended": [sendsBack, amends],
  "is declined": [declines],
  "is withdrawn": [withdraws],
  "wants more": [...sentByHand, requestsInformation],
  "wants more and is updated": [...sentByHand, requestsInformation, amends],
  "is approved by letter": [...sentByHand, recordsApproval],
  "is to be voided": [...payerHasIt, asksVoid],
  "is to be voided and released": [...sentByHand, asksVoid, releases],
  "is being voided": [...sentByHand, asksVoid, releases, begins],
  "is voided in doubt": [...payerHasIt, asksVoid, releases, losesAnswer],
  "is voided": [...sentByHand, asksVoid, releases, begins, reports],
  "is voided by the payer": [...payerHasIt, hearsOfVoid],
} as const satisfies Record<PathName, readonly Step[]>;

/** Runs all the steps of a case and verifies its final state. */
export async function follow(going: CaseInProgress): Promise<void> {
  const { about, hands, taskId } = going;
  for (const step of paths[about.path]) await step(going);
  if (about.assigned) await assign(going);
  if (about.snoozed === true) await snooze(going);
  const { store } = hands.worker;
  const row = await loadTask(store, { taskId, practices: "every" });
  const state = row && stateOf(rowToTask(store, row));
  assert(state === about.ends, `the case of ${about.memberId} ends ${about.ends}, not ${state}`);
}

/** Assigns the case to the reviewer, with their note if any. */
async function assign({ hands: { reviewer }, taskId, about }: CaseInProgress): Promise<void> {
  await done(assignTask(reviewer, { taskId, from: undefined, to: reviewer.actor.id }));
  const text = about.assigned?.note;
  if (text !== undefined) await done(writeNote(reviewer, { taskId, noteId: newId(), text }));
}

async function snooze({ hands: { reviewer }, taskId }: CaseInProgress): Promise<void> {
  const row = await loadTask(reviewer.store, { taskId, practices: reviewer.actor.practices });
  assert(row, "a case is there to be snoozed");
  const changedAt = row.changed_at.toISOString();
  await done(snoozeCase(reviewer, { taskId, choice: "tomorrow", zone: timeZone, changedAt }));
}

function statement({ statement: text, memberId }: DemoCase): string {
  assert(text, `the case of ${memberId} says what was said`);
  return text;
}

function referenceOf({ memberId }: DemoCase): string {
  return `WEB-${memberId.replaceAll(/\D/g, "").slice(-6)}`;
}
