import type { InformationRequest } from "./information-request.ts";
import type { AppealTerms, Recourse } from "./recourse.ts";

/** The two gated actions; neither is submitted without a release. */
export type Action = "transmit" | "void";

/** Lower-case hex SHA-256. */
export type Digest = string;

/**
 * A held action on exactly one revision and one frozen document. `update`: the payer already has the task. `manual`: a
 * person submits it, and the worker never claims it.
 */
export type Gate = {
  readonly id: string;
  readonly action: Action;
  readonly update: boolean;
  readonly manual: boolean;
  readonly revision: number;
  readonly digest: Digest;
  readonly openedAt: Date;
  readonly expiresAt: Date;
};

/**
 * What a verb brings in case a command opens a gate: its id, and the digest and times of what was frozen. A void has the
 * revision that it is about; a submission is always about the current one.
 */
export type NewGate = Pick<Gate, "id" | "manual" | "digest" | "openedAt" | "expiresAt"> &
  Partial<Pick<Gate, "revision">>;

export const outcomes = ["approved", "modified", "partially-approved", "denied", "not-required"] as const;
export type Outcome = (typeof outcomes)[number];

/** What the lifecycle needs of a determination; its lines and codes are stored under `id`. */
export type DeterminationFact = {
  readonly id: string;
  readonly outcome: Outcome;
  /** The time that the payer gave; absent if it gave none. */
  readonly decidedAt?: Date | undefined;
  /** When it was received, by our clock. */
  readonly receivedAt?: Date | undefined;
  /** The revision that it answers; absent if that is not known. */
  readonly revision?: number | undefined;
};

/** A determination as it comes: with until when and how it can be contested, if it says so. */
export type NewDeterminationFact = DeterminationFact & { readonly appeal?: AppealTerms | undefined };

/** A revision that the payer received after an earlier one and has not decided on. */
export type UndecidedChange = { readonly revision: number };

/** What the payer is known to have and to have said. Only submissions and answers of the payer set it. */
export type PayerFacts = {
  /** Whether the payer has the request. */
  readonly payerReceipt: "no" | "maybe" | "yes";
  readonly reference?: string | undefined;
  /** The payer's open information request. */
  readonly informationRequest?: InformationRequest | undefined;
  /** The revision that was waiting or on its way when it came, and so does not answer it. */
  readonly requestedBeside?: number | undefined;
  /** The determination in force, also while the payer decides on a later revision. */
  readonly determination?: DeterminationFact | undefined;
  readonly undecided?: UndecidedChange | undefined;
  /** What is known and was done about contesting the determination in force. */
  readonly recourse?: Recourse | undefined;
  /** The payer accepted our void and has not confirmed yet that it is done. */
  readonly voidPending?: boolean | undefined;
  readonly voided?: "by-us" | "by-payer" | undefined;
};

/** What is under way here, independent of what the payer has. */
export type Stage =
  | { readonly kind: "idle" }
  | { readonly kind: "held"; readonly gate: Gate }
  | {
      readonly kind: "released";
      readonly gate: Gate;
      readonly releasedAt: Date;
      readonly claimableAt: Date;
      /** How often it has been claimed. */
      readonly attempt: number;
    }
  | {
      readonly kind: "submitting";
      readonly gate: Gate;
      readonly releasedAt: Date;
      readonly attempt: number;
      /** Absent for a manual submission, which has no lease. */
      readonly leaseUntil?: Date | undefined;
      /** Committed before the first byte is sent, so that a lapsed lease shows whether anything may have been sent. */
      readonly started: boolean;
      /** An earlier attempt may have arrived, so this attempt proves nothing if it was not sent. */
      readonly again?: boolean | undefined;
    }
  | { readonly kind: "unconfirmed"; readonly gate: Gate; readonly releasedAt: Date; readonly attempt: number }
  | { readonly kind: "ended"; readonly end: "withdrawn" | "declined" | "failed" };

/** Why somebody other than the gate's reviewer must act. */
export const attentions = [
  "unconfirmed",
  "contact-payer",
  "manual-submission",
  "channel-revoked",
  "late-answer",
  "unordered-answer",
  "unreadable-answer",
  /** The payer may have a submission that a restored database does not know. */
  "lost-submission",
] as const;
export type Attention = (typeof attentions)[number];

/** The latest explanation of where the task stands. */
export type Remark = { readonly by: (typeof remarkers)[number]; readonly text: string };

export const remarkers = ["agent", "reviewer", "payer", "service"] as const;

/** What reviewers changed of the agent's last revision. The agent's next revision ends it. */
export type RevisionEdits = {
  /** Everybody who did. */
  readonly by: readonly string[];
  /** JSON pointers of the values that were changed. */
  readonly paths: readonly string[];
};

/** One prior-authorization case as the lifecycle sees it. */
export type Task = {
  readonly stage: Stage;
  readonly payer: PayerFacts;
  readonly revision: number;
  /** JSON pointers into the service review of what the payer connection still needs. */
  readonly missing: readonly string[];
  /** Raised by an event, and kept until a person has dealt with it; `attentionOf` adds what follows from the stage. */
  readonly attention?: Attention | undefined;
  readonly remark?: Remark | undefined;
  readonly edited?: RevisionEdits | undefined;
};

const states = [
  "needs-information",
  "transmit-held",
  "transmit-released",
  "transmitting",
  "transmit-unconfirmed",
  "transmitted",
  "payer-needs-information",
  "determined",
  "void-held",
  "void-released",
  "voiding",
  "void-unconfirmed",
  "voided",
  "withdrawn",
  "declined",
  "failed",
] as const;

/** The public state of a task, in the order of the lifecycle. */
export type State = (typeof states)[number];
export { states };

/** The public state. It is derived from the facts; lists read a copy, from which no task is restored. */
export function stateOf({ stage, payer }: Task): State {
  if (payer.voided) return "voided";
  switch (stage.kind) {
    case "ended":
      return stage.end;
    case "held":
      return stage.gate.action === "transmit" ? "transmit-held" : "void-held";
    case "released":
      return stage.gate.action === "transmit" ? "transmit-released" : "void-released";
    case "submitting":
      return stage.gate.action === "transmit" ? "transmitting" : "voiding";
    case "unconfirmed":
      return stage.gate.action === "transmit" ? "transmit-unconfirmed" : "void-unconfirmed";
    case "idle":
      if (payer.voidPending) return "voiding";
      if (isDecided(payer)) return "determined";
      if (payer.informationRequest !== undefined) return "payer-needs-information";
      return payer.payerReceipt === "no" ? "needs-information" : "transmitted";
  }
}

/** The payer has decided on everything that it received. */
export function isDecided({ determination, undecided }: PayerFacts): boolean {
  return determination !== undefined && undecided === undefined;
}

/** The payer did not approve everything as it was requested. */
export function isAdverse(outcome: Outcome): boolean {
  return outcome === "denied" || outcome === "partially-approved" || outcome === "modified";
}

/** The determination in force can be contested. */
export function isContestable({ determination, voided }: PayerFacts): boolean {
  return determination !== undefined && isAdverse(determination.outcome) && !voided;
}

/** A determination against the request that the practice has neither contested nor accepted. Undefined if there is none. */
export function openRecourse(task: Task): Recourse | undefined {
  const { recourse = {} } = task.payer;
  return stateOf(task) === "determined" && isContestable(task.payer) && !recourse.closed ? recourse : undefined;
}

/** The task's open gate, or the one whose action is under way. */
export function gateOf({ stage }: Task): Gate | undefined {
  return "gate" in stage ? stage.gate : undefined;
}

/** A void may be requested: nothing is being submitted or waiting to be. */
export function canVoid(task: Task): boolean {
  const { stage, payer } = task;
  if (payer.voided || payer.voidPending || payer.payerReceipt !== "yes") return false;
  return stage.kind === "idle" || (stage.kind === "held" && stage.gate.action === "transmit");
}

export function canWithdraw({ stage, payer, attention }: Task): boolean {
  // What a restored database does not know of may be with the payer all the same.
  if (payer.voided || payer.payerReceipt !== "no" || attention === "lost-submission") return false;
  return stage.kind === "idle" || stage.kind === "held" || stage.kind === "released";
}

/** The payer accepted our void or may have it, and is not known to have done it. */
export function hasOpenVoid({ stage, payer }: Task): boolean {
  if (payer.voided) return false;
  return payer.voidPending === true || (stage.kind === "unconfirmed" && stage.gate.action === "void");
}

/** The payer has or may have the request and owes an answer, so it should be asked. */
export function isAwaited({ stage, payer }: Task): boolean {
  if (payer.payerReceipt === "no" || payer.voided || stage.kind === "ended") return false;
  return !isDecided(payer) || payer.voidPending === true || stage.kind === "unconfirmed";
}

/** The payer has the case, and nothing is being submitted: what it says is recorded as it comes. */
export function isWithPayer({ stage, payer }: Task): boolean {
  if (payer.payerReceipt !== "yes" || payer.voided) return false;
  return stage.kind !== "submitting" && stage.kind !== "ended";
}

/** What a person must look at, whether an event raised it or it follows from the stage. */
export function attentionOf(task: Task): Attention | undefined {
  if (task.stage.kind === "unconfirmed" && !task.payer.voided) return "unconfirmed";
  if (task.attention) return task.attention;
  const isManual = "gate" in task.stage && task.stage.gate.manual;
  const waiting = task.stage.kind === "released" || task.stage.kind === "submitting";
  return isManual && waiting && !task.payer.voided ? "manual-submission" : undefined;
}
