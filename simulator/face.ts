import type { About } from "./about.ts";
import type { Operation, Refusal } from "./faults.ts";
import type { Call, Reply } from "./http.ts";

/** One wire over the payer: its addresses, its rules and its words. */
export type Face = {
  /** Reads a request; a reply where it is refused before it asked for anything, undefined where the address is not this wire's. */
  readonly open: (call: Call) => Promise<PayerRequest | Reply | undefined>;
  /** A planned refusal in the wire's own words; `retryAfterS` where it says when to come again. */
  readonly refuse: (refusal: Refusal, retryAfterS: number) => Reply;
};

/** A request that asks the payer for something. Nothing has happened before `answer` is called. */
export type PayerRequest = {
  readonly operation: Operation;
  readonly about: About;
  readonly answer: () => Answer | Promise<Answer>;
  /** Ends the token it came with, if it came with one. */
  readonly expire?: () => void;
};

/** What may be wrong, or only unusual, in the content of a reply. */
export type Spoiling =
  | "wrong-id"
  | "wrong-trace"
  | "unmarked"
  | "nothing-found"
  | "live-marked"
  | "partial-units"
  | "other-procedure"
  | "future-date"
  | "brother"
  | "header-only";

/** What the payer answers, before any fault strikes. */
export type Answer = {
  readonly reply: Reply;
  /** The request was taken; only then may a fault spoil the reply. */
  readonly accepted: boolean;
  /** The same reply with something wrong in it. */
  readonly spoiled: (how: Spoiling) => Reply;
};
