import type { Operation, Refusal } from "./faults.ts";
import type { Call, Reply } from "./http.ts";

/** One wire over the payer: its addresses, its rules and its words. */
export type Face = {
  /** Reads a request; a reply where it is refused before it asked for anything, undefined where the address is not this wire's. */
  readonly open: (call: Call) => Promise<Asked | Reply | undefined>;
  /** A planned refusal in the wire's own words. */
  readonly refuse: (refusal: Refusal) => Reply;
};

/** A request that asks the payer for something. Nothing has happened before `answer` is called. */
export type Asked = {
  readonly operation: Operation;
  readonly answer: () => Answer;
};

/** What the payer answers, before any fault strikes. */
export type Answer = {
  readonly reply: Reply;
  /** The request was taken; only then may a fault spoil the reply. */
  readonly accepted: boolean;
  /** The same reply as a mixed-up payer would send it: about somebody else. */
  readonly mixedUp: () => string;
  /** The same reply without the mark of test data. */
  readonly unmarked: () => string;
};
