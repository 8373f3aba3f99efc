/** What a requester asks a payer to review, whichever wire brought it. */
export type Review = {
  readonly memberId: string;
  readonly requesterNpi: string | undefined;
  readonly diagnoses: readonly string[];
  readonly items: readonly Item[];
  readonly attachments: readonly Attachment[];
  /** Free text for the payer. */
  readonly notes: readonly string[];
  /** The authorization numbers that a renewal or an extension (X12 1322: R, 4) goes on from; undefined for any other. */
  readonly continues?: readonly string[] | undefined;
};

/** One service asked for. Dates are `YYYY-MM-DD`; `unit` is X12 673. */
export type Item = {
  /** Its number in the request; it keeps it in every update. */
  readonly sequence: number;
  readonly code: string;
  readonly codeSystem: string | undefined;
  readonly modifiers: readonly string[];
  readonly quantity: number | undefined;
  readonly unit: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** Taken back by an update. */
  readonly cancelled: boolean;
};

/** A document that came with a request: SHA-256 of its bytes in lower-case hex, never the bytes. */
export type Attachment = {
  readonly sha256: string;
  readonly contentType: string | undefined;
  readonly title: string | undefined;
  readonly bytes: number;
};

/** A document the payer asks for, by X12 755 (PWK01) or LOINC; `sequence` is the item it is about. */
export type RequestedDocument = {
  readonly kind: string | undefined;
  readonly loinc: string | undefined;
  readonly sequence: number | undefined;
};

/** A refusal in X12 codes: 901 why, 889 what to do about it. `about` is the part of the request at fault. */
export type Rejection = {
  readonly reject: string;
  readonly followUp: string;
  readonly about: "member" | "item" | "request";
};

/** One message at the payer's door. */
export type SentMessage = {
  /** The wire it came by; another wire's messages are never taken for repeats. */
  readonly face: string;
  readonly method: string;
  readonly path: string;
  /** The sender's own name for the message: the same name with the same bytes is the same message. Without one, each is new. */
  readonly identity: string | undefined;
  /** The sender's number for the request. */
  readonly trace: string | undefined;
  /** SHA-256 of the body's exact bytes. */
  readonly sha256: string;
  /** What the wire needs to word its answers, as JSON; the payer never looks into it. */
  readonly echo: Readonly<Record<string, unknown>>;
};
