import type { Ballot } from "./ballot.ts";
import type { InformationRequest } from "./information-request.ts";
import type { Attention, DeterminationFact, Digest, NewGate } from "./task.ts";

/** What a reviewer's page showed; an answer that names anything else is stale. */
export type ShownGate = { readonly gateId: string; readonly revision: number; readonly digest: Digest };

/**
 * Everything that may happen to a task. Authority was settled before an event
 * is made, and the clock and every identity come in with it. `gate` is what the
 * caller froze in case the event opens one.
 */
export type Event =
  | { readonly type: "amended"; readonly missing: readonly string[]; readonly gate?: NewGate | undefined }
  /** One reviewer releases; the action is released with the last of those needed. */
  | {
      readonly type: "released";
      readonly seen: ShownGate;
      readonly at: Date;
      readonly claimableAt: Date;
      readonly ballot: Ballot;
    }
  /** A release taken back while others are still needed. */
  | { readonly type: "taken-back"; readonly seen: ShownGate; readonly at: Date; readonly released: boolean }
  | { readonly type: "declined"; readonly seen: ShownGate; readonly at: Date; readonly reason: string }
  | { readonly type: "sent-back"; readonly seen: ShownGate; readonly at: Date; readonly question: string }
  | { readonly type: "recalled"; readonly gateId: string; readonly gate: NewGate }
  | { readonly type: "expired"; readonly at: Date }
  /** The route or the right to send changed under an open or unclaimed gate. */
  | {
      readonly type: "re-held";
      readonly gate?: NewGate | undefined;
      readonly missing: readonly string[];
      readonly reason: string;
      readonly attention?: Attention | undefined;
    }
  | { readonly type: "adopted" }
  | { readonly type: "withdrawn" }
  | { readonly type: "void-asked"; readonly reason: string; readonly gate: NewGate }
  | {
      readonly type: "claimed";
      readonly by: "worker" | "person";
      readonly at: Date;
      readonly leaseUntil?: Date | undefined;
    }
  /** The worker takes what is in doubt to send it once more, to a payer that takes the same again for the same. */
  | { readonly type: "claimed-again"; readonly at: Date; readonly leaseUntil: Date }
  | { readonly type: "started"; readonly attempt: number; readonly at: Date }
  | { readonly type: "lapsed"; readonly at: Date; readonly retryAt: Date }
  | { readonly type: "not-sent"; readonly attempt: number; readonly reason: string; readonly retryAt: Date }
  | { readonly type: "could-not-send"; readonly attempt: number; readonly reason: string; readonly gate: NewGate }
  | {
      readonly type: "accepted";
      readonly attempt: number;
      readonly reference?: string | undefined;
      /** Of a void: the payer took it, and will say later whether it is done. */
      readonly pending?: boolean | undefined;
    }
  | {
      readonly type: "rejected";
      readonly attempt: number;
      readonly correction: "correctable" | "final" | "try-again";
      readonly reason: string;
      readonly retryAt: Date;
    }
  /** A ledger outside the database says that what waits here was submitted: the database is from before. */
  | { readonly type: "found-submitted"; readonly at: Date }
  /** It says so of an action this task does not know. */
  | { readonly type: "submission-lost"; readonly reason: string }
  | { readonly type: "doubted"; readonly attempt: number; readonly reason: string }
  /** Doubt resolved: by an inquiry that matched, or by a person who asked the payer. */
  | {
      readonly type: "settled";
      readonly payerHas: boolean;
      readonly reference?: string | undefined;
      readonly gate?: NewGate | undefined;
    }
  | {
      readonly type: "payer-decided";
      readonly determination: DeterminationFact;
      readonly reference?: string | undefined;
      readonly gate?: NewGate | undefined;
    }
  | { readonly type: "payer-wants"; readonly wants: InformationRequest }
  | { readonly type: "payer-voided" }
  /**
   * The payer will not have what it had taken: the first request, or the update it got since. `gate` replaces an open
   * void gate whose votes saw another case.
   */
  | {
      readonly type: "payer-rejected";
      readonly correction: "correctable" | "final";
      readonly reason: string;
      readonly update: boolean;
      readonly gate?: NewGate | undefined;
    }
  /** The payer speaks as if it had a request that it had refused. */
  | { readonly type: "answered-late" }
  /** The payer will not do the void it had taken, or was sent and may have. */
  | { readonly type: "void-refused"; readonly reason: string }
  | { readonly type: "payer-asks-contact"; readonly text: string }
  | { readonly type: "unreadable"; readonly reason: string }
  | { readonly type: "attended" };

export type EventType = Event["type"];
