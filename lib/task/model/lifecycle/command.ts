import type { Ballot } from "#lib/task/model/vote-rule";
import type { DeclineCode } from "#lib/task/model/decline-code";
import type { InformationRequest } from "#lib/task/model/information-request";
import type { AppealTerms, PeerToPeer } from "#lib/task/model/recourse";
import type { Attention, NewDeterminationFact, Digest, NewGate } from "#lib/task/model/task";
import type { Override } from "./event.ts";

/** The gate that a reviewer's page showed; an answer that names anything else is stale. */
export type ShownGate = { readonly gateId: string; readonly revision: number; readonly digest: Digest };

/**
 * Everything that an agent, a person, the worker or the payer can ask of a task. `decide` says whether it may happen.
 * Authority has been checked before.
 */
export type Command =
  /** `appeal`: the new revision contests the determination. */
  | { readonly type: "amend"; readonly appeal?: boolean | undefined }
  /** One reviewer releases. The action is released with the last release needed. */
  | {
      readonly type: "release";
      readonly seen: ShownGate;
      readonly claimableAt: Date;
      readonly ballot: Ballot;
      readonly override?: Override | undefined;
    }
  /** Released without a person, in a practice of test data. */
  | { readonly type: "release-automatically"; readonly seen: ShownGate; readonly claimableAt: Date }
  /** Takes a release back while others are still needed. `released`: whether this person has given one. */
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
  /** A reviewer corrects values of the request; `paths` are their JSON pointers. The new revision gets a new gate. */
  | { readonly type: "edit"; readonly seen: ShownGate; readonly by: string; readonly paths: readonly string[] }
  | { readonly type: "recall"; readonly gateId: string }
  | { readonly type: "expire" }
  /** The payer connection, or the right to submit, changed under an open gate or an unclaimed release. */
  | { readonly type: "hold-again"; readonly reason: string; readonly attention?: Attention | undefined }
  | { readonly type: "adopt"; readonly by: string }
  | { readonly type: "withdraw" }
  | { readonly type: "request-void"; readonly reason: string }
  | { readonly type: "claim"; readonly by: "worker" | "person"; readonly leaseUntil?: Date | undefined }
  /**
   * The worker claims a submission of unknown outcome to submit it once more, to a payer that recognizes a repeated
   * request.
   */
  | { readonly type: "claim-again"; readonly leaseUntil: Date }
  | { readonly type: "start"; readonly attempt: number }
  | { readonly type: "lapse" }
  | {
      readonly type: "record-acceptance";
      readonly attempt: number;
      readonly reference?: string | undefined;
      /** For a void: the payer accepted it, and will confirm later that it is done. */
      readonly pending?: boolean | undefined;
      /** The payer accepted it and requests information before it decides. */
      readonly informationRequest?: InformationRequest | undefined;
    }
  | {
      readonly type: "record-rejection";
      readonly attempt: number;
      readonly correction: "correctable" | "final" | "try-again";
      readonly reason: string;
      readonly retryAt: Date;
    }
  /** It is certain that nothing was sent. */
  | { readonly type: "record-not-sent"; readonly attempt: number; readonly reason: string; readonly retryAt: Date }
  /** The person who was to submit it could not. */
  | { readonly type: "give-up-manual-submission"; readonly attempt: number; readonly reason: string }
  | { readonly type: "record-unknown-outcome"; readonly attempt: number; readonly reason: string }
  /** The ledger outside the database says that this was submitted: the database is from an earlier time. */
  | { readonly type: "record-found-submission"; readonly at: Date }
  /** The ledger says so of an action that this task does not know. */
  | { readonly type: "record-lost-submission"; readonly reason: string }
  /** The outcome is known now: by an inquiry that matched, or by a person who asked the payer. */
  | { readonly type: "resolve-unconfirmed"; readonly payerHas: boolean; readonly reference?: string | undefined }
  | {
      readonly type: "record-determination";
      readonly determination: NewDeterminationFact;
      readonly reference?: string | undefined;
      /** The determination in force that a person says it replaces, whatever their dates. */
      readonly replaces?: string | undefined;
    }
  | { readonly type: "record-information-request"; readonly informationRequest: InformationRequest }
  | { readonly type: "record-payer-void" }
  /** The payer rejects what it had accepted: the first request, or an update since. */
  | {
      readonly type: "record-payer-rejection";
      readonly gateId: string;
      readonly correction: "correctable" | "final";
      readonly reason: string;
      readonly update: boolean;
      /** The revision of the update that the payer received before a rejected one. */
      readonly earlierUpdate?: number | undefined;
    }
  /** The payer answers about a request that it had rejected. */
  | { readonly type: "record-late-answer" }
  /** The payer will not do a void that it had accepted or may have. `gateId` is that of the void. */
  | { readonly type: "record-void-refusal"; readonly gateId: string; readonly reason: string }
  | { readonly type: "record-contact-request"; readonly text: string }
  | { readonly type: "record-unreadable-answer"; readonly reason: string }
  /** Until when and how the determination in force can be contested. */
  | { readonly type: "record-appeal-terms"; readonly terms: AppealTerms }
  | { readonly type: "record-peer-to-peer"; readonly peerToPeer: PeerToPeer }
  /** The practice takes no further action on a determination against it. */
  | { readonly type: "accept-determination" }
  | { readonly type: "attend" };

export type CommandType = Command["type"];

/** What `decide` uses besides the task: the time, and what was prepared in case the command opens a gate. */
export type DecisionContext = {
  readonly at: Date;
  /** What was frozen for the gate that the command may open. */
  readonly gate?: NewGate | undefined;
  /**
   * JSON pointers of what the payer connection still needs of the current revision. If there are any, there is no gate.
   */
  readonly missing?: readonly string[] | undefined;
};
