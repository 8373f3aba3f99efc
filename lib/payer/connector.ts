import type { ConnectorName, Destination, RouteSettings } from "#lib/payer/model/destination";
import type { Determination } from "#lib/task/model/determination";
import type { InformationRequest } from "#lib/task/model/information-request";
import type { OpenAttachment } from "#lib/task/model/attachment";
import type { Result } from "#lib/platform/result";
import type { ServiceReview } from "#lib/task/model/service-review";
import type { Action } from "#lib/task/model/task";
import type { TryStep } from "#lib/payer/model/try-step";
import type { TraceOf } from "#lib/payer/trace";
import type { SettingField } from "#lib/payer/settings";
import type { Call as OutboundCall, SendingMoment } from "#lib/platform/outbound/exchange";

/** Everything `build` may look at. The same input always gives the same bytes. */
export type Build = {
  readonly taskId: string;
  readonly action: Action;
  /** The payer has the case already, and this brings it a new revision. */
  readonly update: boolean;
  readonly revision: number;
  /** How often the payer refused this action on this revision; none where it is not said. */
  readonly refusals?: number | undefined;
  readonly review: ServiceReview;
  readonly practice: { readonly id: string; readonly name: string };
  readonly destination: Destination;
  readonly openedAt: Date;
  /** The files of this revision, oldest first. */
  readonly attachments: readonly OpenAttachment[];
  /** What this payer got over a wire so far and took, oldest first: what an update or a void refers to. */
  readonly sent: readonly PriorSubmission[];
  /** The payer's own reference, for an update or a void. */
  readonly payerReference?: string | undefined;
  /** The payer's open request for more, which an update answers. */
  readonly wants?: InformationRequest | undefined;
  /** Why the agent wants the void. */
  readonly reason?: string | undefined;
};

/** One request as it will leave: `body` is exactly what is sent and what its digest covers. */
export type Call = OutboundCall;

/** One transmission that arrived, as it was frozen. */
export type PriorSubmission = { readonly action: Action; readonly revision: number; readonly calls: readonly Call[] };

/** What a wire reply meant. `unknown` is everything that is not understood, and never success or failure. */
export type PayerAnswer =
  | {
      readonly type: "accepted";
      readonly reference?: string | undefined;
      /** The payer took it and wants more before it decides. */
      readonly wants?: InformationRequest | undefined;
      /** When the payer says it received the request. */
      readonly receivedAt?: Date | undefined;
    }
  | { readonly type: "decided"; readonly determination: Determination }
  | { readonly type: "cancelled"; readonly reference?: string | undefined }
  | { readonly type: "contact-payer"; readonly reference?: string | undefined; readonly text: string }
  | Unclear
  | {
      readonly type: "rejected";
      readonly correction: "correctable" | "final" | "try-again";
      readonly reason: string;
      /** Turned away before it was read, so that it says nothing of the same request sent earlier. */
      readonly unread?: true | undefined;
    }
  /** Certainly no byte was taken. */
  | { readonly type: "notSent"; readonly reason: string; readonly retryAfterMs?: number | undefined }
  /** Nobody knows what became of it. `retryAfterMs` is how long the payer wants to be left alone. */
  | { readonly type: "unknown"; readonly reason: string; readonly retryAfterMs?: number | undefined };

/**
 * The payer has the very request, by its name, its patient and its services; what it decided contradicts itself or what
 * was asked, or is not understood, so a person reads it.
 */
export type Unclear = { readonly type: "unclear"; readonly reference?: string | undefined; readonly reason: string };

/** The payer will not have what it had taken: `of` is the very call that it refuses, of those it was asked about. */
export type Rejection = {
  readonly type: "rejected";
  readonly correction: "correctable" | "final";
  readonly reason: string;
  readonly of: Call;
  /** The payer's own instant. */
  readonly at?: Date | undefined;
};

/** What an inquiry found. `none` is not proof of absence. */
export type Inquiry =
  | {
      readonly type: "match";
      readonly answer: Extract<PayerAnswer, { type: "accepted" | "decided" | "cancelled" | "contact-payer" }>;
    }
  | Rejection
  | Unclear
  | { readonly type: "none" }
  | { readonly type: "unknown"; readonly reason: string; readonly retryAfterMs?: number | undefined };

/** An answer with the bytes it was read from, kept as a payer event. */
export type PayerResponse<Kind> = { readonly answer: Kind; readonly bytes: Uint8Array | undefined };

export type Transport = {
  readonly credential?: string | undefined;
  /** The route the calls were frozen for. */
  readonly route?: Pick<Destination, "environment" | "settings"> | undefined;
  /** Aborts the whole exchange, reply included. */
  readonly signal: AbortSignal;
  /** By `performance.now()`: past this, nothing of the request is written any more, however long this process slept. */
  readonly notAfter?: number | undefined;
  /** Told each moment of sending as it is reached. */
  readonly onMoment?: ((moment: SendingMoment) => void) | undefined;
};

/** What a connector needs to ask the payer about a case it may have. */
export type InquiryRequest = Omit<Build, "action" | "reason" | "attachments" | "sent"> & {
  /** The calls that were sent last, so that the reply can be matched to trace, patient and item sequences. */
  readonly sent: readonly Call[];
  /** What else left for the same case, oldest first: a payer may go on naming an earlier request, or a void. */
  readonly others?: readonly Call[] | undefined;
  /** The void the payer took and has not done, or that is in doubt: one of `others`. */
  readonly voiding?: Call | undefined;
  /** Whether `sent` arrived is what is asked: only an answer that names it counts. */
  readonly doubted?: boolean | undefined;
};

/** For a connector whose routes have nothing to choose. */
export function noSettings(settings: RouteSettings): readonly { readonly name: string; readonly problem: string }[] {
  return Object.keys(settings).map((name) => ({ name, problem: "is no setting of this connector" }));
}

/** By what one answer in a push names its case. */
export type CaseReferences = {
  /** Trace numbers, ours or not. */
  readonly traces: readonly string[];
  /** The address of the request it answers. */
  readonly request: string | undefined;
  /** The payer's own references. */
  readonly references: readonly string[];
};

/** A push as far as it can be read without knowing the case: whom it is about, and how it reads as an answer. */
export type PushedAnswer = {
  readonly answers: readonly CaseReferences[];
  /** It brings something that may be an answer and cannot be read as one. */
  readonly hasUnreadable: boolean;
  /** It tells that something happened, and not to which case in a form that can be read. */
  readonly isHint: boolean;
  /**
   * Reads it as an answer to a case for which these calls left, oldest first. Where the last of them is in doubt, only
   * an answer that names that one matches. An answer that names none of them and the payer's `reference` for the case
   * is read as one to the last, and is `unknown` where it does not fit that.
   */
  readonly match: (sent: readonly Call[], doubted: boolean, reference?: string) => Inquiry;
};

/** Where a payer is asked to push to, and the secret it shows there as a bearer. */
export type PushTo = { readonly endpoint: string; readonly secret: string };

/** What became of asking a payer to push: its own id for that, or why not, without contents. */
export type SubscriptionResult =
  { readonly ok: true; readonly id: string } | { readonly ok: false; readonly problem: string };

/** Tries a route as it would be walked, sending nothing of any patient; the steps end with the first that fails. */
export type TryOut = (to: Destination, transport: Transport) => Promise<readonly TryStep[]>;

/** The code that speaks one payer wire. Its bytes are what the gate shows and its digest covers. */
export type Connector = {
  readonly name: ConnectorName;
  /** What a route of it may choose, in the order in which it is asked for. */
  readonly settings: readonly SettingField[];
  /** What is wrong with a route's settings, by their names; empty where they can be used. */
  readonly checkSettings: (settings: RouteSettings) => readonly { readonly name: string; readonly problem: string }[];
  /** Whether the files of a revision travel with its calls; where not, the reviewer is told. */
  readonly carriesFiles: boolean;
  /** A person carries the action: the worker never claims it. */
  readonly byHand: (build: Build) => boolean;
  /** JSON pointers into the service review of what this wire still needs. */
  readonly check: (review: ServiceReview) => readonly string[];
  /** Pure and deterministic. */
  readonly build: (build: Build) => readonly Call[];
  /** Sends the frozen calls in order; only the Authorization header is added. */
  readonly send: (calls: readonly Call[], transport: Transport) => Promise<PayerResponse<PayerAnswer>>;
  /**
   * Whether a route declares that its payer takes the same call again for the same request, with one effect; absent
   * where none can.
   */
  readonly honoursIdentity?: ((settings: RouteSettings) => boolean) | undefined;
  /** Absent where a person carries everything, so that there is nothing to try. */
  readonly tryOut?: TryOut | undefined;
  /** Asks the payer what it has; also how a pended answer is followed. */
  readonly inquire: (asked: InquiryRequest, transport: Transport) => Promise<PayerResponse<Inquiry>>;
  /**
   * Reads what the payer pushed, so that the cases it may be about can be found by `answers`; `match` then reads it as
   * an answer to one of them. The refusal tells the payer what is wrong with it. Absent where the wire has no pushes.
   */
  readonly onPush?: ((body: Uint8Array) => Result<PushedAnswer, string>) | undefined;
  /** The address by which an answer may name a request that left. */
  readonly requestName?: ((of: TraceOf) => string) | undefined;
  /** How a payer is asked to push; present where asking alone leaves something unheard, as a request for more. */
  readonly pushes?:
    | {
        readonly wanted: (settings: RouteSettings) => boolean;
        readonly subscribe: (to: Destination, push: PushTo, transport: Transport) => Promise<SubscriptionResult>;
        /** Tells the payer to stop, by its own id for the subscription; whether it has none by that id now. */
        readonly unsubscribe: (
          of: { readonly url: string; readonly id: string },
          transport: Transport,
        ) => Promise<boolean>;
      }
    | undefined;
};
