import { describe, expect, test } from "vitest";
import { answered, type Spoil } from "#test/support/payer/pas/payer";
import { review } from "#test/support/payer/pas/response";
import { responseIn } from "#test/support/payer/pas/reply";
import { extensions } from "./vocabulary.ts";

describe("by AAA", () => {
  const errors =
    (...list: [reject: string, followUp?: string][]): Spoil =>
    (reply) => {
      const response = responseIn(reply);
      delete response["item"];
      response["error"] = list.map(([reject, followUp]) => ({
        code: {
          coding: [{ system: "https://codesystem.x12.org/005010/901", code: reject }],
        },
        extension: followUp
          ? [
              {
                url: extensions.errorFollowupAction,
                valueCodeableConcept: { coding: [{ code: followUp }] },
              },
            ]
          : [],
      }));
    };
  test.each<[Spoil, object]>([
    [errors(["72", "C"]), { type: "rejected", correction: "correctable" }],
    [errors(["72", "R"]), { type: "rejected", correction: "correctable" }],
    [errors(["95", "N"]), { type: "rejected", correction: "final" }],
    [errors(["42", "P"]), { type: "rejected", correction: "try-again" }],
    [errors(["42", "Y"]), { type: "accepted" }],
    [errors(["42", "S"]), { type: "accepted" }],
    [errors(["72", "C"], ["95", "N"]), { type: "rejected", correction: "final" }],
    [errors(["42", "P"], ["72", "C"]), { type: "rejected", correction: "correctable" }],
    [errors(["42", "P"], ["42", "Y"]), { type: "accepted" }],
    [errors(["04"]), { type: "rejected", correction: "correctable" }],
    [errors(["72", "Q"]), { type: "unknown" }],
  ])("case %#", async (spoil, expected) => {
    expect(await answered(spoil)).toMatchObject(expected);
  });

  test("a refusal and a decision in one answer are unknown", async () => {
    expect(
      await answered((reply) => void (responseIn(reply)["error"] = [{ code: { coding: [{ code: "72" }] } }])),
    ).toMatchObject({ type: "unknown" });
  });

  test.each<[string, object]>([
    ["a decision on the whole", { adjudication: review("A1") }],
    ["an item of the payer's own", { addItem: [{ adjudication: review("A1") }] }],
    ["an authorization number", { preAuthRef: "AUTH-1" }],
  ])("a refusal beside %s is unknown, and nothing is submitted again for it", async (_, members) => {
    const answer = await answered((reply) => {
      errors(["42", "P"])(reply);
      Object.assign(responseIn(reply), members);
    });
    expect(answer).toMatchObject({ type: "unknown" });
  });

  test("reasons name codes and element paths, and never a value", async () => {
    const answer = await answered((reply) => {
      errors(["M1000", "C"])(reply);
      const [error] = responseIn(reply)["error"] as { extension: unknown[] }[];
      error?.extension.push({
        url: extensions.errorPath,
        valueString: "Patient Robin Testperson 1980-02-29",
      });
    });
    expect(answer).toMatchObject({
      type: "rejected",
      reason: "The payer did not process the request: AAA without a known code (follow-up C).",
    });
  });
});
