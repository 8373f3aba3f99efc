import type { CallError } from "./reply/faults.ts";

type Answer<Gives> = Gives | CallError;

/** One check of a call: returns what the later checks need, or the fault to reply with. */
export type Check<Needs, Gives> = (call: Needs) => Answer<Gives> | Promise<Answer<Gives>>;

/** Checks in order. Each may use what the earlier ones returned, and the compiler verifies that. */
export type Checks<Start extends object, Call extends object> = {
  readonly names: readonly string[];
  readonly add: <Gives extends object>(name: string, check: Check<Call, Gives>) => Checks<Start, Call & Gives>;
  /** Stops at the first fault. The results of the checks are added to `call`, so that the caller can clean up after it. */
  readonly run: (call: Start & Partial<Call>) => Promise<{ readonly passed: Call } | { readonly refused: CallError }>;
};

type AnyCheck = { readonly name: string; readonly check: Check<never, object> };

export function checks<Start extends object>(): Checks<Start, Start> {
  return checksOf<Start, Start>([]);
}

function checksOf<Start extends object, Call extends object>(all: readonly AnyCheck[]): Checks<Start, Call> {
  return {
    names: all.map(({ name }) => name),
    add: (name, check) => checksOf([...all, { name, check }]),
    run: async (call) => {
      for (const { check } of all) {
        // Safe because `add` accepts a check only after those that return what it needs.
        const answer = check(call as never);
        const given = answer instanceof Promise ? await answer : answer;
        if ("fault" in given) return { refused: given };
        Object.assign(call, given);
      }
      // Safe because every check has added its part.
      return { passed: call as unknown as Call };
    },
  };
}
