import { expect, test } from "vitest";
import { example } from "#test/support/payer/pas/example";
import { answered } from "#test/support/payer/pas/payer";
import { responseIn, type Json } from "#test/support/payer/pas/reply";
import { extensions, systems } from "./vocabulary.ts";

const official = example("2.2.1/CommunicationRequest-CommunicationRequestExample") as Json;

/** A pended reply that asks for these, each in an entry of its own. */
const asking =
  (...requests: Json[]) =>
  (reply: Json) => {
    responseIn(reply)["communicationRequest"] = requests.map((_, index) => ({ reference: `urn:uuid:asked-${index}` }));
    const entries = requests.map((resource, index) => ({ fullUrl: `urn:uuid:asked-${index}`, resource }));
    (reply["entry"] as unknown[]).push(...entries.filter(({ resource }) => Object.keys(resource).length > 0));
  };
const pended = { memberId: "M-PEND" };
const requestWith = (members: Json): Json => ({ resourceType: "CommunicationRequest", status: "active", ...members });
const concept = (system: string, code: string) => ({ coding: [{ system, code }] });

test("the official request for more is read: its PWK code, its LOINC code, its line and its number", async () => {
  expect(await answered(asking(official), pended)).toEqual({
    type: "accepted",
    reference: expect.stringMatching(/^REF-/),
    receivedAt: expect.any(Date),
    informationRequest: {
      text: "The payer needs more before it decides: reason for admission (PWK 15) for line 1; the treatment plan (LOINC 18776-5) for line 1.",
      items: [
        {
          kind: "document",
          code: { system: "pwk", value: "15" },
          label: "reason for admission",
          line: 1,
          trace: "12345678901",
        },
        {
          kind: "document",
          code: { system: "loinc", value: "18776-5" },
          label: "the treatment plan",
          line: 1,
          trace: "12345678901",
        },
      ],
    },
  });
});

test("what the reply brings and its response doesn't refer to is asked for too", async () => {
  const answer = await answered((reply) => {
    asking(requestWith({ payload: [{ contentString: "The operative note." }] }))(reply);
    delete responseIn(reply)["communicationRequest"];
  }, pended);
  expect(answer).toMatchObject({ informationRequest: { items: [{ label: "The operative note." }] } });
});

test("a payer's questionnaire asks for answers, and its context is the trace number of its line", async () => {
  const answer = await answered((reply) => {
    const line = { url: extensions.serviceLineNumber, valuePositiveInt: 2 };
    asking(requestWith({ payload: [{ extension: [line], contentString: "102089-0" }] }))(reply);
    const [, second] = responseIn(reply)["item"] as { extension: unknown[] }[];
    second?.extension.push({ url: extensions.itemTraceNumber, valueIdentifier: { value: "DTR-7" } });
  }, pended);
  expect(answer).toMatchObject({
    informationRequest: {
      items: [{ kind: "answer", code: { system: "loinc", value: "102089-0" }, line: 2, trace: "DTR-7" }],
    },
  });
});

test("the payer's own words and its own codes are carried as they came, with the day it needs them by", async () => {
  const wording = requestWith({
    category: [concept("https://payer.test/codes", "XRAY")],
    payload: [{ contentString: "Two views of the knee" }],
    occurrencePeriod: { end: "2026-12-24" },
  });
  const answer = await answered((reply) => {
    asking(wording)(reply);
    responseIn(reply)["processNote"] = [{ text: "Please send images." }];
  }, pended);
  expect(answer).toMatchObject({
    informationRequest: {
      text: "Please send images.",
      dueBy: "2026-12-24",
      items: [
        { kind: "document", code: { system: "payer", value: "XRAY" } },
        { kind: "answer", label: "Two views of the knee" },
      ],
    },
  });
});

test.each<[string, Json, object]>([
  ["the bundle does not bring", {}, { kind: "answer" }],
  ["no code or word describes", requestWith({}), { kind: "answer" }],
  ["cannot be read", requestWith({ category: "none" }), { kind: "answer" }],
])("a request that %s still is one", async (_, request, item) => {
  expect(await answered(asking(request), pended)).toMatchObject({
    type: "accepted",
    informationRequest: { text: "The payer needs more before it decides: something it didn't name.", items: [item] },
  });
});

test("a request that is over asks for nothing, and an approval that asks for more is for a person", async () => {
  const over = await answered(asking({ ...official, status: "completed" }), pended);
  expect(over.type === "accepted" && over.informationRequest).toBe(undefined);
  expect(await answered(asking({ ...official, status: "completed" }))).toMatchObject({ type: "decided" });
  expect(await answered(asking(official))).toMatchObject({ type: "unclear" });
});

test("what a payer asks for is kept within what a person can read", async () => {
  const category = Array.from({ length: 50 }, (_, at) => concept(systems.attachment, `Z${at}`));
  const answer = await answered(asking(requestWith({ category }), requestWith({ category })), pended);
  expect(answer.type === "accepted" && answer.informationRequest?.items).toHaveLength(50);
});
