import { describe, expect, test } from "vitest";
import { attentionOf, canVoid, canWithdraw, stateOf, type Task } from "#lib/task/model/task";
import { attemptsMax, releaseAgeMaxMs } from "./submission-decisions.ts";
import { after, decideOn, historyOf, laterBy } from "./lifecycle.fixture.ts";

const sent = ["release", "claim", "start"] as const;
const doubtful = historyOf({}, ...sent, "record-unknown-outcome");
const again = after(doubtful, "claim-again");

describe("what is in doubt and sent once more", () => {
  test("is the same gate at its next attempt, and still cannot be withdrawn, recalled, held or settled", () => {
    expect(again.stage).toMatchObject({ kind: "submitting", attempt: 2, started: false, again: true });
    expect("gate" in again.stage && "gate" in doubtful.stage && again.stage.gate === doubtful.stage.gate).toBe(true);
    expect(canWithdraw(again)).toBe(false);
    for (const type of ["withdraw", "recall", "hold-again", "resolve-unconfirmed"] as const)
      expect(decideOn(again, type).ok).toBe(false);
  });

  test.each<[string, Task]>([
    ["certainly did not leave this time", after(again, "record-not-sent")],
    ["is refused for now", after(again, "record-rejection", { correction: "try-again" })],
    ["was never started before its lease lapsed", after(again, "lapse")],
    ["is not understood once more", after(again, "record-unknown-outcome")],
  ])("and %s stays in doubt, for the first time may have arrived", (_, next) => {
    expect([stateOf(next), next.payer.payerReceipt, attentionOf(next)]).toEqual([
      "transmit-unconfirmed",
      "maybe",
      "unconfirmed",
    ]);
    expect(next.stage).toMatchObject({ attempt: 2 });
  });

  test("is settled by the payer's answer", () => {
    const started = after(again, "start");
    expect(stateOf(after(started, "record-acceptance"))).toBe("transmitted");
    expect(after(started, "record-rejection")).toMatchObject({
      stage: { kind: "idle" },
      payer: { payerReceipt: "no" },
    });
  });

  test("goes so at most six times in all, within a day of its release, and never what a person carries", () => {
    const { stage } = doubtful as { stage: Extract<Task["stage"], { kind: "unconfirmed" }> };
    const at = new Date(stage.releasedAt.getTime() + releaseAgeMaxMs + 1);
    const often = { ...doubtful, stage: { ...stage, attempt: attemptsMax } };
    const manual = { ...doubtful, stage: { ...stage, gate: { ...stage.gate, manual: true } } };
    const answers = [
      decideOn(often, "claim-again"),
      decideOn(doubtful, "claim-again", { leaseUntil: laterBy(2 * releaseAgeMaxMs) }, { at }),
      decideOn(manual, "claim-again"),
    ];
    expect(answers.map((each) => !each.ok && each.refusal.type)).toEqual([
      "not-claimable",
      "release-too-old",
      "not-claimable",
    ]);
  });

  test("as a void leaves it in doubt as well, is done when the payer says so, and may be asked for anew when it refuses", () => {
    const leaving = historyOf(
      {},
      ...sent,
      "record-acceptance",
      "record-determination",
      "request-void",
      ...sent,
      "record-unknown-outcome",
    );
    const next = after(leaving, "claim-again");
    expect(stateOf(after(next, "record-not-sent"))).toBe("void-unconfirmed");
    const started = after(next, "start");
    expect(stateOf(after(started, "record-acceptance"))).toBe("voided");
    const refused = after(started, "record-rejection");
    expect([stateOf(refused), refused.payer.payerReceipt, canVoid(refused)]).toEqual(["determined", "yes", true]);
  });
});
