import type { Attachment } from "#lib/task/model/attachment";
import type { CheckType } from "#lib/gate/model/check";
import type { DeclineCode } from "#lib/task/model/decline-code";
import type { CodeSystem } from "#lib/task/model/formats";
import type { Determination, LineTerms } from "#lib/task/model/determination";
import type { InformationRequest } from "#lib/task/model/information-request";
import type { ServiceReview } from "#lib/task/model/service-review";
import type { Action, Attention, Digest, Outcome, PayerFacts, Remark, State, Task } from "#lib/task/model/task";
import type { ProofKind } from "#lib/person/store/second-factors";
import type { LastDecision } from "#lib/task/store/case";
import type { GateProgress } from "#lib/gate/store/gate-progress";
import type { PayerAnswer } from "#lib/submission/store/payer-answers";
import type { ManualRecord } from "#lib/submission/store/manual-records";
import type { Submission } from "#lib/submission/store/submissions";
import type { CaseCheck } from "#lib/gate/case-check";
import type { Advice } from "./advice.ts";
import type { CaseClock } from "./case-clock.ts";
import type { Duplicate, NamedCase } from "#lib/gate/find-duplicates";
import type { DeskMark } from "#lib/queue/desk-marks";
import type { Change } from "./refusal.ts";

/** One line of the reviewers' queue. Nothing here is protected health information but `patient`. */
export type QueueRow = {
  readonly taskId: string;
  readonly shortId: string;
  readonly practice: { readonly id: string; readonly name: string; readonly timeZone: string | undefined };
  /** Who released so far, or until when a release may be recalled; absent where neither can be. */
  readonly progress?: GateProgress | undefined;
  readonly payer: { readonly id: string; readonly name?: string | undefined };
  readonly connector: string;
  readonly environment: "live" | "test";
  readonly state: State;
  readonly attention?: Attention | undefined;
  /** The action it is held for, or that is under way. */
  readonly action?: Action | undefined;
  readonly update: boolean;
  readonly revision: number;
  readonly procedureCodes: readonly string[];
  readonly patient?: string | undefined;
  readonly urgent: boolean;
  /** When the gate opened, or when the task last changed where there is none. */
  readonly since: Date;
  readonly expiresAt?: Date | undefined;
  /** Our own target, where somebody here must act. */
  readonly dueAt?: Date | undefined;
  /** The payer's time to decide, where the payer has the case. */
  readonly clock?: CaseClock | undefined;
  readonly outcome?: Outcome | undefined;
  readonly sentBackBy?: Remark["by"] | undefined;
  readonly assignee?: { readonly id: string; readonly name: string } | undefined;
  /** Of the open gate: over each of them a release says why. */
  readonly warnings: readonly CheckType[];
  /** Who is at work on it; read only where it is shown. */
  readonly mark?: DeskMark | undefined;
};

export type WireCall = {
  readonly method: string;
  readonly url: string;
  readonly contentType: string;
  /** Exact, but that the files in it stand as their digests; `files` is how many. */
  readonly text: string;
  readonly files: number;
  readonly bytes: number;
  readonly documentDigest: Digest;
};

export type GateView = {
  readonly id: string;
  readonly action: Action;
  readonly update: boolean;
  readonly manual: boolean;
  readonly status: string;
  readonly revision: number;
  readonly digest: Digest;
  readonly openedAt: Date;
  readonly expiresAt: Date;
  readonly decidedAt?: Date | undefined;
  readonly decidedBy?: string | undefined;
  readonly reason?: string | undefined;
  readonly calls: readonly WireCall[];
};

export type HistoryEntry = {
  readonly at: Date;
  /** In words: the person's name, the channel's name, or what part of the service acted. */
  readonly actor: string;
  readonly act: string;
  readonly detail: Readonly<Record<string, unknown>>;
  /** The receipt of a person's decision. */
  readonly receiptId?: string | undefined;
  /** Whom the case was assigned to; undefined for nobody, and in every other entry. */
  readonly assignee?: string | undefined;
  /** Why somebody released over warnings. */
  readonly why?: string | undefined;
};

export type DeterminationView = Determination & {
  readonly id: string;
  readonly receivedAt: Date;
  /** The id of the one that was in force before. */
  readonly supersedes?: string | undefined;
  /** The revision of the request that it answers, where that is known. */
  readonly revision?: number | undefined;
  /** Where it was decided; the task may have moved since. */
  readonly environment: "live" | "test";
};

/** `aside`: it came after the end, or could not be put in order, and never was in force. */
export type CaseDetermination = DeterminationView & { readonly standing: "in-force" | "superseded" | "aside" };

/** A sending with the name under which the payer knows it. */
export type SubmissionView = Omit<Submission, "refusals"> & { readonly traceNumber: string };

/** What this reviewer may do now; the verbs decide again when it is done. */
export type Possible =
  | "release"
  | "take-back"
  | "decline"
  | "send-back"
  | "recall"
  | "adopt"
  | "begin-sending"
  | "report-sent"
  | "report-refused"
  | "report-not-sent"
  | "settle"
  | "record-determination"
  | "record-wants"
  | "record-voided"
  | "record-void-refused"
  | "attend";

/** The releases given at an open gate, and how many it takes. */
export type Voting = {
  readonly needed: number;
  /** How many reviewers of the practice could release this. */
  readonly releasers: number;
  /** The earliest first; one that does not count was given by somebody who may no longer release. */
  readonly given: readonly {
    readonly name: string;
    readonly at: Date;
    readonly counts: boolean;
    readonly mine: boolean;
  }[];
  /** The administrator who let in several of those whose releases count, the reader's among them, and how many. */
  readonly oneHand?: { readonly name: string; readonly people: number } | undefined;
  /** The reader answers for a channel that asked for this, and so never releases it. */
  readonly ownsChannel: boolean;
  /** Nobody answers for a channel that asked for this, so that nobody releases it. */
  readonly ownerless: boolean;
  /** A release asks the reader to prove again who they are. */
  readonly asksProof: ProofKind | undefined;
};

/** Everything the case page shows, and what a decision made on it must name. */
export type CaseView = {
  readonly taskId: string;
  readonly shortId: string;
  readonly state: State;
  readonly attention?: Attention | undefined;
  readonly remark?: Remark | undefined;
  readonly missing: readonly string[];
  readonly environment: "live" | "test";
  readonly practice: { readonly id: string; readonly name: string; readonly timeZone: string };
  readonly payer: { readonly id: string; readonly name?: string | undefined; readonly configured: boolean };
  readonly connector: string;
  readonly channel: { readonly id: string; readonly name: string };
  /** What brought the revision at hand: the key's public id where the record has it, and the message's id where it had one. */
  readonly sender: {
    readonly channel: string;
    readonly keyId?: string | undefined;
    readonly messageId?: string | undefined;
  };
  /** Our own target for whoever must act here. */
  readonly dueAt?: Date | undefined;
  /** Whether the payer has a request of this case. */
  readonly payerReceipt: PayerFacts["payerReceipt"];
  readonly reference?: string | undefined;
  readonly informationRequest?: InformationRequest | undefined;
  /** What the payer has of a change and has not decided on; what it decided before stands until then. */
  readonly undecided?: PayerFacts["undecided"];
  /** The payer took the void and has not said that it is done. */
  readonly voidPending: boolean;
  readonly voided?: "by-us" | "by-payer" | undefined;
  readonly createdAt: Date;
  readonly changedAt: Date;
  readonly revision: { readonly number: number; readonly digest: Digest; readonly receivedAt: Date };
  readonly review: ServiceReview;
  /** The files of the revision, in their order; `isNew` where the revision a person last decided on did not have it. */
  readonly attachments: readonly (Attachment & { readonly isNew: boolean })[];
  readonly codeSystems: Readonly<Record<string, CodeSystem | undefined>>;
  /** JSON pointers of members we do not know: kept, shown, never sent. */
  readonly unknownMembers: readonly string[];
  /** What the agent wrote, as plain text, oldest first. */
  readonly notes: readonly string[];
  /** There are older ones than these. */
  readonly moreNotes: boolean;
  /** Since the revision a person last decided on; absent when none was. */
  readonly changes?:
    | {
        readonly sinceRevision: number;
        readonly list: readonly Change[];
        /** What that person asked the agent, where they sent it back, and what it has written since. */
        readonly question?: LastDecision["question"];
        readonly answer: readonly string[];
        /** It wrote more than this. */
        readonly moreAnswer: boolean;
      }
    | undefined;
  /** The lines the payer answers, of the revision it has. */
  readonly requested: { readonly revision: number; readonly lines: readonly LineTerms[] };
  /** The gate the task stands at, or the last one. */
  readonly gate?: GateView | undefined;
  readonly voting?: Voting | undefined;
  /** What speaks against a release now; empty where nothing waits for one. */
  readonly checks: readonly CaseCheck[];
  /** The other cases those checks are about, the gravest first; those beyond a dozen by name. */
  readonly duplicates: readonly Duplicate[];
  readonly moreDuplicates: readonly NamedCase[];
  /** While released: when the worker may claim it, so until when a recall is certain to be in time. */
  readonly claimableAt?: Date | undefined;
  readonly attempt?: number | undefined;
  /** The one in force last. */
  readonly determinations: readonly CaseDetermination[];
  /** The last that left of each action. */
  readonly submissions: readonly SubmissionView[];
  /** What the payer sent about it, as it was received, the latest first. */
  readonly answers: readonly PayerAnswer[];
  /** The payer's time to decide, where the payer has the case. */
  readonly clock?: CaseClock | undefined;
  /** What people carried to the payer, asked of it or heard from it, oldest first. */
  readonly manualRecords: readonly ManualRecord[];
  readonly history: readonly HistoryEntry[];
  readonly can: readonly Possible[];
};

/** A task of which its channel knows all but the time already. */
export type UnchangedTask = Pick<TaskRecord, "id" | "contextId" | "practiceId" | "task" | "changedAt" | "version"> & {
  readonly isUnchanged: true;
};

/** A task as an agent may see it; the edge gives it its wire form. */
export type TaskRecord = {
  readonly id: string;
  readonly contextId: string;
  readonly practiceId: string;
  readonly environment: "live" | "test";
  readonly task: Task;
  readonly changedAt: Date;
  /** Grows with every change. */
  readonly version: number;
  /** On the revision in force, where the reply is to a message or something is missing. */
  readonly advice?: Advice | undefined;
  readonly revisionDigest: Digest;
  /** The files of the revision, in their order. */
  readonly attachments: readonly Attachment[];
  /** The gate the task stands at, or the last one. */
  readonly gate?:
    | {
        readonly id: string;
        readonly action: Action;
        readonly status: string;
        readonly digest: Digest;
        readonly documentDigests: readonly Digest[];
        readonly openedAt: Date;
        readonly expiresAt: Date;
        readonly decidedAt?: Date | undefined;
        readonly reason?: string | undefined;
        readonly reasonCode?: DeclineCode | undefined;
        /** JSON pointers of what a question is about. */
        readonly fields?: readonly string[] | undefined;
      }
    | undefined;
  readonly determination?: DeterminationView | undefined;
  /** The ones that were in force before it, the latest first. */
  readonly superseded: readonly DeterminationView[];
  readonly submissions: readonly SubmissionView[];
  readonly clock?: CaseClock | undefined;
  readonly voidedAt?: Date | undefined;
  /**
   * Oldest first; only when history was asked for. Each is the RFC 8785 form of the message as accepted, its files'
   * bytes standing as references.
   */
  readonly messages?: readonly Uint8Array[] | undefined;
  /** How many older ones that were asked for the reply has no room for. */
  readonly messagesLeftOut?: number | undefined;
  /** The bytes of files those references stand for. */
  readonly files?: ReadonlyMap<Digest, Uint8Array> | undefined;
  /** How many of the references, the newest message's first, are told with their bytes. */
  readonly filePartsIncluded?: number | undefined;
};
