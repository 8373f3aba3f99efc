import { changePracticeSettings } from "#lib/practice/change-practice-settings";
import { atoms, type ChannelActor, type PersonActor } from "#lib/access/model/actor";
import type { Determination } from "#lib/task/model/determination";
import type { PayerAnswer } from "#lib/payer/connector";
import type { Store } from "#lib/db/db";
import { assignTask } from "#lib/queue/assign-task";
import { cancelTask } from "#lib/task/cancel-task";
import { declineGate } from "#lib/gate/decline-gate";
import { openCase } from "#lib/queue/open-case";
import { recordAnswer } from "#lib/submission/record-answer";
import { requestInformation } from "#lib/gate/request-information";
import { claimTransmission, startTransmission } from "#lib/submission/transmission";
import { fullReview, inDays } from "#test/support/agents/reviews";
import { practices } from "./desk.ts";
import { done, release, see, sendAsAgent, type DemoActors } from "#lib/demo/demo-actors";

/** The practice the specimens are made in. */
export const specimenPractice = practices.at(-1) ?? "";

/** What every copy has of its own, as the specimens have it: words that occur nowhere else. */
export const marks = {
  family: "Specimenfamily",
  given: "Specimengiven",
  code: "E9799",
  reference: "SPECIMENREFERENCE",
  wire: "SPECIMENWIRE",
  hand: "SPECIMENHAND",
} as const;

type Going = { readonly hands: DemoActors; readonly taskId: string; readonly member: string };
type Step = (going: Going) => Promise<unknown>;

/** What becomes of a case after its intake, and how many of a thousand come to it. */
type Kind = { readonly share: number; readonly steps: readonly Step[]; readonly review?: object };

const opens: Step = ({ hands, taskId }) => done(openCase(hands.reviewer, { taskId }));
const releases: Step = ({ hands, taskId }) => release(hands, taskId);
const sendsBack: Step = async ({ hands, taskId }) =>
  done(
    requestInformation(hands.reviewer, {
      taskId,
      seen: await see(hands, taskId),
      question: "Please add the last imaging report and say what was tried before.",
      fields: ["/diagnoses/0"],
    }),
  );
const declines: Step = async ({ hands, taskId }) =>
  done(declineGate(hands.reviewer, { taskId, seen: await see(hands, taskId), reason: "The visit was moved to May." }));
const withdraws: Step = ({ hands, taskId }) => done(cancelTask(hands.agent, { taskId }));
const amends: Step = ({ hands, taskId, member }) => {
  const more = [{ message: "Six weeks of physical therapy until March, without relief. Imaging report of 3 April." }];
  const data = { ...intake, serviceReview: reviewOf(member, { providerNotes: more, toDate: inDays(160) }) };
  return sendAsAgent(hands, { data, taskId, note: "Amended as asked." });
};
const asksVoid: Step = ({ hands, taskId }) =>
  sendAsAgent(hands, {
    data: { skill: "prior_auth_void", practiceId: specimenPractice, taskId, reason: "The surgery was cancelled." },
    note: "The patient decided against it.",
  });

/** What the worker does, with the answer that its payer would have given. */
const answers =
  (answer: () => PayerAnswer): Step =>
  async ({ hands, taskId }) => {
    const claim = await done(claimTransmission(hands.worker, { taskId }));
    if (claim === "held-again") throw new Error("What was just released may leave.");
    await done(startTransmission(hands.worker, claim));
    const response = { answer: answer(), bytes: Buffer.from(reply) };
    await done(recordAnswer(hands.worker, { taskId, attempt: claim.attempt, response }));
  };

const { reference } = marks;
const reply = JSON.stringify({ reference, member: marks.family, note: "A payer's reply. ".repeat(40) });
const takes = answers(() => ({ type: "accepted", reference, receivedAt: new Date() }));
const informationRequest = { text: "Please send the imaging report and the notes of the last visit.", items: [] };
const asksMore = answers(() => ({ type: "accepted", reference, receivedAt: new Date(), informationRequest }));
const decides = answers(() => ({ type: "decided", determination: approved() }));
const voids = answers(() => ({ type: "cancelled", reference }));
const loses = answers(() => ({ type: "unknown", reason: "The request left, but no whole reply came in time." }));
const refuses = answers(() => ({ type: "rejected", correction: "final", reason: "The member is not covered." }));
const asksToCall = answers(() => ({ type: "contact-payer", reference, text: "Call the payer's nurse reviewer." }));

const approved = (): Determination => ({
  ...{ outcome: "approved", authorizationNumber: `AUTH-${reference}`, reference, source: "connector" },
  ...{ validFrom: inDays(50), validTo: inDays(130), notes: ["Approved as requested."], humanReviewed: true },
  lines: [{ sequence: 1, action: "A1", reasons: [] }],
  decidedAt: new Date().toISOString(),
});

const manual = { payer: { id: marks.hand } };
const incomplete = { subscriber: undefined, patient: { lastName: marks.family, firstName: marks.given } };
const released = [opens, releases] as const;

/** Every way a case is open, by the state it ends in first. */
const openKinds: Readonly<Record<string, Kind>> = {
  "transmit-held": { share: 212, steps: [] },
  "transmit-held, by hand": { share: 70, steps: [], review: manual },
  "transmit-held, amended": { share: 18, steps: [opens, sendsBack, amends] },
  "void-held": { share: 10, steps: [...released, decides, asksVoid] },
  "needs-information": { share: 50, steps: [], review: incomplete },
  "needs-information, sent back": { share: 50, steps: [opens, sendsBack] },
  "transmit-unconfirmed": { share: 3, steps: [...released, loses] },
  transmitted: { share: 521, steps: [...released, takes] },
  "transmitted, contact the payer": { share: 3, steps: [...released, asksToCall] },
  "payer-needs-information": { share: 60, steps: [...released, asksMore] },
  "transmit-released": { share: 3, steps: released },
};

const closedKinds: Readonly<Record<string, Kind>> = {
  determined: { share: 880, steps: [...released, decides] },
  declined: { share: 50, steps: [opens, declines] },
  withdrawn: { share: 40, steps: [withdraws] },
  voided: { share: 20, steps: [...released, decides, asksVoid, ...released, voids] },
  failed: { share: 10, steps: [...released, refuses] },
};

export type Specimen = {
  /** Their own, for none is a duplicate of another. */
  readonly member: string;
  readonly kind: string;
  readonly isOpen: boolean;
  readonly share: number;
  readonly urgent: boolean;
  readonly assigned: boolean;
  readonly taskId: string;
};

type Making = {
  readonly store: Store;
  readonly channelId: string;
  readonly reviewer: PersonActor;
  readonly assigneeId: string;
};

/** One case of every kind, urgent or not, assigned or not, each brought to where it is by the verbs that serve in earnest. */
export async function makeSpecimens({ store, channelId, reviewer, assigneeId }: Making): Promise<readonly Specimen[]> {
  const agent: ChannelActor = { kind: "channel", id: channelId, practices: [specimenPractice], atoms };
  const hands: DemoActors = {
    agent: { actor: agent, store },
    reviewer: { actor: reviewer, store },
    worker: { actor: { kind: "worker" }, store },
  };
  const made: Specimen[] = [];
  for (const [kind, { share, steps, review }] of [...Object.entries(openKinds), ...Object.entries(closedKinds)]) {
    const isOpen = kind in openKinds;
    // A release waits to be recalled only where it is to stay one.
    await setRecall(store, kind === "transmit-released" ? 600 : 0);
    for (const [urgent, assigned] of variants.filter((variant) => isOpen || !variant[1])) {
      const member = `SPECIMENMEMBER${made.length + 10}`;
      const serviceReview = reviewOf(member, { ...review, ...(urgent ? { serviceLevelCode: "U" } : {}) });
      const note = "From the clinic's order of this morning. The last visit's notes are in the chart.";
      const taskId = await sendAsAgent(hands, { data: { ...intake, serviceReview }, note });
      if (assigned) await done(assignTask(hands.reviewer, { taskId, from: undefined, to: assigneeId }));
      for (const step of steps) await step({ hands, taskId, member });
      made.push({ member, kind, isOpen, share, urgent, assigned, taskId });
    }
  }
  return made;
}

const variants = [
  [false, false],
  [false, true],
  [true, false],
  [true, true],
] as const;

const intake = { skill: "prior_auth_intake", practiceId: specimenPractice } as const;

function reviewOf(memberId: string, more: object) {
  return {
    ...fullReview,
    payer: { id: marks.wire },
    subscriber: { memberId, lastName: marks.family, firstName: marks.given },
    patient: { ...fullReview.patient, lastName: marks.family, firstName: marks.given },
    procedures: [{ code: marks.code, quantity: 1, quantityTypeCode: "UN" }],
    providerNotes: [
      { message: "Low back pain radiating to the left leg since autumn; weakness on dorsiflexion, reflexes reduced." },
    ],
    ...more,
  };
}

async function setRecall(store: Store, recallWindowS: number): Promise<void> {
  const operator = { actor: { kind: "operator" }, store } as const;
  const settings = { recallWindowS, gateExpiryDays: 14, environment: "test", timeZone: "America/New_York" } as const;
  await done(changePracticeSettings(operator, { practiceId: specimenPractice, ...settings }));
}
