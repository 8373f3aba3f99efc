import { describe, expect, test } from "vitest";
import type { CommandType } from "./command.ts";
import { attentionOf, gateOf, isAwaited, stateOf, type Task } from "#lib/task/model/task";
import { after, decideOn, historyOf, newGate } from "./lifecycle.fixture.ts";

const sent = ["release", "claim", "start"] as const;
const transmitted = [...sent, "record-acceptance"] as const;
const wanted = [...transmitted, "record-information-request"] as const;
const reason = "the member is not known";

const first = { correction: "correctable", reason, update: false } as const;
const update = { ...first, update: true };
const rejection = "record-payer-rejection";
const voidGate = newGate("another void gate");

/** What became of the open gate, and the gate opened in its place. */
function gatesOn(task: Task, refusal: object, gate = voidGate) {
  const decided = decideOn(task, rejection, refusal, { gate });
  const events = decided.ok ? decided.value : [];
  return events.flatMap((event) => {
    if (event.type === "gate.opened") return [event.gate.action];
    return event.type === "gate.superseded" ? ["superseded"] : [];
  });
}

describe("a first request the payer took and refuses since", () => {
  test.each([
    ["correctable", "needs-information"],
    ["final", "failed"],
  ] as const)("as %s: the payer has nothing, and the case is %s with its words", (correction, state) => {
    const next = after(historyOf({}, ...transmitted), rejection, { ...first, correction });
    expect([stateOf(next), next.payer, next.remark]).toEqual([
      state,
      { payerReceipt: "no" },
      { by: "payer", text: reason },
    ]);
    expect(isAwaited(next)).toBe(false);
  });

  test("and asked more about is no longer wanted to be answered", () => {
    const next = after(historyOf({}, ...wanted), rejection, first);
    expect([stateOf(next), next.payer.informationRequest]).toEqual(["needs-information", undefined]);
  });

  test.each<[string, CommandType[]]>([
    ["an update that is held", [...wanted, "amend"]],
    ["an update that is released", [...wanted, "amend", "release"]],
    ["a void that is held", [...transmitted, "request-void"]],
    ["a void that is released", [...transmitted, "request-void", "release"]],
  ])("takes %s with it", (_, history) => {
    const task = historyOf({}, ...history);
    expect(stateOf(after(task, rejection, first))).toBe("needs-information");
    expect(gatesOn(task, first)).toEqual(["superseded"]);
  });

  test("settles the doubt whether it arrived", () => {
    const next = after(historyOf({}, ...sent, "record-unknown-outcome"), rejection, first);
    expect([stateOf(next), next.payer.payerReceipt, attentionOf(next)]).toEqual(["needs-information", "no", undefined]);
  });

  test.each<[string, CommandType[]]>([
    ["was decided", [...transmitted, "record-determination"]],
    ["has an update on its way", [...wanted, "amend", ...sent]],
    ["has an update in doubt", [...wanted, "amend", ...sent, "record-unknown-outcome"]],
    ["has a void on its way", [...transmitted, "request-void", ...sent]],
    ["has a void in doubt", [...transmitted, "request-void", ...sent, "record-unknown-outcome"]],
  ])("but %s, is for a person to put in order, and nothing else changes", (_, history) => {
    const task = historyOf({}, ...history);
    expect(after(task, rejection, first)).toEqual({ ...task, attention: "unordered-answer" });
  });

  test("is a late answer after an end, and no answer at all before anything was sent", () => {
    expect(attentionOf(after(historyOf({}, ...transmitted, "record-payer-void"), rejection, first))).toBe(
      "late-answer",
    );
    expect(decideOn(historyOf({}), rejection, first)).toMatchObject({ ok: false });
  });
});

describe("an update the payer took and refuses since", () => {
  const updated = [...wanted, "amend", ...sent, "record-acceptance"] as const;

  test("is for the agent to answer otherwise, and the payer still has the case", () => {
    const next = after(historyOf({}, ...updated), rejection, { ...update, correction: "final" });
    expect([stateOf(next), next.payer.payerReceipt, next.payer.informationRequest]).toEqual([
      "payer-needs-information",
      "yes",
      { text: reason, items: [] },
    ]);
    expect(decideOn(next, "amend").ok).toBe(true);
  });

  test("takes a further update with it that waits, and keeps what that was to answer", () => {
    const task = historyOf({}, ...updated, "record-information-request", "amend", "release");
    const next = after(task, rejection, update);
    expect([stateOf(next), next.payer.informationRequest]).toEqual([
      "payer-needs-information",
      task.payer.informationRequest,
    ]);
    expect(gatesOn(task, update)).toEqual(["superseded"]);
  });

  test("makes a new gate for a void that waits, for its votes saw another case", () => {
    const task = historyOf({}, ...updated, "request-void", "release");
    expect(gatesOn(task, update)).toEqual(["superseded", "void"]);
    expect(gateOf(after(task, rejection, update, { gate: voidGate }))?.id).toBe(voidGate.id);
  });

  test("settles the doubt whether it arrived", () => {
    const next = after(historyOf({}, ...wanted, "amend", ...sent, "record-unknown-outcome"), rejection, update);
    expect([stateOf(next), next.payer.payerReceipt, attentionOf(next)]).toEqual([
      "payer-needs-information",
      "yes",
      undefined,
    ]);
  });
});

test("a void in doubt that the payer refuses leaves the case with the payer", () => {
  const doubtful = historyOf(
    {},
    ...transmitted,
    "record-determination",
    "request-void",
    ...sent,
    "record-unknown-outcome",
  );
  const next = after(doubtful, "record-void-refusal", { reason });
  expect([stateOf(next), next.payer.payerReceipt, next.remark?.text]).toEqual(["determined", "yes", reason]);
});
