import { describe, expect, test } from "vitest";
import { canVoid, isAwaited, stateOf } from "#lib/task/model/task";
import { after, commandsOn, decideOn, historyOf } from "./lifecycle.fixture.ts";

const decided = ["release", "claim", "start", "record-acceptance", "record-determination"] as const;
const leaving = historyOf({}, ...decided, "request-void", "release", "claim", "start");
const taken = after(leaving, "record-acceptance", { pending: true });

describe("a void the payer took and has not done", () => {
  test("is under way, is followed, and is not asked for twice", () => {
    expect(stateOf(taken)).toBe("voiding");
    expect(isAwaited(taken)).toBe(true);
    expect(canVoid(taken)).toBe(false);
    expect(decideOn(taken, "request-void")).toMatchObject({ ok: false });
  });

  test("ends the case as voided by us when the payer says so", () => {
    const voided = after(taken, "record-payer-void");
    expect([stateOf(voided), voided.payer.voided, voided.payer.voidPending]).toEqual(["voided", "by-us", undefined]);
  });

  test("leaves the case as the payer decided it when the payer refuses", () => {
    const refused = after(taken, "record-void-refusal");
    expect([stateOf(refused), refused.remark?.text, canVoid(refused)]).toEqual([
      "determined",
      "services were given",
      true,
    ]);
  });

  test("lets a new decision be recorded without being forgotten", () => {
    const { determination } = commandsOn(taken)["record-determination"];
    const newer = { ...determination, id: "newer", decidedAt: new Date(9) };
    const next = after(taken, "record-determination", { determination: newer });
    expect([stateOf(next), next.payer.determination?.id]).toEqual(["voiding", "newer"]);
  });

  test("takes no amendment", () => {
    expect(decideOn(taken, "amend")).toMatchObject({ ok: false });
  });
});

test("a transmission is never pending as a void is", () => {
  const submitting = historyOf({}, "release", "claim", "start");
  const accepted = after(submitting, "record-acceptance", { pending: true });
  expect([stateOf(accepted), accepted.payer.voidPending]).toEqual(["transmitted", undefined]);
});

test("what is in doubt is asked about even after a decision", () => {
  expect(isAwaited(after(leaving, "record-unknown-outcome"))).toBe(true);
});
