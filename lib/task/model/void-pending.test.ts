import { describe, expect, test } from "vitest";
import type { Event } from "./event.ts";
import { canVoid, isAwaited, stateOf, type Task } from "./task.ts";
import { eventsOn, historyOf } from "./transition.fixture.ts";
import { transition } from "./transition.ts";

const decided = ["released", "claimed", "started", "accepted", "payer-decided"] as const;
const leaving = historyOf({}, ...decided, "void-asked", "released", "claimed", "started");
const taken = after(leaving, { ...eventsOn(leaving).accepted, pending: true });

describe("a void the payer took and has not done", () => {
  test("is under way, is followed, and is not asked for twice", () => {
    expect(stateOf(taken)).toBe("voiding");
    expect(isAwaited(taken)).toBe(true);
    expect(canVoid(taken)).toBe(false);
    expect(transition(taken, eventsOn(taken)["void-asked"])).toMatchObject({ ok: false });
  });

  test("ends the case as voided by us when the payer says so", () => {
    const voided = after(taken, { type: "payer-voided" });
    expect([stateOf(voided), voided.payer.voided, voided.payer.voidPending]).toEqual(["voided", "by-us", undefined]);
  });

  test("leaves the case as the payer decided it when the payer refuses", () => {
    const refused = after(taken, { type: "void-refused", reason: "services were given" });
    expect([stateOf(refused), refused.remark?.text, canVoid(refused)]).toEqual([
      "determined",
      "services were given",
      true,
    ]);
  });

  test("lets a new decision be recorded without being forgotten", () => {
    const event = eventsOn(taken)["payer-decided"];
    const newer = { ...event.determination, id: "newer", decidedAt: new Date(9) };
    const next = after(taken, { ...event, determination: newer });
    expect([stateOf(next), next.payer.determination?.id]).toEqual(["voiding", "newer"]);
  });

  test("takes no amendment", () => {
    expect(transition(taken, eventsOn(taken).amended)).toMatchObject({ ok: false });
  });
});

test("a transmission is never pending as a void is", () => {
  const sending = historyOf({}, "released", "claimed", "started");
  const accepted = after(sending, { ...eventsOn(sending).accepted, pending: true });
  expect([stateOf(accepted), accepted.payer.voidPending]).toEqual(["transmitted", undefined]);
});

test("what is in doubt is asked about even after a decision", () => {
  expect(isAwaited(after(leaving, eventsOn(leaving).doubted))).toBe(true);
});

function after(task: Task, event: Event): Task {
  const next = transition(task, event);
  if (!next.ok) throw new Error(`${event.type} was refused.`);
  return next.value.task;
}
