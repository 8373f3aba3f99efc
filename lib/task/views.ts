import type { Attachment } from "#lib/task/model/attachment";
import type { CheckType, CaseCheck } from "#lib/gate/model/check";
import type { DeclineCode } from "#lib/task/model/decline-code";
import type { CodeSystem } from "#lib/task/model/formats";
import type { Determination, LineTerms } from "#lib/task/model/determination";
import type { InformationRequest } from "#lib/task/model/information-request";
import type { ChosenRule } from "#lib/practice/model/route-rule";
import type { Recourse } from "#lib/task/model/recourse";
import type { ServiceReview } from "#lib/task/model/service-review";
import type { Action, Attention, Digest, Outcome, PayerFacts, Remark, State, Task } from "#lib/task/model/task";
import type { ProofKind } from "#lib/person/model/proof-kind";
import type { LastDecision } from "#lib/task/store/case";
import type { GateProgress } from "#lib/gate/shared/gate-progress";
import type { PayerAnswer } from "#lib/submission/store/payer-answers";
import type { ManualRecord } from "#lib/submission/store/manual-records";
import type { Submission } from "#lib/submission/store/submissions";
import type { ListedMemberCase } from "#lib/task/store/other-cases";
import type { ArchiveFailure } from "#lib/platform/outbound/archive-away";
import type { Advice } from "./advice.ts";
import type { CaseClock } from "./case-clock.ts";
import type { Duplicate, NamedCase } from "#lib/gate/find-duplicates";
import type { DeskMark } from "#lib/queue/desk-marks";
import type { Change } from "./refusal.ts";

/** One line of the reviewers' queue. Only `patient` and `failure` can be protected health information. */
export type QueueRow = {
  readonly taskId: string;
  readonly shortId: string;
  readonly practice: { readonly id: string; readonly name: string; readonly timeZone: string | undefined };
  /** Who has released so far, or until when a release can be undone. Absent if neither applies. */
  readonly progress?: GateProgress | undefined;
  readonly payer: { readonly id: string; readonly name?: string | undefined };
  readonly connector: string;
  readonly environment: "live" | "test";
  readonly state: State;
  readonly attention?: Attention | undefined;
  /** The action that is held or under way. */
  readonly action?: Action | undefined;
  readonly update: boolean;
  /** Its gate was released without a person, in a practice of test data. */
  readonly autoReleased?: true | undefined;
  readonly revision: number;
  readonly procedureCodes: readonly string[];
  readonly patient?: string | undefined;
  readonly urgent: boolean;
  /** When the gate opened; without a gate, when the task last changed. */
  readonly since: Date;
  readonly expiresAt?: Date | undefined;
  /** The practice's target, if somebody here must act. */
  readonly dueAt?: Date | undefined;
  /** By when to act on a determination against the request. */
  readonly actBy?: Date | undefined;
  /** Snoozed until then at the latest. */
  readonly wakesAt?: Date | undefined;
  /** The payer's deadline, if the payer has the case. */
  readonly clock?: CaseClock | undefined;
  readonly outcome?: Outcome | undefined;
  /** Why it failed, mostly in the payer's words. */
  readonly failure?: string | undefined;
  readonly sentBackBy?: Remark["by"] | undefined;
  readonly assignee?: { readonly id: string; readonly name: string } | undefined;
  /** Of the open gate; each needs an override reason unless the practice only notes it. */
  readonly warnings: readonly CheckType[];
  /** Who is working on it; read only if it is shown. */
  readonly mark?: DeskMark | undefined;
};

export type WireCall = {
  readonly method: string;
  readonly url: string;
  readonly contentType: string;
  /** Exact, except that long files in it are shown as their lengths and digests: `shortened` of its `files`. */
  readonly text: string;
  readonly files: number;
  readonly shortened: number;
  readonly bytes: number;
  readonly documentDigest: Digest;
};

export type GateView = {
  readonly id: string;
  readonly action: Action;
  /** Of a void: why the agent requested it. */
  readonly purpose?: string | undefined;
  readonly update: boolean;
  readonly manual: boolean;
  readonly status: string;
  readonly revision: number;
  readonly digest: Digest;
  readonly openedAt: Date;
  readonly expiresAt: Date;
  readonly decidedAt?: Date | undefined;
  readonly decidedBy?: string | undefined;
  /** Without a person. Only of test data, and only to a sandbox payer. */
  readonly autoReleased: boolean;
  readonly reason?: string | undefined;
  /** Of each of its calls, in order; at hand also where the calls themselves are not. */
  readonly documentDigests: readonly Digest[];
  readonly calls: readonly WireCall[];
};

export type HistoryEntry = {
  readonly at: Date;
  /** The name of the person, the channel or the part of the service that acted. */
  readonly actor: string;
  readonly act: string;
  readonly detail: Readonly<Record<string, unknown>>;
  /** The receipt of a person's decision. */
  readonly receiptId?: string | undefined;
  /** The new assignee of an assignment. Undefined if it is nobody, and in every other entry. */
  readonly assignee?: string | undefined;
  /** The override reason of a release. */
  readonly why?: string | undefined;
};

export type DeterminationView = Determination & {
  readonly id: string;
  readonly receivedAt: Date;
  /** The id of the determination that was in force before. */
  readonly supersedes?: string | undefined;
  /** The revision that it answers, if known. */
  readonly revision?: number | undefined;
  /** The environment it was decided in; the task's connection may have changed since. */
  readonly environment: "live" | "test";
};

/** `never-in-force`: it came after the end or out of order. */
export type CaseDetermination = DeterminationView & { readonly standing: "in-force" | "superseded" | "never-in-force" };

/** A submission with the trace number under which the payer knows it. */
export type SubmissionView = Omit<Submission, "refusals"> & { readonly traceNumber: string };

/** What this reviewer may do now. The verbs decide again. */
export type Possible =
  | "release"
  | "withdraw-vote"
  | "decline"
  | "request-information"
  | "edit"
  | "recall"
  | "adopt"
  | "start-manual-submission"
  | "report-sent"
  | "report-refused"
  | "report-not-sent"
  | "resolve-unconfirmed"
  | "record-determination"
  | "record-information-request"
  | "record-voided"
  | "record-void-refused"
  | "record-appeal-terms"
  | "record-peer-to-peer"
  | "accept-determination"
  | "attend";

/** The releases given at an open gate, and how many it needs. */
export type Voting = {
  readonly needed: number;
  /** How many reviewers of the practice could release this. */
  readonly releasers: number;
  /** The earliest first. One that does not count is by somebody who may no longer release. */
  readonly given: readonly {
    readonly name: string;
    readonly at: Date;
    readonly counts: boolean;
    readonly mine: boolean;
  }[];
  /**
   * The administrator who invited several of the people whose releases count, perhaps including the reader, and how
   * many.
   */
  readonly oneHand?: { readonly name: string; readonly people: number } | undefined;
  /** The reader owns a channel that requested this, and so can't release it. */
  readonly ownsChannel: boolean;
  /** The reader edited the request and it takes several people, so theirs is not one of the releases it needs. */
  readonly editedIt: boolean;
  /** A channel that requested this has no owner, so nobody can release it. */
  readonly ownerless: boolean;
  /** What the reader must verify again to release. */
  readonly asksProof: ProofKind | undefined;
};

/** Everything that the case page shows, and what a decision made on it must name. */
export type CaseView = {
  readonly taskId: string;
  readonly shortId: string;
  readonly state: State;
  readonly attention?: Attention | undefined;
  readonly remark?: Remark | undefined;
  readonly missing: readonly string[];
  readonly environment: "live" | "test";
  readonly practice: { readonly id: string; readonly name: string; readonly timeZone: string };
  /** How long a release can be undone, in seconds. */
  readonly recallWindowS: number;
  readonly payer: { readonly id: string; readonly name?: string | undefined; readonly configured: boolean };
  readonly connector: string;
  /** Over which payer connection the request goes, and why. */
  readonly connection: {
    readonly payerId: string;
    readonly payerName?: string | undefined;
    /** The rule of the payer that chose it, as it was then; undefined for the payer's own connection. */
    readonly rule?: ChosenRule | undefined;
    /** How many rules the payer has now. */
    readonly rules: number;
    /** It stays there because the payer has the request, or may have it. */
    readonly isKept: boolean;
  };
  /** Whose rules bind the payer, as the practice says; undefined where it has not. */
  readonly lineOfBusiness?: string | undefined;
  readonly channel: { readonly id: string; readonly name: string };
  /**
   * Where the current revision came from: the key's public id if the audit log has it, and the message's id if it had
   * one.
   */
  readonly sender: {
    readonly channel: string;
    readonly keyId?: string | undefined;
    readonly messageId?: string | undefined;
  };
  /** The practice's target for whoever must act here. */
  readonly dueAt?: Date | undefined;
  /** Whether the payer has a request of this case. */
  readonly payerReceipt: PayerFacts["payerReceipt"];
  readonly reference?: string | undefined;
  readonly informationRequest?: InformationRequest | undefined;
  /** What is known and was done about contesting the determination. Absent if it cannot be contested. */
  readonly recourse?: (Recourse & { readonly isOpen: boolean }) | undefined;
  /** A change that the payer has and has not decided on. Its earlier determination stands until then. */
  readonly undecided?: PayerFacts["undecided"];
  /** The payer accepted the void and has not confirmed that it is done. */
  readonly voidPending: boolean;
  readonly voided?: "by-us" | "by-payer" | undefined;
  readonly createdAt: Date;
  readonly changedAt: Date;
  readonly revision: { readonly number: number; readonly digest: Digest; readonly receivedAt: Date };
  /** Who corrected the revision that the agent sent, when they last did, and JSON pointers of all that was changed. */
  readonly edited?:
    | { readonly by: readonly string[]; readonly at: Date; readonly paths: readonly string[] }
    | undefined;
  readonly review: ServiceReview;
  /** The case whose authorization this one renews or extends, and the cases that renew or extend this one. */
  readonly earlier?: (NamedCase & { readonly authorizationNumber?: string | undefined }) | undefined;
  readonly later: readonly NamedCase[];
  /** The files of the revision, in order. `isNew` if the revision that a person last decided on did not have it. */
  readonly attachments: readonly (Attachment & { readonly isNew: boolean })[];
  readonly codeSystems: Readonly<Record<string, CodeSystem | undefined>>;
  /** JSON pointers of unknown members: stored and shown, never submitted. */
  readonly unknownMembers: readonly string[];
  /** What the agent wrote, as plain text, oldest first. */
  readonly notes: readonly string[];
  /** There are older notes. */
  readonly moreNotes: boolean;
  /** Since the revision that a person last decided on. Absent if there is none. */
  readonly changes?:
    | {
        readonly sinceRevision: number;
        readonly list: readonly Change[];
        /** The question of that decision, if it requested information, and what the agent has written since. */
        readonly question?: LastDecision["question"];
        readonly answer: readonly string[];
        /** The agent wrote more than this. */
        readonly moreAnswer: boolean;
      }
    | undefined;
  /** The lines that the payer answers, from the revision it has. */
  readonly requested: { readonly revision: number; readonly lines: readonly LineTerms[] };
  /** The open gate, or the last one. */
  readonly gate?: GateView | undefined;
  readonly voting?: Voting | undefined;
  /** The checks that apply to a release now. Empty if nothing waits for one. */
  readonly checks: readonly CaseCheck[];
  /** The other cases that these checks name, the most serious first; beyond a dozen by name only. */
  readonly duplicates: readonly Duplicate[];
  readonly moreDuplicates: readonly NamedCase[];
  /** All other cases of the member in this practice, the latest changed first; `more` if there are more than these. */
  readonly memberCases: {
    readonly list: readonly (ListedMemberCase & NamedCase)[];
    readonly more: boolean;
  };
  /** While released: when the worker may claim it, and so until when an undo is certain to be in time. */
  readonly claimableAt?: Date | undefined;
  readonly attempt?: number | undefined;
  /** The one in force last. */
  readonly determinations: readonly CaseDetermination[];
  /** The last submission of each action. */
  readonly submissions: readonly SubmissionView[];
  /** What the payer sent about the case, as received, the latest first. */
  readonly answers: readonly PayerAnswer[];
  /** The payer's deadline, if the payer has the case. */
  readonly clock?: CaseClock | undefined;
  /** What people submitted, asked or recorded manually, oldest first. */
  readonly manualRecords: readonly ManualRecord[];
  readonly history: readonly HistoryEntry[];
  readonly can: readonly Possible[];
  /** Parts that the archive did not give, or not all of: the agent's notes, the gate's bytes, what people recorded. */
  readonly unread: Readonly<Record<"notes" | "calls" | "records", ArchiveFailure | undefined>>;
};

/** A task of which its channel already knows everything but the time. */
export type UnchangedTask = Pick<TaskRecord, "id" | "contextId" | "practiceId" | "task" | "changedAt" | "version"> & {
  readonly isUnchanged: true;
};

/** A task as an agent may see it, before it has its wire form. */
export type TaskRecord = {
  readonly id: string;
  readonly contextId: string;
  /** The task whose authorization it renews or extends. */
  readonly earlierTaskId?: string | undefined;
  readonly practiceId: string;
  readonly environment: "live" | "test";
  readonly task: Task;
  readonly changedAt: Date;
  /** Grows with every change. */
  readonly version: number;
  /** For the current revision, if this answers a message or something is missing. */
  readonly advice?: Advice | undefined;
  readonly revisionDigest: Digest;
  /** The files of the revision, in order. */
  readonly attachments: readonly Attachment[];
  /** The open gate, or the last one. */
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
        /** Without a person. Only of test data, and only to a sandbox payer. */
        readonly autoReleased?: boolean | undefined;
        readonly reason?: string | undefined;
        readonly reasonCode?: DeclineCode | undefined;
        /** JSON pointers of what a question is about. */
        readonly fields?: readonly string[] | undefined;
      }
    | undefined;
  readonly determination?: DeterminationView | undefined;
  /** Earlier determinations, the latest first. */
  readonly superseded: readonly DeterminationView[];
  readonly submissions: readonly SubmissionView[];
  readonly clock?: CaseClock | undefined;
  /** The practice's settings that the clock was made with, if there is one. */
  readonly clockSettings?: { readonly timeZone: string | null; readonly lineOfBusiness: string | null } | undefined;
  readonly voidedAt?: Date | undefined;
  /**
   * Oldest first; only if history was requested. Each is the RFC 8785 form of the accepted message, with references in
   * place of the files' bytes.
   */
  readonly messages?: readonly Uint8Array[] | undefined;
  /** How many more requested messages the reply has no room for. */
  readonly messagesLeftOut?: number | undefined;
  /** How many of the messages, and of the files that would be included, the archive lost. */
  readonly historyLost?: number | undefined;
  /** The bytes of the files that the references stand for. */
  readonly files?: ReadonlyMap<Digest, Uint8Array> | undefined;
  /** How many of the references, those of the newest message first, are replaced with the files' bytes. */
  readonly filePartsIncluded?: number | undefined;
};
