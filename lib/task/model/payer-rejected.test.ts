import { describe, expect, test } from "vitest";
import type { Event } from "./event.ts";
import { attentionOf, gateOf, isAwaited, stateOf, type Task } from "./task.ts";
import { eventsOn, historyOf, newGate } from "./transition.fixture.ts";
import { transition } from "./transition.ts";

const sent = ["released", "claimed", "started"] as const;
const transmitted = [...sent, "accepted"] as const;
const wanted = [...transmitted, "payer-wants"] as const;
const reason = "the member is not known";

type Refusal = Extract<Event, { type: "payer-rejected" }>;
const first: Refusal = { type: "payer-rejected", correction: "correctable", reason, update: false };
const update: Refusal = { ...first, update: true };
const voidGate = newGate("another void gate");

function after(task: Task, event: Event): Task {
  const next = transition(task, event);
  if (!next.ok) throw new Error(`${event.type} was refused.`);
  return next.value.task;
}

/** How the gate that waited was closed, and whether another was opened. */
function gatesOn(task: Task, event: Event) {
  const next = transition(task, event);
  return next.ok && [next.value.closed?.as, next.value.opened?.action];
}

describe("a first request the payer took and refuses since", () => {
  test.each([
    ["correctable", "needs-information"],
    ["final", "failed"],
  ] as const)("as %s: the payer has nothing, and the case is %s with its words", (correction, state) => {
    const next = after(historyOf({}, ...transmitted), { ...first, correction });
    expect([stateOf(next), next.payer, next.remark]).toEqual([state, { holds: "no" }, { by: "payer", text: reason }]);
    expect(isAwaited(next)).toBe(false);
  });

  test("and asked more about is no longer wanted to be answered", () => {
    const next = after(historyOf({}, ...wanted), first);
    expect([stateOf(next), next.payer.wants]).toEqual(["needs-information", undefined]);
  });

  test.each<[string, Event["type"][]]>([
    ["an update that is held", [...wanted, "amended"]],
    ["an update that is released", [...wanted, "amended", "released"]],
    ["a void that is held", [...transmitted, "void-asked"]],
    ["a void that is released", [...transmitted, "void-asked", "released"]],
  ])("takes %s with it", (_, history) => {
    const task = historyOf({}, ...history);
    expect(stateOf(after(task, first))).toBe("needs-information");
    expect(gatesOn(task, first)).toEqual(["superseded", undefined]);
  });

  test("settles the doubt whether it arrived", () => {
    const next = after(historyOf({}, ...sent, "doubted"), first);
    expect([stateOf(next), next.payer.holds, attentionOf(next)]).toEqual(["needs-information", "no", undefined]);
  });

  test.each<[string, Event["type"][]]>([
    ["was decided", [...transmitted, "payer-decided"]],
    ["has an update on its way", [...wanted, "amended", ...sent]],
    ["has an update in doubt", [...wanted, "amended", ...sent, "doubted"]],
    ["has a void on its way", [...transmitted, "void-asked", ...sent]],
    ["has a void in doubt", [...transmitted, "void-asked", ...sent, "doubted"]],
  ])("but %s, is for a person to put in order, and nothing else changes", (_, history) => {
    const task = historyOf({}, ...history);
    expect(after(task, first)).toEqual({ ...task, attention: "unordered-answer" });
  });

  test("is a late answer after an end, and no answer at all before anything was sent", () => {
    expect(attentionOf(after(historyOf({}, ...transmitted, "payer-voided"), first))).toBe("late-answer");
    expect(transition(historyOf({}), first)).toMatchObject({ ok: false });
  });
});

describe("an update the payer took and refuses since", () => {
  const updated = [...wanted, "amended", ...sent, "accepted"] as const;

  test("is for the agent to answer otherwise, and the payer still has the case", () => {
    const next = after(historyOf({}, ...updated), { ...update, correction: "final" });
    expect([stateOf(next), next.payer.holds, next.payer.wants]).toEqual([
      "payer-needs-information",
      "yes",
      { text: reason, items: [] },
    ]);
    expect(transition(next, eventsOn(next).amended).ok).toBe(true);
  });

  test("takes a further update with it that waits, and keeps what that was to answer", () => {
    const task = historyOf({}, ...updated, "payer-wants", "amended", "released");
    const next = after(task, update);
    expect([stateOf(next), next.payer.wants]).toEqual(["payer-needs-information", task.payer.wants]);
    expect(gatesOn(task, update)).toEqual(["superseded", undefined]);
  });

  test("makes a new gate for a void that waits, for its votes saw another case", () => {
    const task = historyOf({}, ...updated, "void-asked", "released");
    const refusal = { ...update, gate: voidGate };
    expect(gatesOn(task, refusal)).toEqual(["superseded", "void"]);
    expect(gateOf(after(task, refusal))?.id).toBe(voidGate.id);
  });

  test("settles the doubt whether it arrived", () => {
    const next = after(historyOf({}, ...wanted, "amended", ...sent, "doubted"), update);
    expect([stateOf(next), next.payer.holds, attentionOf(next)]).toEqual(["payer-needs-information", "yes", undefined]);
  });
});

test("a void in doubt that the payer refuses leaves the case with the payer", () => {
  const doubtful = historyOf({}, ...transmitted, "payer-decided", "void-asked", ...sent, "doubted");
  const next = after(doubtful, { type: "void-refused", reason });
  expect([stateOf(next), next.payer.holds, next.remark?.text]).toEqual(["determined", "yes", reason]);
});
