import { describe, expect, test } from "vitest";
import type { Event } from "./event.ts";
import { attentionOf, canWithdraw, stateOf, type Task } from "./task.ts";
import { eventsOn, historyOf, laterBy } from "./transition.fixture.ts";
import { attemptsMax, releaseAgeMaxMs, transition } from "./transition.ts";

const sent = ["released", "claimed", "started"] as const;
const doubtful = historyOf({}, ...sent, "doubted");
const again = after(doubtful, "claimed-again");

function after(task: Task, type: Event["type"], members: object = {}): Task {
  // Safe because only members of that event are replaced.
  const event = { ...eventsOn(task)[type], ...members } as Event;
  const next = transition(task, event);
  if (!next.ok) throw new Error(`${type} was refused.`);
  return next.value.task;
}

describe("what is in doubt and sent once more", () => {
  test("is the same gate at its next attempt, and still cannot be withdrawn, recalled, held or settled", () => {
    expect(again.motion).toMatchObject({ kind: "sending", attempt: 2, started: false, again: true });
    expect("gate" in again.motion && "gate" in doubtful.motion && again.motion.gate === doubtful.motion.gate).toBe(
      true,
    );
    expect(canWithdraw(again)).toBe(false);
    for (const type of ["withdrawn", "recalled", "re-held", "settled"] as const)
      expect(transition(again, eventsOn(again)[type]).ok).toBe(false);
  });

  test.each<[string, Task]>([
    ["certainly did not leave this time", after(again, "not-sent")],
    ["is refused for now", after(again, "rejected", { correction: "try-again" })],
    ["was never started before its lease lapsed", after(again, "lapsed", { at: laterBy(1e9), retryAt: laterBy(1e9) })],
    ["is not understood once more", after(again, "doubted")],
  ])("and %s stays in doubt, for the first time may have arrived", (_, next) => {
    expect([stateOf(next), next.payer.holds, attentionOf(next)]).toEqual([
      "transmit-unconfirmed",
      "maybe",
      "unconfirmed",
    ]);
    expect(next.motion).toMatchObject({ attempt: 2 });
  });

  test("is settled by the payer's answer", () => {
    const started = after(again, "started");
    expect(stateOf(after(started, "accepted"))).toBe("transmitted");
    expect(after(started, "rejected")).toMatchObject({ motion: { kind: "idle" }, payer: { holds: "no" } });
  });

  test("goes so at most six times in all, within a day of its release, and never what a person carries", () => {
    const { motion } = doubtful as { motion: Extract<Task["motion"], { kind: "unconfirmed" }> };
    const { at, leaseUntil } = eventsOn(doubtful)["claimed-again"];
    const late = new Date(motion.releasedAt.getTime() + releaseAgeMaxMs + 1);
    const often = { ...doubtful, motion: { ...motion, attempt: attemptsMax } };
    const byHand = { ...doubtful, motion: { ...motion, gate: { ...motion.gate, byHand: true } } };
    const answers = [
      transition(often, { type: "claimed-again", at, leaseUntil }),
      transition(doubtful, { type: "claimed-again", at: late, leaseUntil: laterBy(2 * releaseAgeMaxMs) }),
      transition(byHand, { type: "claimed-again", at, leaseUntil }),
    ];
    expect(answers.map((each) => !each.ok && each.refusal.type)).toEqual([
      "not-claimable",
      "release-too-old",
      "not-claimable",
    ]);
  });

  test("as a void leaves it in doubt as well, and is done when the payer says so", () => {
    const leaving = historyOf({}, ...sent, "accepted", "payer-decided", "void-asked", ...sent, "doubted");
    const next = after(leaving, "claimed-again");
    expect(stateOf(after(next, "not-sent"))).toBe("void-unconfirmed");
    expect(stateOf(after(after(next, "started"), "accepted"))).toBe("voided");
  });
});
