import type { DeclineCode } from "#lib/task/model/decline-code";
import type { InformationRequest } from "#lib/task/model/information-request";
import type { SubmissionResult } from "#lib/task/model/submission-result";
import type { Attention, DeterminationFact, Gate, PayerFacts, Undecided } from "#lib/task/model/task";

/** What a release goes over, and why. */
export type Override = { readonly warnings: readonly string[]; readonly reason: string };

/** A word of the payer that came too late or out of order is on record, and moves nothing by itself. */
type Counted = { readonly counts: boolean };

/** Whatever the payer says about the case shows whether it has it. */
type Receipt = Pick<PayerFacts, "payerReceipt">;

/**
 * Everything that has happened to a task, as a past fact with all that `evolve` needs to know of it. What the audit log
 * names is an act (`acts`); the others are what followed from an act in the same moment.
 */
export type Event =
  | { readonly type: "task.opened"; readonly missing: readonly string[]; readonly gate?: Gate | undefined }
  | { readonly type: "task.amended"; readonly revision: number; readonly missing: readonly string[] }
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
  /** `missing`: what the route now needs more, so that no gate follows; with `reason` why. */
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
  /** What was shown is no longer what would leave, so its votes are void. */
  | { readonly type: "gate.superseded"; readonly gateId: string }
  // The submission of what was released
  | {
      readonly type: "transmission.claimed";
      readonly gateId: string;
      readonly attempt: number;
      readonly leaseUntil?: Date | undefined;
      /** A person's submission has started with its claim. */
      readonly started: boolean;
      /** It may have arrived by an earlier attempt. */
      readonly again?: boolean | undefined;
    }
  | { readonly type: "transmission.started"; readonly gateId: string; readonly attempt: number; readonly at: Date }
  | { readonly type: "transmission.lapsed"; readonly gateId: string; readonly attempt: number }
  | {
      readonly type: "transmission.not-sent";
      readonly gateId: string;
      readonly attempt: number;
      readonly reason: string;
      /** By a person, where it was a manual submission. */
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
  /** `released`: the gate was open, and its release is not in this database. */
  | { readonly type: "transmission.found"; readonly gateId: string; readonly at: Date; readonly released: boolean }
  | { readonly type: "transmission.lost"; readonly reason: string }
  | { readonly type: "transmission.resolved"; readonly gateId: string; readonly payerHas: boolean }
  // And what became of it
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
      /** It left, or may have, by this attempt. */
      readonly left: boolean;
    } & Receipt)
  /** The payer has the request. */
  | {
      readonly type: "transmission.received";
      readonly gateId: string;
      readonly left: boolean;
      readonly reference?: string | undefined;
      readonly informationRequest?: InformationRequest | undefined;
      /** A determination is in force, and is no answer to this. */
      readonly undecided?: Undecided | undefined;
    }
  /** The payer took the void: it is done, or to be done. */
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
      /** It can't be corrected, so the case is over. */
      readonly ends: boolean;
    } & Receipt)
  | ({ readonly type: "transmission.not-received"; readonly gateId: string } & Receipt)
  /** It is under way no more; `result` where something is known of what left. */
  | {
      readonly type: "transmission.ended";
      readonly gateId: string;
      readonly left: boolean;
      readonly result?: SubmissionResult | undefined;
    }
  // The payer
  | ({
      readonly type: "payer.decided";
      readonly determination: DeterminationFact;
      readonly reference?: string | undefined;
    } & Counted &
      Partial<Receipt>)
  | ({ readonly type: "payer.requested-information"; readonly informationRequest: InformationRequest } & Counted &
      Partial<Receipt>)
  | ({ readonly type: "payer.voided"; readonly voided?: PayerFacts["voided"] } & Counted)
  | ({
      readonly type: "payer.rejected";
      readonly gateId: string;
      readonly reason: string;
      /**
       * What the payer has of the case since; nothing where it refused the first request. It wants something else, unless
       * its determination stands.
       */
      readonly keeps?: (Receipt & { readonly informationRequest?: InformationRequest | undefined }) | undefined;
      /** It can't be corrected, so the case is over. */
      readonly ends: boolean;
    } & Counted)
  | { readonly type: "payer.answered-late" }
  | { readonly type: "payer.void-refused"; readonly gateId: string; readonly reason: string }
  | ({ readonly type: "payer.requested-contact"; readonly text: string } & Counted & Partial<Receipt>)
  | ({ readonly type: "payer.unreadable"; readonly reason: string } & Counted);

export type EventType = Event["type"];

/** The events that the audit log names. What follows from one of them in the same moment has no entry of its own. */
export const acts = [
  "task.opened",
  "task.amended",
  "task.withdrawn",
  "task.adopted",
  "task.attended",
  "void.requested",
  "gate.voted",
  "gate.vote-withdrawn",
  "gate.released",
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
] as const satisfies readonly EventType[];

export type Act = (typeof acts)[number];

export type EventOf<Type extends EventType> = Extract<Event, { readonly type: Type }>;

/** What follows from events of some types. */
export type Projection<Value> = { readonly [Type in EventType]?: (event: EventOf<Type>) => Value };

/** What follows from this event; undefined where nothing does. */
export function project<Value>(projection: Projection<Value>, event: Event): Value | undefined {
  // Safe because a projection maps each event type to the function for exactly that event.
  const from = projection[event.type] as ((event: Event) => Value) | undefined;
  return from?.(event);
}
