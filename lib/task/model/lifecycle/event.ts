import type { DeclineCode } from "#lib/task/model/decline-code";
import type { InformationRequest } from "#lib/task/model/information-request";
import type { AppealTerms, PeerToPeer } from "#lib/task/model/recourse";
import type { SubmissionResult } from "#lib/task/model/submission-result";
import type { Attention, Gate, NewDeterminationFact, PayerFacts, UndecidedChange } from "#lib/task/model/task";

/** The warnings that a release overrides, and the reason. */
export type Override = { readonly warnings: readonly string[]; readonly reason: string };

/** An answer of the payer that came too late or out of order is recorded and does not change the task. */
type Countable = { readonly counts: boolean };

/** Any answer about the case shows whether the payer has it. */
type Receipt = Pick<PayerFacts, "payerReceipt">;

/**
 * Everything that has happened to a task, as past facts with all that `evolve` needs. An event that the audit log names
 * is an act (`acts`); the others follow from an act in the same change.
 */
export type Event =
  | { readonly type: "task.opened"; readonly missing: readonly string[]; readonly gate?: Gate | undefined }
  | { readonly type: "task.amended"; readonly revision: number; readonly missing: readonly string[] }
  /** A reviewer corrected the request. `paths`: JSON pointers of what was changed. */
  | {
      readonly type: "task.edited";
      readonly revision: number;
      readonly by: string;
      readonly paths: readonly string[];
    }
  /** `gateId`: the gate that closed with it. */
  | { readonly type: "task.withdrawn"; readonly gateId?: string | undefined }
  | { readonly type: "task.adopted"; readonly by: string }
  | { readonly type: "task.attended" }
  | { readonly type: "void.requested"; readonly reason: string }
  | { readonly type: "attention.raised"; readonly attention: Attention }
  | { readonly type: "attention.cleared" }
  // The gate
  | { readonly type: "gate.opened"; readonly gate: Gate }
  | {
      readonly type: "gate.voted";
      readonly gateId: string;
      readonly by: string;
      readonly override?: Override | undefined;
    }
  | { readonly type: "gate.vote-withdrawn"; readonly gateId: string; readonly by: string }
  | {
      readonly type: "gate.released";
      readonly gateId: string;
      readonly by: string;
      readonly override?: Override | undefined;
      readonly releasedAt: Date;
      readonly claimableAt: Date;
    }
  /** Released without a person, in a practice of test data. */
  | {
      readonly type: "gate.auto-released";
      readonly gateId: string;
      readonly releasedAt: Date;
      readonly claimableAt: Date;
    }
  | {
      readonly type: "gate.declined";
      readonly gateId: string;
      readonly by: string;
      readonly reason: string;
      readonly reasonCode?: DeclineCode | undefined;
      /** The payer has nothing, so the case is over. */
      readonly ends: boolean;
    }
  | {
      readonly type: "gate.sent-back";
      readonly gateId: string;
      readonly by: string;
      readonly question: string;
      readonly fields: readonly string[];
    }
  /** `missing`: what the payer connection now needs in addition, so that no gate opens; `reason` says why. */
  | {
      readonly type: "gate.recalled";
      readonly gateId: string;
      readonly missing?: readonly string[] | undefined;
      readonly reason?: string | undefined;
    }
  | { readonly type: "gate.expired"; readonly gateId: string; readonly reason: string }
  | {
      readonly type: "gate.re-held";
      readonly gateId: string;
      readonly missing: readonly string[];
      readonly reason: string;
      readonly attention?: Attention | undefined;
    }
  /** What was shown is no longer what would be submitted, so the votes don't count any more. */
  | { readonly type: "gate.superseded"; readonly gateId: string }
  // The submission of a release
  | {
      readonly type: "transmission.claimed";
      readonly gateId: string;
      readonly attempt: number;
      readonly leaseUntil?: Date | undefined;
      /** A manual submission starts with its claim. */
      readonly started: boolean;
      /** An earlier attempt may have arrived. */
      readonly again?: boolean | undefined;
    }
  | { readonly type: "transmission.started"; readonly gateId: string; readonly attempt: number; readonly at: Date }
  | { readonly type: "transmission.lapsed"; readonly gateId: string; readonly attempt: number }
  | {
      readonly type: "transmission.not-sent";
      readonly gateId: string;
      readonly attempt: number;
      readonly reason: string;
      /** `person` if it was a manual submission. */
      readonly by: "worker" | "person";
    }
  | { readonly type: "transmission.accepted"; readonly gateId: string; readonly attempt: number }
  | {
      readonly type: "transmission.rejected";
      readonly gateId: string;
      readonly attempt: number;
      readonly reason: string;
    }
  | {
      readonly type: "transmission.outcome-unknown";
      readonly gateId: string;
      readonly attempt: number;
      readonly reason: string;
    }
  /** `released`: the gate was open, so its release is missing from this database. */
  | { readonly type: "transmission.found"; readonly gateId: string; readonly at: Date; readonly released: boolean }
  | { readonly type: "transmission.lost"; readonly reason: string }
  | { readonly type: "transmission.resolved"; readonly gateId: string; readonly payerHas: boolean }
  // Its outcome
  | {
      readonly type: "transmission.requeued";
      readonly gateId: string;
      readonly claimableAt: Date;
      readonly reason: string;
    }
  | ({
      readonly type: "transmission.unconfirmed";
      readonly gateId: string;
      readonly releasedAt: Date;
      readonly attempt: number;
      readonly reason: string;
      /** This attempt was, or may have been, sent. */
      readonly left: boolean;
    } & Receipt)
  /** The payer has the request. */
  | {
      readonly type: "transmission.received";
      readonly gateId: string;
      readonly left: boolean;
      readonly reference?: string | undefined;
      readonly informationRequest?: InformationRequest | undefined;
      /** The determination in force does not answer this. */
      readonly undecided?: UndecidedChange | undefined;
    }
  /** The payer accepted the void: it is done, or will be. */
  | {
      readonly type: "transmission.void-accepted";
      readonly gateId: string;
      readonly left: boolean;
      readonly done: boolean;
    }
  | ({
      readonly type: "transmission.refused";
      readonly gateId: string;
      readonly left: boolean;
      readonly reason: string;
      /** It rejected an update of what it has not decided, and so wants another. */
      readonly informationRequest?: InformationRequest | undefined;
      /** It can't be corrected, so the case is over. */
      readonly ends: boolean;
    } & Receipt)
  | ({ readonly type: "transmission.not-received"; readonly gateId: string } & Receipt)
  /** The submission is over; `result` is set if its outcome is known. */
  | {
      readonly type: "transmission.ended";
      readonly gateId: string;
      readonly left: boolean;
      readonly result?: SubmissionResult | undefined;
    }
  // The payer
  | ({
      readonly type: "payer.decided";
      readonly determination: NewDeterminationFact;
      readonly reference?: string | undefined;
    } & Countable &
      Partial<Receipt>)
  /** `beside`: the revision of an update that was waiting or on its way, and so does not answer it. */
  | ({
      readonly type: "payer.requested-information";
      readonly informationRequest: InformationRequest;
      readonly beside?: number | undefined;
    } & Countable &
      Partial<Receipt>)
  | ({ readonly type: "payer.voided"; readonly voided?: PayerFacts["voided"] } & Countable)
  | ({
      readonly type: "payer.rejected";
      readonly gateId: string;
      readonly reason: string;
      /**
       * What the payer still has after the rejection; absent if it rejected the first request. It has a new information
       * request, unless its determination stands, and may owe a decision on an earlier update.
       */
      readonly keeps?:
        | (Receipt & Pick<PayerFacts, "undecided"> & { readonly informationRequest?: InformationRequest | undefined })
        | undefined;
      /** It can't be corrected, so the case is over. */
      readonly ends: boolean;
    } & Countable)
  | { readonly type: "payer.answered-late" }
  | { readonly type: "payer.void-refused"; readonly gateId: string; readonly reason: string }
  | ({ readonly type: "payer.requested-contact"; readonly text: string } & Countable & Partial<Receipt>)
  | ({ readonly type: "payer.unreadable"; readonly reason: string } & Countable)
  // After a determination against the request
  | { readonly type: "payer.appeal-terms"; readonly terms: AppealTerms }
  | { readonly type: "payer.peer-to-peer"; readonly peerToPeer: PeerToPeer }
  | { readonly type: "determination.accepted" };

export type EventType = Event["type"];

/** The events that the audit log names. What follows from one of them in the same change has no entry of its own. */
export const acts = [
  "task.opened",
  "task.amended",
  "task.edited",
  "task.withdrawn",
  "task.adopted",
  "task.attended",
  "void.requested",
  "gate.voted",
  "gate.vote-withdrawn",
  "gate.released",
  "gate.auto-released",
  "gate.declined",
  "gate.sent-back",
  "gate.recalled",
  "gate.expired",
  "gate.re-held",
  "transmission.claimed",
  "transmission.started",
  "transmission.lapsed",
  "transmission.not-sent",
  "transmission.accepted",
  "transmission.rejected",
  "transmission.outcome-unknown",
  "transmission.found",
  "transmission.lost",
  "transmission.resolved",
  "payer.decided",
  "payer.requested-information",
  "payer.voided",
  "payer.rejected",
  "payer.answered-late",
  "payer.void-refused",
  "payer.requested-contact",
  "payer.unreadable",
  "payer.appeal-terms",
  "payer.peer-to-peer",
  "determination.accepted",
] as const satisfies readonly EventType[];

export type Act = (typeof acts)[number];

export type EventOf<Type extends EventType> = Extract<Event, { readonly type: Type }>;

/** A value for events of some types. */
export type Projection<Value> = { readonly [Type in EventType]?: (event: EventOf<Type>) => Value };

/** The value for this event. Undefined if its type has none. */
export function project<Value>(projection: Projection<Value>, event: Event): Value | undefined {
  // Safe because a projection maps each event type to the function for exactly that event.
  const from = projection[event.type] as ((event: Event) => Value) | undefined;
  return from?.(event);
}

/** The members of events that are instants, because JSON has no type for them. */
const instants = ["at", "releasedAt", "claimableAt", "leaseUntil", "openedAt", "expiresAt", "decidedAt", "receivedAt"];

/** An event as it is stored: its facts as JSON, beside its type. */
export function factsText({ type: _, ...facts }: Event): string {
  return JSON.stringify(facts);
}

/** The event from its stored form. */
export function eventOf(type: string, facts: string): Event {
  const revive = (name: string, value: unknown) =>
    instants.includes(name) && typeof value === "string" ? new Date(value) : value;
  // Safe because only `factsText` writes facts, from this type, and they are kept under authentication.
  return { type, ...(JSON.parse(facts, revive) as object) } as Event;
}
