// Made from the JSON Schema of a task; a test compares the two. Do not edit.

export type Task = {
  /** Always `task`. */
  readonly kind: "task";
  /** The task, for its life. */
  readonly id: string;
  /** The context of A2A; a renewal shares that of the task it renews. */
  readonly contextId: string;
  /** The task whose authorization this one renews or extends. */
  readonly earlierTaskId?: string;
  /** Where the task stands, exactly. More may come: treat one you do not know by `status.state`. */
  readonly state:
    | "needs-information"
    | "transmit-held"
    | "transmit-released"
    | "transmitting"
    | "transmit-unconfirmed"
    | "transmitted"
    | "payer-needs-information"
    | "determined"
    | "void-held"
    | "void-released"
    | "voiding"
    | "void-unconfirmed"
    | "voided"
    | "withdrawn"
    | "declined"
    | "failed";
  /** Grows with each change. */
  readonly version: number;
  /** In the short reply to a call that named this version; what is not named there is left out. */
  readonly unchanged?: true;
  /** After how many seconds a poll is worth its while; absent where nothing moves. */
  readonly pollAfterSeconds?: number;
  readonly status: {
    /** The same in A2A's words. */
    readonly state: "working" | "input-required" | "completed" | "canceled" | "failed" | "rejected";
    /** When it last changed (RFC 3339, in UTC). */
    readonly timestamp: string;
    readonly message?: {
      /** Always `message`. */
      readonly kind: "message";
      /** Always `agent`. */
      readonly role: "agent";
      /** The same while the status is the same. */
      readonly messageId: string;
      /** A sentence for people, and a `data` part for clients that hand on no other members. */
      readonly parts: readonly {
        readonly kind: string;
        readonly text?: string;
        readonly data?: Readonly<Record<string, unknown>>;
      }[];
      /** The task. */
      readonly taskId: string;
      /** Its context. */
      readonly contextId: string;
    };
  };
  /** The practice. */
  readonly practiceId: string;
  /** What is `test` reaches no payer that decides; a determination there authorizes nothing. */
  readonly environment: "live" | "test";
  readonly nextAction: {
    /** Who moves next. */
    readonly by: "agent" | "reviewer" | "service" | "payer" | "none";
    /** What they do, in words. */
    readonly what: string;
    /** The last day for it. */
    readonly until?: string;
  };
  readonly revision: {
    /** Counts your messages and reviewers' corrections from 1. */
    readonly number: number;
    /** SHA-256 of the service review and its files. */
    readonly digest: string;
    readonly attachments: readonly {
      /** Digest of the file. */
      readonly sha256: string;
      /** What its bytes are. */
      readonly contentType: string;
      /** In bytes. */
      readonly size: number;
      /** Its name, cleaned. */
      readonly name?: string;
      /** The revision that it first came with. */
      readonly since: number;
    }[];
    /** `reviewer` where a reviewer corrected it. */
    readonly editedBy?: "reviewer";
    /** JSON pointers of what was corrected. */
    readonly edited?: readonly string[];
  };
  readonly gate: {
    /** The gate. */
    readonly id: string;
    /** What waits for release. */
    readonly action: "transmit" | "void";
    /** How it stands, or was answered. */
    readonly status:
      | "open"
      | "released"
      | "declined"
      | "sent-back"
      | "recalled"
      | "expired"
      | "superseded"
      | "withdrawn";
    /** SHA-256 of the exact bytes that would be sent. */
    readonly digest: string;
    /** The same of each part. */
    readonly documentDigests: readonly string[];
    /** `live` or `test`. */
    readonly environment: "live" | "test";
    /** RFC 3339, in UTC. */
    readonly openedAt: string;
    /** When it expires without a decision. */
    readonly expiresAt: string;
    /** When it was answered. */
    readonly decidedAt?: string;
    /** No person released it; only of test data. */
    readonly releasedBy?: "auto-reviewer";
    /** A reviewer's question or reason, in words. */
    readonly reason?: string;
    /** Why it was declined, as a code. */
    readonly reasonCode?: string;
    /** JSON pointers into the service review that the question is about. */
    readonly fields?: readonly string[];
  } | null;
  /** JSON pointers into the service review of what this payer needs. */
  readonly missing?: readonly string[];
  readonly problems?: readonly {
    /** JSON pointer into the service review. */
    readonly path: string;
    /** What is wrong there. */
    readonly problem: string;
    /** What mends it. */
    readonly fix: string;
  }[];
  readonly warnings?: readonly {
    /** What a reviewer will be warned of. */
    readonly code: string;
    /** JSON pointer into the service review. */
    readonly path: string;
    /** The warning, in words. */
    readonly problem: string;
  }[];
  /** The payer's number of the case. */
  readonly payerReference?: string;
  readonly determination?: {
    /** This determination. */
    readonly id: string;
    /** What the payer decided on the whole request. */
    readonly outcome: "approved" | "modified" | "partially-approved" | "denied" | "not-required";
    /** A `test` determination authorizes nothing. */
    readonly environment: "live" | "test";
    /** The number to give with the claim. */
    readonly authorizationNumber?: string;
    /** The payer's number of the case. */
    readonly reference?: string;
    /** First day on which it is in force. */
    readonly validFrom?: string;
    /** Last day on which it is in force. */
    readonly validTo?: string;
    /** When the payer decided, in its words. */
    readonly decidedAt?: string;
    /** The day, where the payer names the day alone. */
    readonly decidedOn?: string;
    /** When the service learned of it (RFC 3339, in UTC). */
    readonly receivedAt: string;
    /** Whether the payer says that a person reviewed it. */
    readonly humanReviewed?: boolean;
    /** `connector`: read from the payer's wire. `person`: recorded by a person. */
    readonly source: "connector" | "person";
    /** Of a person's record: where they have it from. */
    readonly evidence?: string;
    readonly learned?: {
      /** Of a person's record: how they learned of it. */
      readonly by: string;
      /** Who said so at the payer. */
      readonly from?: string;
    };
    readonly appeal?: {
      /** Until when the payer takes an appeal. */
      readonly by?: string;
      /** How it takes one. */
      readonly how?: string;
    };
    readonly document?: {
      /** Digest of the payer's letter. */
      readonly sha256: string;
      /** What its bytes are. */
      readonly contentType: string;
      /** In bytes. */
      readonly size: number;
    };
    /** The revision that it answers. */
    readonly revision?: number;
    /** Counts determinations from 1. */
    readonly version: number;
    /** The determination that was in force before. */
    readonly supersedes?: string;
    /** What the payer adds, in words. */
    readonly notes: readonly string[];
    readonly lines: readonly {
      /** The line of the request, from 1. */
      readonly sequence: number;
      /** What the payer did with it (X12 306). */
      readonly action: string;
      /** The same in our words. */
      readonly label: string;
      /** First day on which this line is in force, where it is not that of the whole. */
      readonly validFrom?: string;
      /** Last day on which this line is in force, where it is not that of the whole. */
      readonly validTo?: string;
      /** Authorization number of this line. */
      readonly number?: string;
      readonly reasons: readonly {
        /** Why (X12 code). */
        readonly code: string;
        /** The same in our words, where we have some. */
        readonly label?: string;
      }[];
      /** What the payer says of this line alone, in its words. */
      readonly notes?: readonly string[];
      readonly requested?: {
        /** Code of the service. */
        readonly code?: string;
        /** Modifiers of the code. */
        readonly modifiers?: readonly string[];
        /** How many. */
        readonly quantity?: number;
        /** What is counted (X12 673). */
        readonly unit?: string;
        /** First day. */
        readonly from?: string;
        /** Last day. */
        readonly to?: string;
        /** Who provides it: NPIs, or tax ids. */
        readonly providers?: readonly string[];
        /** Where (CMS place of service). */
        readonly place?: string;
      };
      readonly authorized?: {
        /** Code of the service. */
        readonly code?: string;
        /** Modifiers of the code. */
        readonly modifiers?: readonly string[];
        /** How many. */
        readonly quantity?: number;
        /** What is counted (X12 673). */
        readonly unit?: string;
        /** First day. */
        readonly from?: string;
        /** Last day. */
        readonly to?: string;
        /** Who provides it: NPIs, or tax ids. */
        readonly providers?: readonly string[];
        /** Where (CMS place of service). */
        readonly place?: string;
      };
    }[];
    readonly progress?: readonly {
      /** A line that is authorized in part. */
      readonly sequence: number;
      /** What is counted (X12 673). */
      readonly unit?: string;
      /** How many were asked for. */
      readonly requested: number;
      /** How many are authorized so far. */
      readonly authorized: number;
      /** How many are not. */
      readonly remaining: number;
    }[];
  };
  readonly recourse?: {
    /** Whether the practice may still contest it. */
    readonly open: boolean;
    /** Last day for an appeal, from the payer's letter. */
    readonly appealBy?: string;
    /** How the payer takes one. */
    readonly howToAppeal?: string;
    readonly peerToPeer?: {
      /** How the talk with the payer's clinician stands. */
      readonly status: "requested" | "scheduled" | "held" | "canceled";
      /** When it is held, or was. */
      readonly at?: string;
      /** What came of it. */
      readonly outcome?: "overturned" | "overturned-in-part" | "upheld" | "open";
    };
  };
  readonly clock?: {
    /** When the payer received it. */
    readonly startedAt: string;
    /** Whose word that is. */
    readonly startedBy: string;
    /** When it received the update that made it urgent. */
    readonly urgentAt?: string;
    /** When the payer decided or voided it. */
    readonly stoppedAt?: string;
    /** Whether a rule is known that binds this payer. */
    readonly known: boolean;
    /** The last instant in time. */
    readonly dueAt?: string;
    /** Whether it is past, or was when the payer decided. */
    readonly overdue?: boolean;
    readonly rule?: {
      /** Line of business of the payer. */
      readonly lineOfBusiness: string;
      /** `standard` or `expedited`. */
      readonly urgency: "standard" | "expedited";
      readonly within: {
        /** Hours that it has. */
        readonly hours?: number;
        /** Calendar days that it has. */
        readonly calendarDays?: number;
      };
      /** Where the rule stands. */
      readonly source: string;
      /** What the clock leaves out. */
      readonly note?: string;
    };
  };
  readonly artifacts: readonly {
    /** Which result it is, for the task's life. */
    readonly artifactId: string;
    /** Its name. */
    readonly name: string;
    /** What it is. */
    readonly description: string;
    /** The result as `data`, and in a sentence. */
    readonly parts: readonly {
      readonly kind: string;
      readonly text?: string;
      readonly data?: Readonly<Record<string, unknown>>;
    }[];
    readonly metadata: {
      /** `live` or `test`. */
      readonly environment: "live" | "test";
    };
  }[];
  /** The last messages, where the call asked for them. */
  readonly history: readonly Readonly<Record<string, unknown>>[];
  readonly metadata: {
    /** The same as `state`, for clients that hand on no other members. */
    readonly state: string;
    /** The same as `version`. */
    readonly version: number;
    /** The same as `nextAction`. */
    readonly nextAction?: {
      readonly by: "agent" | "reviewer" | "service" | "payer" | "none";
      readonly what: string;
      readonly until?: string;
    };
    /** The same as `unchanged`. */
    readonly unchanged?: true;
    /** How many older messages did not fit into the reply. */
    readonly historyLeftOut?: number;
    /** How many messages and files are missing because the service's archive lost them. */
    readonly historyLost?: number;
  };
};
