import type { CallError } from "./reply/faults.ts";

type Answer<Gives> = Gives | CallError;

/** One check of a call: gives what the later ones need, or the fault to tell. */
export type Rung<Needs, Gives> = (call: Needs) => Answer<Gives> | Promise<Answer<Gives>>;

/** The checks in the order they are made; each may use what those before it gave, which the compiler sees to. */
export type Ladder<Start extends object, Call extends object> = {
  readonly names: readonly string[];
  readonly rung: <Gives extends object>(name: string, check: Rung<Call, Gives>) => Ladder<Start, Call & Gives>;
  /** Stops at the first fault. `call` gathers what was learnt on the way, for whoever must clear up after it. */
  readonly climb: (
    call: Start & Partial<Call>,
  ) => Promise<{ readonly reached: Call } | { readonly refused: CallError }>;
};

type AnyRung = { readonly name: string; readonly check: Rung<never, object> };

export function ladder<Start extends object>(): Ladder<Start, Start> {
  return withRungs<Start, Start>([]);
}

function withRungs<Start extends object, Call extends object>(rungs: readonly AnyRung[]): Ladder<Start, Call> {
  return {
    names: rungs.map(({ name }) => name),
    rung: (name, check) => withRungs([...rungs, { name, check }]),
    climb: async (call) => {
      for (const { check } of rungs) {
        // Safe because `rung` admits a check only after those that give what it needs.
        const answer = check(call as never);
        const given = answer instanceof Promise ? await answer : answer;
        if ("fault" in given) return { refused: given };
        Object.assign(call, given);
      }
      // Safe because every rung gave its part.
      return { reached: call as unknown as Call };
    },
  };
}
