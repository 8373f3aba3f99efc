import type { ConnectorName, Destination, RouteSettings } from "#lib/payer/model/destination";
import type { Determination } from "#lib/task/model/determination";
import type { InformationRequest } from "#lib/task/model/information-request";
import type { OpenAttachment } from "#lib/task/model/attachment";
import type { Result } from "#lib/platform/result";
import type { ServiceReview } from "#lib/task/model/service-review";
import type { Action } from "#lib/task/model/task";
import type { ConnectionTestStep } from "#lib/payer/model/connection-test-step";
import type { TraceOf } from "#lib/payer/trace";
import type { SettingField } from "#lib/payer/settings";
import type { Call as OutboundCall, ExchangeMoment, HostOutcome } from "#lib/platform/outbound/exchange";
import { settingProblems } from "#lib/messages/problems/admin";

/** The whole input of `build`. The same input always gives the same bytes. */
export type Build = {
  readonly taskId: string;
  readonly action: Action;
  /** Whether the payer already has the case and this action sends a new revision. */
  readonly update: boolean;
  readonly revision: number;
  /** How often the payer has refused this action on this revision; 0 when absent. */
  readonly refusals?: number | undefined;
  readonly review: ServiceReview;
  readonly practice: { readonly id: string; readonly name: string; readonly timeZone: string };
  readonly destination: Destination;
  readonly openedAt: Date;
  /** The files of this revision, oldest first. */
  readonly attachments: readonly OpenAttachment[];
  /** Electronic submissions that this payer has accepted, oldest first: what an update or a void refers to. */
  readonly sent: readonly PriorSubmission[];
  /** The payer's own reference, for an update or a void. */
  readonly payerReference?: string | undefined;
  /** The numbers of the authorization in force, which an update or a void is about. */
  readonly authorizationNumbers?: readonly string[] | undefined;
  /** The payer's open request for information, which an update answers. */
  readonly informationRequest?: InformationRequest | undefined;
  /** The agent's reason for a void. */
  readonly reason?: string | undefined;
  /** The determination that an appeal contests. */
  readonly contested?: Determination | undefined;
};

/** One request as it will be sent: `body` is exactly the bytes that are sent and that its digest covers. */
export type Call = OutboundCall;

/** One submission that the payer received, as it was frozen. */
export type PriorSubmission = { readonly action: Action; readonly revision: number; readonly calls: readonly Call[] };

/** The meaning of a payer's reply. `unknown` is everything that is not understood; it is never success or failure. */
export type PayerAnswer =
  | {
      readonly type: "accepted";
      readonly reference?: string | undefined;
      /** The payer accepted the request and asks for information before it decides. */
      readonly informationRequest?: InformationRequest | undefined;
      /** When the payer received the request, by its own statement. */
      readonly receivedAt?: Date | undefined;
      /** When it asked for information, where it dates that apart. */
      readonly requestedAt?: Date | undefined;
    }
  | { readonly type: "decided"; readonly determination: Determination }
  | { readonly type: "cancelled"; readonly reference?: string | undefined }
  | { readonly type: "contact-payer"; readonly reference?: string | undefined; readonly text: string }
  | Unclear
  | {
      readonly type: "rejected";
      readonly correction: "correctable" | "final" | "try-again";
      readonly reason: string;
      /** Refused before it was read, so that it says nothing about the same request sent earlier. */
      readonly unread?: true | undefined;
    }
  /** The payer certainly did not process any of it. */
  | { readonly type: "notSent"; readonly reason: string; readonly retryAfterMs?: number | undefined }
  /** The outcome is not known. `retryAfterMs` is how long the payer asks to wait before the next exchange. */
  | { readonly type: "unknown"; readonly reason: string; readonly retryAfterMs?: number | undefined };

/**
 * The payer has this very request, by its identifier, patient and services. Its decision contradicts itself or the request,
 * or is not understood, so a person must read it.
 */
export type Unclear = { readonly type: "unclear"; readonly reference?: string | undefined; readonly reason: string };

/** The payer refuses a request that it had accepted; `of` is that call, among those of the inquiry. */
export type Rejection = {
  readonly type: "rejected";
  readonly correction: "correctable" | "final";
  readonly reason: string;
  readonly of: Call;
  /** The payer's own instant. */
  readonly at?: Date | undefined;
};

/** The result of an inquiry. `none` does not prove that the payer lacks the case. */
export type Inquiry =
  | {
      readonly type: "match";
      readonly answer: Extract<PayerAnswer, { type: "accepted" | "decided" | "cancelled" | "contact-payer" }>;
      /** The call that it answers, among those of the inquiry; the last one if absent. */
      readonly of?: Call | undefined;
      /** Whether it names that call itself, and not only the case. */
      readonly isNamed?: boolean | undefined;
    }
  | Rejection
  | Unclear
  | { readonly type: "none" }
  | { readonly type: "unknown"; readonly reason: string; readonly retryAfterMs?: number | undefined };

/** An answer with the bytes that it was read from; they are stored as a payer event. */
export type PayerResponse<Kind> = { readonly answer: Kind; readonly bytes: Uint8Array | undefined };

/** The response to a submission, with what its last exchange says of the payer's host. */
export type SubmissionResponse = PayerResponse<PayerAnswer> & { readonly host?: HostOutcome | undefined };

export type Transport = {
  readonly credential?: string | undefined;
  /** The route the calls were frozen for. */
  readonly route?: Pick<Destination, "environment" | "settings"> | undefined;
  /** Aborts the whole exchange, reply included. */
  readonly signal: AbortSignal;
  /** By `performance.now()`: after this, no byte of the request is written, even if this process was suspended. */
  readonly notAfter?: number | undefined;
  /** Called at each step of the sending. */
  readonly onMoment?: ((moment: ExchangeMoment) => void) | undefined;
  /** Called with what each exchange says of the payer's host, its token endpoint's too. */
  readonly onOutcome?: ((outcome: HostOutcome) => void) | undefined;
};

/** The input of an inquiry about a case that the payer may have. */
export type InquiryRequest = Omit<Build, "action" | "reason" | "attachments" | "sent"> & {
  /** The calls that were sent last, so that the reply can be matched to trace, patient and item sequences. */
  readonly sent: readonly Call[];
  /** Other calls submitted for the same case, oldest first: a payer may name an earlier request, or a void. */
  readonly others?: readonly Call[] | undefined;
  /** The void that the payer accepted but has not completed, or that is unconfirmed: one of `others`. */
  readonly voiding?: Call | undefined;
  /** Whether it is unconfirmed that `sent` arrived: then only an answer that names it counts. */
  readonly unconfirmed?: boolean | undefined;
  /** When `sent` left: an answer from before it can only be to one of `others`. */
  readonly sentAt?: Date | undefined;
};

/** The check of a connector without settings. */
export function noSettings(settings: RouteSettings): readonly { readonly name: string; readonly problem: string }[] {
  return Object.keys(settings).map((name) => ({ name, problem: settingProblems.unknownSetting }));
}

/** The references by which one answer in a notification names its case. */
export type CaseReferences = {
  /** Trace numbers, ours or not. */
  readonly traces: readonly string[];
  /** The address of the request it answers. */
  readonly request: string | undefined;
  /** The payer's own references. */
  readonly references: readonly string[];
};

/** A notification, as far as it can be read without the case: its references, and a function that reads it for a case. */
export type PushedAnswer = {
  readonly answers: readonly CaseReferences[];
  /** Whether it contains something that may be an answer but cannot be read as one. */
  readonly hasUnreadable: boolean;
  /** Whether it reports that something happened, without a readable reference to the case. */
  readonly isHint: boolean;
  /** Whether the payer says that it has ended our subscription, or that it has failed. */
  readonly isEnded?: boolean | undefined;
  /**
   * Reads it as an answer to a case with these submitted calls, oldest first. If the last of them is unconfirmed, only an
   * answer that names that call matches. An answer that names none of them but the payer's `reference` for the case is read
   * as an answer to the last, and is `unknown` if it does not fit.
   */
  readonly match: (sent: readonly Call[], unconfirmed: boolean, reference?: string) => Inquiry;
};

/** The address for the payer's notifications, and the bearer secret that it must present there. */
export type PushTarget = { readonly endpoint: string; readonly secret: string };

/** The result of subscribing: the payer's id of the subscription, or why it failed, without any content of the reply. */
export type SubscriptionResult =
  | { readonly ok: true; readonly id: string }
  | { readonly ok: false; readonly problem: string };

/** Tests a route like a submission, without patient data. The steps end with the first one that fails. */
export type ConnectionTest = (to: Destination, transport: Transport) => Promise<readonly ConnectionTestStep[]>;

/** The implementation of one payer protocol. The bytes that it builds are what the gate shows and its digest covers. */
export type Connector = {
  readonly name: ConnectorName;
  /** The settings of its routes, in the order of the form. */
  readonly settings: readonly SettingField[];
  /** What is wrong with a route's settings, by name; empty when they are valid. */
  readonly checkSettings: (settings: RouteSettings) => readonly { readonly name: string; readonly problem: string }[];
  /** Whether the calls include the files of a revision; otherwise the reviewer sees a warning. */
  readonly carriesFiles: boolean;
  /** JSON pointers of what the review says and this wire has no place for; the reviewer is told that it is not submitted. */
  readonly leftOut: (review: ServiceReview, settings: RouteSettings) => readonly string[];
  /** Whether a person must submit the action; the worker then never claims it. */
  readonly isManual: (build: Build) => boolean;
  /** JSON pointers into the service review of the members that this protocol still needs. */
  readonly check: (review: ServiceReview) => readonly string[];
  /** Pure and deterministic. */
  readonly build: (build: Build) => readonly Call[];
  /** Sends the frozen calls in order; only the Authorization header is added. */
  readonly send: (calls: readonly Call[], transport: Transport) => Promise<SubmissionResponse>;
  /**
   * Whether a route declares that its payer treats a repeated call as the same request, with one effect; absent if the
   * protocol has no such setting.
   */
  readonly honoursIdentity?: ((settings: RouteSettings) => boolean) | undefined;
  /** Absent when every submission is manual, so that there is no connection. */
  readonly testConnection?: ConnectionTest | undefined;
  /** Asks the payer about a case; also used to follow a pended request. */
  readonly inquire: (request: InquiryRequest, transport: Transport) => Promise<PayerResponse<Inquiry>>;
  /**
   * Reads a notification, so that its cases can be found by `answers`; `match` then reads it as an answer to one of them.
   * The refusal is sent to the payer. Absent if the protocol has no notifications.
   */
  readonly onPush?: ((body: Uint8Array) => Result<PushedAnswer, string>) | undefined;
  /** The address by which an answer may name a submitted request. */
  readonly requestName?: ((of: TraceOf) => string) | undefined;
  /** How to subscribe to notifications; present if polling alone may miss something, such as a request for information. */
  readonly pushes?:
    | {
        readonly wanted: (settings: RouteSettings) => "no" | "yes" | "where-offered";
        /** Whether the payer itself says that it sends notifications; undefined if it could not be asked. */
        readonly offered: (to: Destination, transport: Transport) => Promise<boolean | undefined>;
        readonly subscribe: (to: Destination, push: PushTarget, transport: Transport) => Promise<SubscriptionResult>;
        /** Deletes the payer's subscription with this id; true if the payer has none with this id now. */
        readonly unsubscribe: (
          of: { readonly url: string; readonly id: string },
          transport: Transport,
        ) => Promise<boolean>;
      }
    | undefined;
};
