import type { Ballot } from "#lib/task/model/ballot";
import type { DeclineCode } from "#lib/task/model/decline-code";
import type { InformationRequest } from "#lib/task/model/information-request";
import type { Attention, DeterminationFact, Digest, NewGate } from "#lib/task/model/task";
import type { Override } from "./event.ts";

/** What a reviewer's page showed; an answer that names anything else is stale. */
export type ShownGate = { readonly gateId: string; readonly revision: number; readonly digest: Digest };

/**
 * Everything that may be asked of a task, by an agent, a person, the worker or the payer. Whether it may happen is for
 * `decide` to say. Authority was settled before.
 */
export type Command =
  | { readonly type: "amend" }
  /** One reviewer releases; the action is released with the last of those needed. */
  | {
      readonly type: "release";
      readonly seen: ShownGate;
      readonly claimableAt: Date;
      readonly ballot: Ballot;
      readonly override?: Override | undefined;
    }
  /** A release taken back while others are still needed; `released` where this person gave one. */
  | { readonly type: "withdraw-vote"; readonly seen: ShownGate; readonly by: string; readonly released: boolean }
  | {
      readonly type: "decline";
      readonly seen: ShownGate;
      readonly by: string;
      readonly reason: string;
      readonly reasonCode?: DeclineCode | undefined;
    }
  | {
      readonly type: "request-information";
      readonly seen: ShownGate;
      readonly by: string;
      readonly question: string;
      /** JSON pointers into the service review. */
      readonly fields?: readonly string[] | undefined;
    }
  | { readonly type: "recall"; readonly gateId: string }
  | { readonly type: "expire" }
  /** The route or the right to submit changed under an open or unclaimed gate. */
  | { readonly type: "hold-again"; readonly reason: string; readonly attention?: Attention | undefined }
  | { readonly type: "adopt"; readonly by: string }
  | { readonly type: "withdraw" }
  | { readonly type: "request-void"; readonly reason: string }
  | { readonly type: "claim"; readonly by: "worker" | "person"; readonly leaseUntil?: Date | undefined }
  /** The worker takes what is in doubt to submit it once more, to a payer that takes the same again for the same. */
  | { readonly type: "claim-again"; readonly leaseUntil: Date }
  | { readonly type: "start"; readonly attempt: number }
  | { readonly type: "lapse" }
  | {
      readonly type: "record-acceptance";
      readonly attempt: number;
      readonly reference?: string | undefined;
      /** Of a void: the payer took it, and will say later whether it is done. */
      readonly pending?: boolean | undefined;
      /** The payer took it and asks for more before it decides. */
      readonly informationRequest?: InformationRequest | undefined;
    }
  | {
      readonly type: "record-rejection";
      readonly attempt: number;
      readonly correction: "correctable" | "final" | "try-again";
      readonly reason: string;
      readonly retryAt: Date;
    }
  /** It is certain that nothing left. */
  | { readonly type: "record-not-sent"; readonly attempt: number; readonly reason: string; readonly retryAt: Date }
  /** The person who was to submit it could not. */
  | { readonly type: "give-up-manual-submission"; readonly attempt: number; readonly reason: string }
  | { readonly type: "record-unknown-outcome"; readonly attempt: number; readonly reason: string }
  /** A ledger outside the database says that what waits here was submitted: the database is from before. */
  | { readonly type: "record-found-submission"; readonly at: Date }
  /** It says so of an action this task does not know. */
  | { readonly type: "record-lost-submission"; readonly reason: string }
  /** Doubt resolved: by an inquiry that matched, or by a person who asked the payer. */
  | { readonly type: "resolve-unconfirmed"; readonly payerHas: boolean; readonly reference?: string | undefined }
  | {
      readonly type: "record-determination";
      readonly determination: DeterminationFact;
      readonly reference?: string | undefined;
    }
  | { readonly type: "record-information-request"; readonly informationRequest: InformationRequest }
  | { readonly type: "record-payer-void" }
  /** The payer will not have what it had taken: the first request, or the update it got since. */
  | {
      readonly type: "record-payer-rejection";
      readonly gateId: string;
      readonly correction: "correctable" | "final";
      readonly reason: string;
      readonly update: boolean;
    }
  /** The payer speaks as if it had a request that it had refused. */
  | { readonly type: "record-late-answer" }
  /** The payer will not do the void it had taken, or was sent and may have; `gateId` is that of the void. */
  | { readonly type: "record-void-refusal"; readonly gateId: string; readonly reason: string }
  | { readonly type: "record-contact-request"; readonly text: string }
  | { readonly type: "record-unreadable-answer"; readonly reason: string }
  | { readonly type: "attend" };

export type CommandType = Command["type"];

/** What `decide` goes by beside the task: the clock, and what was prepared in case the command opens a gate. */
export type DecisionContext = {
  readonly at: Date;
  /** What was frozen for the gate that the command may open. */
  readonly gate?: NewGate | undefined;
  /** JSON pointers of what the route still needs of the revision at hand; with any, there is no gate. */
  readonly missing?: readonly string[] | undefined;
};
