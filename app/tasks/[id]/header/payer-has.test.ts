import { expect, test } from "vitest";
import { examples } from "#lib/task/model/lifecycle/lifecycle.fixture";
import { states } from "#lib/task/model/task";
import { payerHasText } from "./payer-has.ts";

type Sending = Parameters<typeof payerHasText>[0]["sendings"][number];
const sent = (result: Sending["result"]) => [{ action: "transmit", result } as Sending];

test.each(states)(
  "of a case that is %s nobody is told that nothing was submitted while the payer has or may have it",
  (state) => {
    const { payerReceipt: holds } = examples[state].payer;
    const said = payerHasText({ holds, sendings: [] });
    expect(said === "Not submitted.").toBe(holds === "no");
    expect(said).toBe(
      {
        no: "Not submitted.",
        maybe: "The payer may have the earlier request.",
        yes: "The payer has the earlier request.",
      }[holds],
    );
  },
);

test("what the payer refused was submitted", () => {
  expect(payerHasText({ holds: "no", sendings: sent("refused") })).toBe("The payer rejected the earlier request.");
  expect(payerHasText({ holds: "no", sendings: sent("not-received") })).toBe(
    "The payer has no record of the earlier request.",
  );
});
