import { expect, test } from "vitest";
import { examples } from "#lib/task/model/lifecycle/lifecycle.fixture";
import { states } from "#lib/task/model/task";
import { payerHasRevision, payerHasText } from "./payer-has.ts";

type Submission = Parameters<typeof payerHasText>[0]["submissions"][number];
const sent = (result: Submission["result"]) => [{ action: "transmit", result } as Submission];

test.each(states)(
  "of a case that is %s nobody is told that nothing was submitted while the payer has or may have it",
  (state) => {
    const { payerReceipt } = examples[state].payer;
    const text = payerHasText({ payerReceipt, submissions: [] });
    expect(text === "Not submitted.").toBe(payerReceipt === "no");
    expect(text).toBe(
      {
        no: "Not submitted.",
        maybe: "The payer may have the earlier request.",
        yes: "The payer has the earlier request.",
      }[payerReceipt],
    );
  },
);

test("what the payer refused was submitted", () => {
  expect(payerHasText({ payerReceipt: "no", submissions: sent("refused") })).toBe(
    "The payer rejected the earlier request.",
  );
  expect(payerHasText({ payerReceipt: "no", submissions: sent("not-received") })).toBe(
    "The payer has no record of the earlier request.",
  );
});

test("notes count as submitted once the payer has their revision, and not while an update waits", () => {
  const revision = { number: 2 } as Parameters<typeof payerHasRevision>[0]["revision"];
  const at = (payerReceipt: "yes" | "no" | "maybe", number: number) =>
    payerHasRevision({ payerReceipt, revision, requested: { revision: number, lines: [] } });
  expect([at("no", 2), at("maybe", 2), at("yes", 1), at("yes", 2)]).toEqual([false, false, false, true]);
});
