import type { Remark, State } from "#lib/task/model/task";

/** Who moves next. */
export type NextActor = "agent" | "reviewer" | "service" | "payer" | "none";

type StatusText = {
  /** What is happening, in a sentence. */
  readonly says: string;
  /** What the one who moves next does, in a phrase. */
  readonly what: string;
};

/** What agents read of each state of a task. */
export const stateTexts: Readonly<Record<State, StatusText>> = {
  "needs-information": {
    says: "The request needs more information before it can go to the payer.",
    what: "Send prior_auth_intake again with this taskId and what is missing.",
  },
  "transmit-held": {
    says: "A reviewer of the practice is asked to release the request to the payer.",
    what: "Release the request, decline it, or request information.",
  },
  "transmit-released": {
    says: "A reviewer released the request; it is about to be sent to the payer.",
    what: "Send the released request.",
  },
  transmitting: { says: "The request is being sent to the payer.", what: "Finish sending the request." },
  "transmit-unconfirmed": {
    says: "The request was sent, but the payer's answer was not understood; the payer is asked before anything is sent again.",
    what: "Ask the payer whether it has the request; a person decides if that stays unclear.",
  },
  transmitted: { says: "The payer has the request and has not decided yet.", what: "Decide." },
  "payer-needs-information": {
    says: "The payer asks for more information before it decides.",
    what: "Send prior_auth_intake with this taskId and what the payer asks for.",
  },
  determined: { says: "The payer decided.", what: "Nothing happens unless you send something." },
  "void-held": {
    says: "A reviewer of the practice is asked to release the void to the payer.",
    what: "Release or decline the void.",
  },
  "void-released": {
    says: "A reviewer released the void; it is about to be sent to the payer.",
    what: "Send the released void.",
  },
  voiding: { says: "The void is being sent to the payer.", what: "Finish sending the void." },
  "void-unconfirmed": {
    says: "The void was sent, but the payer's answer was not understood; the payer is asked before anything is sent again.",
    what: "Ask the payer whether it voided the request; a person decides if that stays unclear.",
  },
  voided: { says: "The request is void with the payer.", what: "Nothing; this is the end." },
  withdrawn: { says: "The request was withdrawn. The payer does not have it.", what: "Nothing; this is the end." },
  declined: { says: "A reviewer declined to send the request.", what: "Nothing; this is the end." },
  failed: { says: "The payer rejected this request.", what: "Nothing; this is the end." },
};

/** Instead of the state's own texts, where nobody decided on the request in time and it lacks nothing. */
export const expiredText: StatusText = {
  says: "No reviewer decided on the request in time. The payer does not have it.",
  what: "Send prior_auth_intake again with this taskId to ask again; the same request is enough.",
};

export const voidPendingText: StatusText = {
  says: "The payer has the void and has not carried it out yet.",
  what: "Void the request.",
};

/** Instead of the state's own texts, where the payer has a change of what it decided. */
export const undecidedTexts: Readonly<Partial<Record<State, StatusText>>> = {
  transmitted: {
    says: "The payer has a change of the request and has not decided on it. Its determination of the earlier revision stands until then.",
    what: "Decide on the change.",
  },
  "payer-needs-information": {
    says: "The payer asks for more information before it decides on the change. Its determination of the earlier revision stands until then.",
    what: stateTexts["payer-needs-information"].what,
  },
};

/** Instead of the state's own sentence, for an update that waits for release. */
export const heldUpdateSays =
  "The payer has the earlier request. A reviewer of the practice is asked to release the update to the payer.";

/** Instead of the state's own texts, where a reviewer asks about a change of what the payer has. */
export const askedOfChangeText: StatusText = {
  says: "The payer has the earlier request. A reviewer asks about the update, which was not sent.",
  what: "Answer the reviewer: send prior_auth_intake again with this taskId.",
};

/** What a reviewer does when the payer's answer needs a person. */
export const checkAnswerWhat = "Check the payer's answer.";

/** Instead of the state's own texts, after a determination that can be contested. */
export const contestableText: StatusText = {
  says: "The payer decided, and not as requested.",
  what: "To contest it, send prior_auth_intake with this taskId, serviceReview.appeal and new documents; a reviewer of the practice may also accept it.",
};

/** And while the practice arranges or awaits a peer-to-peer review. */
export const peerToPeerText: StatusText = {
  says: "The payer decided, and not as requested. A peer-to-peer review with the payer is under way.",
  what: "Hold the peer-to-peer review and record its outcome.",
};

/** And once it was held, and the payer did not stay with what it decided. */
export const decidesAgainText: StatusText = {
  says: "The payer decided, and not as requested. A peer-to-peer review was held, after which the payer may decide again.",
  what: "Record the payer's new decision.",
};

/** Instead of the state's own texts, for a manual submission. */
export const manualTexts = {
  released: {
    says: "A reviewer released it for manual submission to the payer.",
    what: "Submit it by portal, fax or phone, and record how.",
  },
  submitting: { says: "A reviewer is submitting it to the payer manually.", what: "Record whether it was submitted." },
  unconfirmed: { what: "Find out from the payer whether it arrived." },
} as const satisfies Record<string, Partial<StatusText>>;

const speakers: Readonly<Record<Remark["by"], string>> = {
  agent: "The agent's reason",
  reviewer: "A reviewer says",
  payer: "The payer says",
  service: "The service says",
};

type StatusParagraph = StatusText & {
  readonly taskId: string;
  readonly by: NextActor;
  readonly until?: string | undefined;
  /** JSON pointers of the members that are missing. */
  readonly missing: readonly string[];
  readonly remark?: Remark | undefined;
  /** JSON pointers of the members that the reviewer's remark is about. */
  readonly about: readonly string[];
  /** JSON pointers of the members that a reviewer corrected. */
  readonly edited: readonly string[];
};

/**
 * One short paragraph: the status, the last remark and the members it is about, and who moves next. An agent that moves
 * next is told the task's id, because some clients hand on no more than this text.
 */
export function statusText({ taskId, says, what, by, until, missing, remark, about, edited }: StatusParagraph): string {
  return [
    says,
    ...(edited.length > 0 ? [`A reviewer corrected ${edited.join(", ")} of your last revision.`] : []),
    ...(missing.length > 0 ? [`Missing: ${missing.join(", ")}.`] : []),
    ...(remark ? [`${speakers[remark.by]}: ${remark.text}`] : []),
    ...(remark?.by === "reviewer" && about.length > 0 ? [`It is about ${about.join(", ")}.`] : []),
    ...(by === "none" ? [] : [`Next, the ${by}: ${what}`]),
    ...(until === undefined ? [] : [`The payer's last day for that is ${until}.`]),
    ...(by === "agent" ? [`The taskId is ${taskId}.`] : []),
  ].join(" ");
}
