import type { InformationRequest } from "./information-request.ts";

/** The two actions with consequences; each leaves only through a gate. */
export type Action = "transmit" | "void";

/** Lower-case hex SHA-256. */
export type Digest = string;

/**
 * A held action on exactly one revision and one frozen wire document.
 * `update` marks a transmission to a payer that already has the task; `manual`
 * one that a person submits, so that the worker never claims it.
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

/** What the caller brings when a command may open a gate: its identity and what was frozen for it. */
export type NewGate = Pick<Gate, "id" | "manual" | "digest" | "openedAt" | "expiresAt">;

export type Outcome = "approved" | "modified" | "partially-approved" | "denied" | "not-required";

/** The part of a determination the lifecycle needs; its lines and codes are kept beside it under `id`. */
export type DeterminationFact = {
  readonly id: string;
  readonly outcome: Outcome;
  /** The payer's own instant; absent when it gave none. */
  readonly decidedAt?: Date | undefined;
  /** When it was heard, by our clock. */
  readonly receivedAt?: Date | undefined;
  /** The revision of the request that it answers; absent where that is not known. */
  readonly revision?: number | undefined;
};

/** What the payer received after its determination and has not decided on: that determination is no answer to it. */
export type Undecided = { readonly revision: number };

/** What the payer is known to have and to have said. Set only by submissions and payer events. */
export type PayerFacts = {
  /** Whether the payer has the request. */
  readonly payerReceipt: "no" | "maybe" | "yes";
  readonly reference?: string | undefined;
  /** The payer's open request for more. */
  readonly informationRequest?: InformationRequest | undefined;
  /** The one in force, also while the payer decides on something newer. */
  readonly determination?: DeterminationFact | undefined;
  readonly undecided?: Undecided | undefined;
  /** The payer took our void and has not said yet that it is done. */
  readonly voidPending?: boolean | undefined;
  readonly voided?: "by-us" | "by-payer" | undefined;
};

/** What is under way, independent of what the payer has. */
export type Stage =
  | { readonly kind: "idle" }
  | { readonly kind: "held"; readonly gate: Gate }
  | {
      readonly kind: "released";
      readonly gate: Gate;
      readonly releasedAt: Date;
      readonly claimableAt: Date;
      /** How often it was claimed so far. */
      readonly attempt: number;
    }
  | {
      readonly kind: "submitting";
      readonly gate: Gate;
      readonly releasedAt: Date;
      readonly attempt: number;
      /** Absent for a manual submission: a person holds no lease. */
      readonly leaseUntil?: Date | undefined;
      /** Committed before the first byte leaves, so that a lapsed lease is known to be sent or not. */
      readonly started: boolean;
      /** An earlier attempt of this release may have arrived, so this one proves nothing by not leaving. */
      readonly again?: boolean | undefined;
    }
  | { readonly kind: "unconfirmed"; readonly gate: Gate; readonly releasedAt: Date; readonly attempt: number }
  | { readonly kind: "ended"; readonly end: "withdrawn" | "declined" | "failed" };

/** Why a person other than the gate's reviewer must act. */
export type Attention =
  | "unconfirmed"
  | "contact-payer"
  | "manual-submission"
  | "channel-revoked"
  | "late-answer"
  | "unordered-answer"
  | "unreadable-answer"
  /** The payer may have a submission that a restored database does not know. */
  | "lost-submission";

/** The last thing somebody said that explains where the task stands. */
export type Remark = { readonly by: "agent" | "reviewer" | "payer" | "service"; readonly text: string };

/** One prior-authorization case as the lifecycle sees it. */
export type Task = {
  readonly stage: Stage;
  readonly payer: PayerFacts;
  readonly revision: number;
  /** JSON pointers into the service review of what the route still needs. */
  readonly missing: readonly string[];
  /** Raised by an event and kept until a person attends to it; `attentionOf` adds what follows from the stage. */
  readonly attention?: Attention | undefined;
  readonly remark?: Remark | undefined;
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

/** The public state, derived anew each time from what is known; nothing is ever restored. */
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

/** The gate the task stands at, if any. */
export function gateOf({ stage }: Task): Gate | undefined {
  return "gate" in stage ? stage.gate : undefined;
}

/** Nothing that leaves is under way or waiting to leave, so a void may be asked for. */
export function canVoid(task: Task): boolean {
  const { stage, payer } = task;
  if (payer.voided || payer.voidPending || payer.payerReceipt !== "yes") return false;
  return stage.kind === "idle" || (stage.kind === "held" && stage.gate.action === "transmit");
}

export function canWithdraw({ stage, payer }: Task): boolean {
  if (payer.voided || payer.payerReceipt !== "no") return false;
  return stage.kind === "idle" || stage.kind === "held" || stage.kind === "released";
}

/** The payer took our void or may have it, and has not done it as far as is known. */
export function hasOpenVoid({ stage, payer }: Task): boolean {
  if (payer.voided) return false;
  return payer.voidPending === true || (stage.kind === "unconfirmed" && stage.gate.action === "void");
}

/** The payer has or may have it and owes an answer: to the request, or to what is in doubt. It is worth asking. */
export function isAwaited({ stage, payer }: Task): boolean {
  if (payer.payerReceipt === "no" || payer.voided || stage.kind === "ended") return false;
  return !isDecided(payer) || payer.voidPending === true || stage.kind === "unconfirmed";
}

/** The payer has the case, and nothing of it is on its way: what it says is recorded as it comes. */
export function isWithPayer({ stage, payer }: Task): boolean {
  if (payer.payerReceipt !== "yes" || payer.voided) return false;
  return stage.kind !== "submitting" && stage.kind !== "ended";
}

/** What a person must look at, whether it was raised or follows from the stage itself. */
export function attentionOf(task: Task): Attention | undefined {
  if (task.stage.kind === "unconfirmed" && !task.payer.voided) return "unconfirmed";
  if (task.attention) return task.attention;
  const isManual = "gate" in task.stage && task.stage.gate.manual;
  const waiting = task.stage.kind === "released" || task.stage.kind === "submitting";
  return isManual && waiting && !task.payer.voided ? "manual-submission" : undefined;
}
