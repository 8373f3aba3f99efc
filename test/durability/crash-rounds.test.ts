import { expect, test } from "vitest";
import { runRounds } from "./crash-rounds.mjs";

/** Rounds that each end as said: whether the round passed, and how many trials it wrote down. */
function runOf(outcomes: readonly { readonly passed: boolean; readonly trials: number }[]) {
  let done = 0;
  let trials = 0;
  const round = async () => {
    const { passed, trials: more } = outcomes[done] ?? { passed: false, trials: 0 };
    done += 1;
    trials += more;
    return passed;
  };
  return runRounds({ round, trials: () => trials, isOver: () => done >= outcomes.length });
}

test("a round in which no worker was killed fails, even if its tests passed", async () => {
  expect(await runOf([{ passed: true, trials: 0 }])).toEqual({ rounds: 1, failed: 1 });
});

test("a round whose tests failed fails, even if it killed workers", async () => {
  expect(await runOf([{ passed: false, trials: 3 }])).toEqual({ rounds: 1, failed: 1 });
});

test("rounds that killed workers and passed are counted and do not fail", async () => {
  const passed = { passed: true, trials: 3 };
  expect(await runOf([passed, passed])).toEqual({ rounds: 2, failed: 0 });
});

test("one round is run even if the time is over at the start", async () => {
  expect(await runOf([])).toEqual({ rounds: 1, failed: 1 });
});
