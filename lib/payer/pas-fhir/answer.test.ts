import { describe, expect, test } from "vitest";
import type { PayerAnswer } from "#lib/payer/connector";
import { aBuild } from "#test/support/payer/pas/build";
import { answered, type Spoil } from "#test/support/payer/pas/payer";
import { aReplyTo, responseIn } from "#test/support/payer/pas/reply";
import { answerOf } from "./answer.ts";
import { pasFhir } from "./connector.ts";
import { readFrozenRequest } from "./frozen-request.ts";
import { extensions, systems } from "./vocabulary.ts";

const type = (expected: PayerAnswer["type"]) => expect.objectContaining({ type: expected });

const code = (action: string) => ({
  url: extensions.reviewAction,
  extension: [
    {
      url: extensions.reviewActionCode,
      valueCodeableConcept: {
        coding: [{ system: systems.reviewAction, code: action }],
      },
    },
  ],
});
const decide =
  (...actions: string[]): Spoil =>
  (reply) => {
    responseIn(reply)["item"] = actions.map((action, index) => ({
      itemSequence: index + 1,
      adjudication: [{ extension: [code(action)] }],
    }));
  };

/** What replaces the second item. */
const replacement = {
  itemSequence: [2],
  productOrService: { coding: [{ code: "97140" }] },
  quantity: { value: 1 },
};

describe("by review action, and never by outcome alone", () => {
  test.each<[string[], object]>([
    [["A1", "A1"], { type: "decided", determination: { outcome: "approved" } }],
    [["A1", "NA"], { type: "decided", determination: { outcome: "approved" } }],
    [["A3", "A3"], { type: "decided", determination: { outcome: "denied" } }],
    [["A1", "A3"], { type: "decided", determination: { outcome: "partially-approved" } }],
    [["A2", "A2"], { type: "decided", determination: { outcome: "partially-approved" } }],
    [["A1", "A6"], { type: "decided", determination: { outcome: "modified" } }],
    [["NA", "A3"], { type: "decided", determination: { outcome: "denied" } }],
    [["NA", "NA"], { type: "decided", determination: { outcome: "not-required" } }],
    [["A1", "A4"], { type: "accepted" }],
    [["C", "C"], { type: "cancelled" }],
    [["A1", "CT"], { type: "contact-payer" }],
    [["A1", "C"], { type: "unclear" }],
    [["A1", "A9"], { type: "unclear" }],
    [["A1", "constructor"], { type: "unclear" }],
    [["A1"], { type: "unknown" }],
    [["A1", "A1", "A1"], { type: "unknown" }],
  ])("%j", async (actions, expected) => {
    const answer = await answered((reply) => {
      decide(...actions)(reply);
      if (actions.includes("A6")) responseIn(reply)["addItem"] = [replacement];
    });
    expect(answer).toMatchObject(expected);
  });

  test.each<[string, string[], PayerAnswer["type"]]>([
    ["error", ["A1", "A1"], "unknown"],
    ["error", ["A3", "A3"], "unknown"],
    ["error", ["A4", "A4"], "unknown"],
    ["nonsense", ["A1", "A1"], "unknown"],
    ["queued", ["A1", "A1"], "unclear"],
    ["queued", ["A3", "A3"], "unclear"],
    ["partial", ["A1", "A1"], "unclear"],
  ])("a processing outcome %s beside %j is for a person", async (outcome, actions, expected) => {
    const answer = await answered((reply) => {
      decide(...actions)(reply);
      responseIn(reply)["outcome"] = outcome;
    });
    expect(answer).toEqual(type(expected));
  });

  test("a payer that queues what it pends is understood", async () => {
    const answer = await answered((reply) => {
      decide("A4", "A4")(reply);
      responseIn(reply)["outcome"] = "queued";
    });
    expect(answer).toEqual(type("accepted"));
  });

  test("an action of another code system is no action", async () => {
    const answer = await answered((reply) =>
      JSON.parse(JSON.stringify(reply).replaceAll(systems.reviewAction, "http://example.org/own-codes")),
    );
    expect(answer).toEqual(type("unclear"));
  });

  test("two actions on one item contradict each other", async () => {
    const answer = await answered((reply) => {
      responseIn(reply)["item"] = [1, 2].map((itemSequence) => ({
        itemSequence,
        adjudication: [{ extension: [code("A1"), code("A3")] }],
      }));
    });
    expect(answer).toEqual(type("unclear"));
  });

  test("a modification says what was authorized instead", async () => {
    expect(await answered(() => undefined, { memberId: "M-MOD" })).toMatchObject({
      type: "decided",
      determination: {
        outcome: "modified",
        lines: [
          {
            requested: { code: "97110" },
            authorized: { code: "97110", quantity: 1, unit: "UN" },
          },
          {},
        ],
      },
    });
  });

  test("a pended answer carries the payer's reference, a denial its reason codes and notes", async () => {
    expect(await answered(() => undefined, { memberId: "M-PEND" })).toEqual({
      type: "accepted",
      reference: expect.stringMatching(/^REF-/),
      receivedAt: expect.any(Date),
    });
    expect(await answered(() => undefined, { memberId: "M-DENY" })).toMatchObject({
      determination: {
        lines: [{ action: "A3", reasons: ["0V"] }, {}],
        notes: [expect.any(String)],
      },
    });
  });
});

describe("by echo", () => {
  test.each<[string, Spoil]>([
    [
      "another trace number",
      (reply) => void (responseIn(reply)["identifier"] = [{ system: "urn:trnorg:9123456789", value: "other-1-T" }]),
    ],
    [
      "another Claim",
      (reply) =>
        void (responseIn(reply)["request"] = {
          reference: "urn:uuid:00000000-0000-5000-8000-000000000000",
        }),
    ],
    [
      "nothing that names the request",
      (reply) => {
        delete reply["identifier"];
        delete responseIn(reply)["identifier"];
        delete responseIn(reply)["request"];
      },
    ],
    [
      "another patient",
      (reply) =>
        void (responseIn(reply)["patient"] = {
          reference: "urn:uuid:00000000-0000-5000-8000-000000000000",
        }),
    ],
    [
      "another member under our address",
      (reply) => JSON.parse(JSON.stringify(reply).replaceAll('"value":"M1000"', '"value":"M2000"')),
    ],
    ["another item", (reply) => JSON.parse(JSON.stringify(reply).replace('"itemSequence":2', '"itemSequence":3'))],
    ["one item twice", (reply) => JSON.parse(JSON.stringify(reply).replace('"itemSequence":2', '"itemSequence":1'))],
    ["a status that is not active", (reply) => void (responseIn(reply)["status"] = "draft")],
    ["another use", (reply) => void (responseIn(reply)["use"] = "claim")],
    [
      "two ClaimResponses",
      (reply) =>
        void (reply["entry"] as unknown[]).push({
          fullUrl: "urn:uuid:2",
          resource: { resourceType: "ClaimResponse" },
        }),
    ],
    ["the mark of live data", (reply) => JSON.parse(JSON.stringify(reply).replaceAll("HTEST", "production"))],
    [
      "the subscriber's brother under the same member id",
      (reply) => JSON.parse(JSON.stringify(reply).replaceAll('"given":["Robin"]', '"given":["Ralph"]')),
    ],
    ["a patient of another sex", (reply) => JSON.parse(JSON.stringify(reply).replaceAll('"female"', '"male"'))],
    [
      "a patient born on another day",
      (reply) => JSON.parse(JSON.stringify(reply).replaceAll("1980-02-29", "1981-03-01")),
    ],
    [
      "days that were not asked for",
      (reply) => {
        const [item] = responseIn(reply)["item"] as { extension: unknown[] }[];
        item?.extension.push({ url: extensions.itemRequestedServiceDate, valuePeriod: { start: "2020-01-01" } });
      },
    ],
  ])("an answer with %s is unknown", async (_, spoil) => {
    expect(await answered(spoil)).toEqual(type("unknown"));
  });

  test.each<[string, Spoil]>([
    [
      "the trace number alone",
      (reply) => {
        delete reply["identifier"];
        delete responseIn(reply)["request"];
      },
    ],
    [
      "our bundle's identifier alone",
      (reply) => {
        const [call] = pasFhir.build(aBuild());
        reply["identifier"] = { system: systems.uri, value: call && readFrozenRequest(call)?.bundleId };
        delete responseIn(reply)["identifier"];
        delete responseIn(reply)["request"];
      },
    ],
    [
      "the trace number, in a bundle with an identifier of the payer's own",
      (reply) => {
        reply["identifier"] = { system: systems.uri, value: "urn:uuid:00000000-0000-5000-8000-000000000000" };
        delete responseIn(reply)["request"];
      },
    ],
    [
      "the trace number, without a test marker",
      (reply) => JSON.parse(JSON.stringify(reply).replaceAll("HTEST", "OTHER")),
    ],
    [
      "the Claim alone",
      (reply) => {
        delete reply["identifier"];
        delete responseIn(reply)["identifier"];
      },
    ],
    [
      "identifiers of the payer's own beside ours",
      (reply) =>
        void (responseIn(reply)["identifier"] as unknown[]).push({
          system: "https://payer.test/case",
          value: "77",
        }),
    ],
    ["the marker as a security label", (reply) => JSON.parse(JSON.stringify(reply).replaceAll('"tag"', '"security"'))],
  ])("an answer that names the request by %s is understood", async (_, spoil) => {
    expect(await answered(spoil)).toMatchObject({ type: "decided" });
  });

  test("a live request is not decided by test data", () => {
    const [call] = pasFhir.build(aBuild({ environment: "live" }));
    const sent = call && readFrozenRequest(call);
    expect(
      sent &&
        answerOf(sent, {
          kind: "reply",
          status: 200,
          contentType: "application/json",
          headers: {},
          retryAfterMs: undefined,
          bytes: Buffer.from(JSON.stringify(aReplyTo(call))),
        }),
    ).toMatchObject({
      type: "unknown",
      reason: expect.stringContaining("HTEST"),
    });
  });
});
