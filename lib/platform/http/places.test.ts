import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPlaces, type Leave } from "./places.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const few = { most: 3, each: 2, waitingEach: 4, waitMs: 1_000 };

/** Who is in and who was turned away, in the order they were told. */
function asking(options = few) {
  const places = createPlaces(options);
  const answers: string[] = [];
  const leaves = new Map<string, Leave>();
  const ask = async (who: string, name: string) => {
    const leave = await places.enter(who);
    answers.push(leave ? name : `${name} turned away`);
    if (leave) leaves.set(name, leave);
  };
  const leave = async (name: string) => {
    await vi.advanceTimersByTimeAsync(0);
    leaves.get(name)?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { ask, answers, leave };
}

test("nobody has more than their part, however much they ask, and another is let in at once", async () => {
  const { ask, answers } = asking();
  for (const name of ["a1", "a2", "a3", "a4", "b1"]) void ask(name.slice(0, 1), name);
  await vi.advanceTimersByTimeAsync(0);
  expect(answers).toEqual(["a1", "a2", "b1"]);
});

test("a place that becomes free goes to whoever has the fewest, and not to whoever asks most", async () => {
  const { ask, answers, leave } = asking();
  for (const name of ["a1", "a2", "b1", "a3", "a4", "b2", "c1"]) void ask(name.slice(0, 1), name);
  await leave("a1");
  expect(answers).toEqual(["a1", "a2", "b1", "c1"]);
  await leave("b1");
  expect(answers.slice(4)).toEqual(["b2"]);
  await leave("c1");
  expect(answers.slice(5)).toEqual(["a3"]);
});

test("whoever waits too long, or where too many of theirs wait, is turned away and holds nothing", async () => {
  const { ask, answers, leave } = asking({ ...few, waitingEach: 1 });
  for (const name of ["a1", "a2", "a3", "a4"]) void ask("a", name);
  await vi.advanceTimersByTimeAsync(0);
  expect(answers).toEqual(["a1", "a2", "a4 turned away"]);
  await vi.advanceTimersByTimeAsync(few.waitMs);
  expect(answers.slice(3)).toEqual(["a3 turned away"]);
  await leave("a1");
  await leave("a1");
  for (const name of ["a5", "b1", "b2"]) void ask(name.slice(0, 1), name);
  await vi.advanceTimersByTimeAsync(0);
  expect(answers.slice(4)).toEqual(["a5", "b1"]);
  expect(vi.getTimerCount()).toBe(1);
});
