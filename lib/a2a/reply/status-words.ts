import { gateOf, stateOf, type Remark, type State, type Task } from "#lib/task/model/task";

export type A2aState = "working" | "input-required" | "completed" | "canceled" | "failed" | "rejected";
export type Mover = "agent" | "reviewer" | "service" | "payer" | "none";

type Words = {
  readonly status: A2aState;
  readonly by: Mover;
  /** What is happening, in a sentence. */
  readonly says: string;
  /** What the one who moves next does, in a phrase. */
  readonly what: string;
};

/** What each state is called in A2A, who moves next and what they do; the agent guide shows this table. */
export const wordsByState: Readonly<Record<State, Words>> = {
  "needs-information": {
    status: "input-required",
    by: "agent",
    says: "The request needs more before it can go to the payer.",
    what: "Send prior_auth_intake again with this taskId and what is missing.",
  },
  "transmit-held": {
    status: "working",
    by: "reviewer",
    says: "A reviewer of the practice is asked to release the request to the payer.",
    what: "Release, decline or send back the request.",
  },
  "transmit-released": {
    status: "working",
    by: "service",
    says: "A reviewer released the request; it is about to be sent to the payer.",
    what: "Send the released request.",
  },
  transmitting: {
    status: "working",
    by: "service",
    says: "The request is being sent to the payer.",
    what: "Finish sending the request.",
  },
  "transmit-unconfirmed": {
    status: "working",
    by: "service",
    says: "The request was sent, but the payer's answer was not understood; the payer is asked before anything is sent again.",
    what: "Ask the payer whether it has the request; a person settles it where that stays unclear.",
  },
  transmitted: {
    status: "working",
    by: "payer",
    says: "The payer has the request and has not decided.",
    what: "Decide.",
  },
  "payer-needs-information": {
    status: "input-required",
    by: "agent",
    says: "The payer asks for more information before it decides.",
    what: "Send prior_auth_intake with this taskId and what the payer asks for.",
  },
  determined: { status: "completed", by: "none", says: "The payer decided.", what: "Nothing more happens by itself." },
  "void-held": {
    status: "working",
    by: "reviewer",
    says: "A reviewer of the practice is asked to release the void to the payer.",
    what: "Release or decline the void.",
  },
  "void-released": {
    status: "working",
    by: "service",
    says: "A reviewer released the void; it is about to be sent to the payer.",
    what: "Send the released void.",
  },
  voiding: {
    status: "working",
    by: "service",
    says: "The void is being sent to the payer.",
    what: "Finish sending the void.",
  },
  "void-unconfirmed": {
    status: "working",
    by: "service",
    says: "The void was sent, but the payer's answer was not understood; the payer is asked before anything is sent again.",
    what: "Ask the payer whether it voided the request; a person settles it where that stays unclear.",
  },
  voided: {
    status: "canceled",
    by: "none",
    says: "The request is void with the payer.",
    what: "Nothing; this is the end.",
  },
  withdrawn: {
    status: "canceled",
    by: "none",
    says: "The request was withdrawn. The payer does not have it.",
    what: "Nothing; this is the end.",
  },
  declined: {
    status: "rejected",
    by: "none",
    says: "A reviewer declined to send the request.",
    what: "Nothing; this is the end.",
  },
  failed: {
    status: "failed",
    by: "none",
    says: "The payer will not take this request.",
    what: "Nothing; this is the end.",
  },
};

/** The words for this very task: those of its state, but for what a person carries by hand or must look into. */
export function statusMessage(task: Task): Words {
  const words = wordsByState[stateOf(task)];
  if (task.payer.voidPending) return { ...words, by: "payer", says: "The payer has the void.", what: "Do the void." };
  if (task.motion.kind === "held" && task.motion.gate.update) return { ...words, says: heldUpdate };
  const byPerson = words.by === "service" && gateOf(task)?.byHand;
  if (byPerson) return { ...words, by: "reviewer", ...byHandWords(task) };
  if (words.by === "payer" && task.attention) {
    return { ...words, by: "reviewer", what: "Look into what the payer answered." };
  }
  return words;
}

const heldUpdate =
  "The payer has the earlier request. A reviewer of the practice is asked to release the update to the payer.";

function byHandWords({ motion }: Task): Partial<Words> {
  switch (motion.kind) {
    case "released":
      return {
        says: "A reviewer released it; this payer is reached by hand.",
        what: "Send it by hand and record how.",
      };
    case "sending":
      return { says: "A reviewer is sending it to the payer by hand.", what: "Record what became of it." };
    case "unconfirmed":
      return { what: "Find out from the payer whether it arrived." };
    case "idle":
    case "held":
    case "ended":
      return {};
  }
}

const speakers: Readonly<Record<Remark["by"], string>> = {
  agent: "The agent's reason",
  reviewer: "A reviewer says",
  payer: "The payer says",
  service: "The service says",
};

/** One short paragraph: where the task stands, what was last said about it and of which members, who moves next. */
export function statusText(task: Task, about: readonly string[] = []): string {
  const { says, by, what } = statusMessage(task);
  const { remark, missing } = task;
  const open = stateOf(task) === "needs-information" && missing.length > 0;
  return [
    says,
    ...(open ? [`Missing: ${missing.join(", ")}.`] : []),
    ...(remark ? [`${speakers[remark.by]}: ${remark.text}`] : []),
    ...(remark?.by === "reviewer" && about.length > 0 ? [`It is about ${about.join(", ")}.`] : []),
    ...(by === "none" ? [] : [`Next, the ${by}: ${what}`]),
  ].join(" ");
}
