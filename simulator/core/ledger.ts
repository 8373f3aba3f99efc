import type { Case } from "./case.ts";
import type { Attachment, Rejection, SentMessage } from "./review.ts";

export type MessageKind = "request" | "update" | "void";

/** One message the payer took, and how often exactly it came. */
export type Message = SentMessage & {
  readonly identity: string;
  readonly kind: MessageKind;
  readonly caseId: string;
  readonly memberId: string;
  readonly at: string;
  readonly times: number;
  readonly attachments: readonly Attachment[];
  /** Why this update or void was refused; the case stayed as it was. */
  readonly rejection: Rejection | undefined;
};

/** A question about cases, which changes none. */
export type Inquiry = Pick<SentMessage, "face" | "method" | "path" | "trace" | "sha256"> & {
  readonly identity: string;
  readonly memberId: string;
};

/** What the control API shows of one message or inquiry; never what was in it. */
export type LedgerEntry = {
  readonly at: string;
  readonly kind: MessageKind | "inquiry";
  readonly method: string;
  readonly path: string;
  readonly sha256: string;
  readonly trace: string | undefined;
  readonly memberId: string;
  readonly state: string;
  readonly actions: readonly string[];
  readonly times: number;
  readonly bundleId: string;
  readonly reference: string | undefined;
  readonly authorizationNumber: string | undefined;
  readonly attachments: readonly Attachment[];
  /** The authorization numbers that a renewal or an extension goes on from. */
  readonly continues?: readonly string[] | undefined;
};

/** A message as the ledger shows it, in the state its case has now. */
export function messageEntry(message: Message, of: Case): LedgerEntry {
  return {
    at: message.at,
    kind: message.kind,
    method: message.method,
    path: message.path,
    sha256: message.sha256,
    trace: message.trace,
    memberId: message.memberId,
    state: message.rejection ? "rejected" : of.state,
    actions: of.items.map(({ action }) => action),
    times: message.times,
    bundleId: message.identity,
    reference: of.reference,
    authorizationNumber: of.authorizationNumber,
    attachments: message.attachments,
    continues: of.review.continues,
  };
}

/** Inquiries are counted by trace number, the latest body's digest beside the count. */
export type Inquiries = {
  readonly note: (inquiry: Inquiry, at: Date) => void;
  readonly entries: () => readonly LedgerEntry[];
};

export function createInquiries(): Inquiries {
  const byNumber = new Map<string, LedgerEntry>();
  return {
    note: ({ identity, face, ...inquiry }, at) => {
      const key = `${face} ${inquiry.trace ?? identity}`;
      const known = byNumber.get(key);
      byNumber.set(key, {
        ...inquiry,
        kind: "inquiry",
        bundleId: identity,
        at: known?.at ?? at.toISOString(),
        times: (known?.times ?? 0) + 1,
        state: "inquired",
        actions: [],
        reference: undefined,
        authorizationNumber: undefined,
        attachments: [],
      });
    },
    entries: () => [...byNumber.values()],
  };
}
