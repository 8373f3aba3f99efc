import type { About } from "./about.ts";
import { numberAt, textAt, type Node } from "./json.ts";

/** How a planned fault turns a request away at the door. */
export type Refusal = "unauthorized" | "rate-limited" | "unavailable" | "broken" | "invalid";

type FaultTable = Readonly<Record<string, { readonly does: string }>>;

/** At the door nothing is taken, and nothing enters the ledger. */
const doorFaults = {
  unauthorized: { refusal: "unauthorized", does: "401" },
  "token-expired": { refusal: "unauthorized", does: "401, and the token of the request is expired from then on" },
  "rate-limited": { refusal: "rate-limited", does: "429 with `Retry-After: retryAfterS`" },
  unavailable: { refusal: "unavailable", does: "503 with `Retry-After: retryAfterS`" },
  broken: { refusal: "broken", does: "500" },
  invalid: { refusal: "invalid", does: "422 with an OperationOutcome" },
} as const satisfies Readonly<Record<string, { readonly refusal: Refusal; readonly does: string }>>;

/** The request was taken; its reply goes wrong. */
const replyFaults = {
  drop: { does: "cuts the connection without a reply" },
  truncate: { does: "cuts the reply in half" },
  "error-500": { does: "500" },
  "error-503": { does: "503 with `Retry-After: retryAfterS`" },
  slow: { does: "answers after `ms` milliseconds" },
  drip: { does: "answers one byte every `ms` milliseconds" },
  html: { does: "200 with an HTML page" },
  huge: { does: "puts `mb` MB of blanks before the answer, streamed" },
  "gzip-bomb": { does: "the same, compressed to a thousandth" },
  "wrong-id": { does: "an answer about somebody else" },
  "wrong-trace": { does: "the answer under another trace number" },
  unmarked: { does: "an answer without the test mark" },
  "nothing-found": { does: "to an inquiry: that nothing is known" },
  duplicate: { does: "422 with an OperationOutcome that calls it a duplicate, though it was taken (PAS)" },
  forbidden: { does: "403 with an OperationOutcome, though it was taken (PAS)" },
  "live-marked": { does: "an answer that says it is live data (PAS)" },
  "partial-units": { does: "the decision, with one unit authorized on every item" },
  "other-procedure": { does: "the decision, with another procedure authorized on every item" },
  "future-date": { does: "the answer, dated 2099" },
  brother: { does: "the answer, about the subscriber's brother under the same member id" },
  "header-only": { does: "the first item's decision for the whole request, and no items" },
} as const satisfies FaultTable;

/** Of a notification that the payer sends by itself. */
const pushFaults = {
  "push-lost": { does: "it is never sent" },
  "push-twice": { does: "it is sent twice" },
  "push-id-only": { does: "it says that something happened, and brings nothing of it" },
  "push-late": { does: "it is sent after the next one, or after `ms` milliseconds where there is none" },
} as const satisfies FaultTable;

type DoorFault = keyof typeof doorFaults;
export type ReplyFault = keyof typeof replyFaults;
export type PushFault = keyof typeof pushFaults;
export type FaultName = DoorFault | ReplyFault | PushFault;

/** What may go wrong, by where it strikes, as the control API tells it. */
export const faults = { door: doorFaults, reply: replyFaults, push: pushFaults } as const;

/** What a request asks for; `push` is what the payer sends by itself. */
const operations = ["submit", "inquire", "subscribe", "token", "push"] as const;
export type Operation = (typeof operations)[number];

/** One planned fault: for the next `times` requests of an operation, of one member or one trace number where it names one. */
export type Fault = {
  readonly fault: FaultName;
  readonly on: Operation;
  readonly times: number;
  readonly ms: number;
  readonly mb: number;
  readonly retryAfterS: number;
} & About;

export type Faults = {
  readonly plan: (fault: Fault) => void;
  readonly clear: () => void;
  /** The fault of this request, if one is planned; planned ones are used up in order. */
  readonly next: (on: Operation, about: About) => Fault | undefined;
  readonly planned: () => readonly Fault[];
};

export function createFaults(): Faults {
  let queue: readonly Fault[] = [];
  return {
    plan: (fault) => {
      queue = [...queue, fault];
    },
    clear: () => {
      queue = [];
    },
    planned: () => queue,
    next: (on, about) => {
      const found = queue.find((each) => each.on === on && isAbout(each, about));
      queue = queue.flatMap((each) =>
        each !== found ? [each] : each.times > 1 ? [{ ...each, times: each.times - 1 }] : [],
      );
      return found;
    },
  };
}

function isAbout(fault: Fault, { memberId, trace }: About): boolean {
  return (fault.memberId ?? memberId) === memberId && (fault.trace ?? trace) === trace;
}

/** How a fault turns a request away; undefined for one that does not. */
export function refusalOf({ fault }: Fault): Refusal | undefined {
  return isIn(doorFaults, fault) ? doorFaults[fault].refusal : undefined;
}

export function replyFaultOf({ fault }: Fault): ReplyFault | undefined {
  return isIn(replyFaults, fault) ? fault : undefined;
}

export function pushFaultOf({ fault }: Fault): PushFault | undefined {
  return isIn(pushFaults, fault) ? fault : undefined;
}

function isIn<Table extends object>(table: Table, name: PropertyKey): name is keyof Table {
  return Object.hasOwn(table, name);
}

const numbers = {
  times: { usual: 1, from: 1, to: 10_000 },
  ms: { usual: 20_000, from: 0, to: 600_000 },
  mb: { usual: 300, from: 1, to: 2_000 },
  retryAfterS: { usual: 2, from: 0, to: 3_600 },
} as const;

/** Reads a fault from a control request, or says what is wrong with it. */
export function faultOf(body: Node): Fault | { readonly problem: string } {
  const fault = textAt(body, "fault") ?? "";
  const all = { ...doorFaults, ...replyFaults, ...pushFaults };
  if (!isIn(all, fault)) return { problem: `fault must be one of ${Object.keys(all).join(", ")}` };
  const isPush = isIn(pushFaults, fault);
  const on = operations.find((each) => each === (textAt(body, "on") ?? (isPush ? "push" : "submit")));
  if (on === undefined || (on === "push") !== isPush)
    return { problem: `on must be ${isPush ? "push" : operations.filter((each) => each !== "push").join(", ")}` };
  const usual = fault === "drip" ? { ...numbers, ms: { ...numbers.ms, usual: 1_000 } } : numbers;
  const read = (name: keyof typeof numbers) => (name in body ? (numberAt(body, name) ?? NaN) : usual[name].usual);
  for (const [name, { from, to }] of Object.entries(numbers)) {
    const value = read(name as keyof typeof numbers);
    if (!Number.isInteger(value) || value < from || value > to)
      return { problem: `${name} must be a whole number from ${from} to ${to}` };
  }
  return {
    fault,
    on,
    times: read("times"),
    ms: read("ms"),
    mb: read("mb"),
    retryAfterS: read("retryAfterS"),
    memberId: textAt(body, "memberId"),
    trace: textAt(body, "trace"),
  };
}
