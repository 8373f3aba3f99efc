import { expect, test } from "vitest";
import { attentionLabel, attentionText } from "./case.ts";
import { unconfirmedText } from "./unconfirmed.ts";

test("a manual void is told from a manual submission, and a void in doubt from a request in doubt", () => {
  expect(attentionLabel("manual-submission", "transmit-released")).toBe("Manual submission");
  expect(attentionLabel("manual-submission", "void-released")).toBe("Manual void");
  expect(attentionLabel("manual-submission", "voiding")).toBe("Manual void");
  expect(attentionText("manual-submission", "voiding")).not.toContain("Submit it");
  expect(attentionLabel("unconfirmed", "transmit-unconfirmed")).toBe("Submission status unknown");
  expect(attentionLabel("unconfirmed", "void-unconfirmed")).toBe("Void status unknown");
});

test("a submission in doubt says whether the payer's answer was not understood or none came", () => {
  expect(unconfirmedText("transmit", true)).toContain("It was submitted, and the payer's answer wasn't understood.");
  expect(unconfirmedText("void", false)).toContain("The void was submitted, and no complete answer was received.");
});
