import { textAt, numberAt, type Node } from "./json.ts";

/**
 * What may go wrong with a reply. `refusal`: nothing was taken, as at a door;
 * the others strike after the request was accepted and entered in the ledger.
 */
export const faults = {
  unauthorized: { refusal: "unauthorized", does: "401" },
  "rate-limited": { refusal: "rate-limited", does: "429 with Retry-After" },
  unavailable: { refusal: "unavailable", does: "503 with Retry-After" },
  invalid: { refusal: "invalid", does: "422 with an OperationOutcome" },
  drop: { refusal: undefined, does: "accepts, then cuts the connection without a reply" },
  truncate: { refusal: undefined, does: "accepts, then cuts the reply in half" },
  "error-500": { refusal: undefined, does: "accepts, then answers 500" },
  slow: { refusal: undefined, does: "accepts, then answers after `ms` milliseconds" },
  html: { refusal: undefined, does: "accepts, then answers 200 with an HTML page" },
  huge: { refusal: undefined, does: "accepts, then answers with more than 5 MB" },
  "wrong-id": { refusal: undefined, does: "accepts, then answers about somebody else" },
  unmarked: { refusal: undefined, does: "accepts, then answers without the test marker" },
} as const satisfies Record<string, { refusal: Refusal | undefined; does: string }>;

/** How a planned fault turns a request away at the door. */
export type Refusal = "unauthorized" | "rate-limited" | "unavailable" | "invalid";

export type FaultName = keyof typeof faults;
export type Operation = "submit" | "inquire";

/** One planned fault: for the next `times` requests of an operation. */
export type Fault = { readonly fault: FaultName; readonly on: Operation; readonly times: number; readonly ms: number };

export type Faults = {
  readonly plan: (fault: Fault) => void;
  readonly clear: () => void;
  /** The fault of this request, if one is planned; planned ones are used up in order. */
  readonly next: (on: Operation) => Fault | undefined;
  readonly planned: () => readonly Fault[];
};

export function createFaults(): Faults {
  let queue: readonly Fault[] = [];
  return {
    plan: (fault) => (queue = [...queue, fault]),
    clear: () => (queue = []),
    planned: () => queue,
    next: (on) => {
      const found = queue.find((each) => each.on === on);
      queue = queue.flatMap((each) =>
        each !== found ? [each] : each.times > 1 ? [{ ...each, times: each.times - 1 }] : [],
      );
      return found;
    },
  };
}

/** Reads a fault from a control request; undefined where it names none we have. */
export function faultOf(body: Node): Fault | undefined {
  const fault = textAt(body, "fault");
  const on = textAt(body, "on") ?? "submit";
  const times = numberAt(body, "times") ?? 1;
  const ms = numberAt(body, "ms") ?? 20_000;
  if (fault === undefined || !Object.hasOwn(faults, fault) || (on !== "submit" && on !== "inquire")) return undefined;
  if (!Number.isInteger(times) || times < 1 || times > 10_000 || ms < 0 || ms > 600_000) return undefined;
  // Safe because the guard above knows the name.
  return { fault: fault as FaultName, on, times, ms };
}
