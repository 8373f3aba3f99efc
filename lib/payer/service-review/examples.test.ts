import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { aReview, aReviewBuild, transportTo } from "#test/support/payer/service-review/build";
import { aClearinghouse, marked, type Script } from "#test/support/payer/service-review/clearinghouse";
import { asking } from "#test/support/payer/service-review/inquire";
import { serviceReview } from "./connector.ts";

const folder = "test/vectors/service-review/answers";
const exampleOf = (name: string) => readFileSync(`${folder}/${name}`, "utf8");
// As the vendor writes it, and not only as we would.
const json = { ...marked, "Content-Type": "application/json;charset=UTF-8" };
const review = aReview({ procedures: [{ code: "97110", quantity: 6, quantityTypeCode: "VS" }] });

async function ask(script: Script, payerReference?: string) {
  const { url } = await aClearinghouse(() => script);
  const question = asking(aReviewBuild({ url, review }), { payerReference });
  return (await serviceReview.inquire(question, transportTo(url))).answer;
}

async function send(script: Script) {
  const { url } = await aClearinghouse(() => script);
  return (await serviceReview.send(serviceReview.build(aReviewBuild({ url, review })), transportTo(url))).answer;
}

const read = (name: string) => ask({ status: 200, headers: json, body: exampleOf(name) }, "SR-1");
const decided = (determination: object) => ({ type: "match", answer: { type: "decided", determination } });

const meant = {
  "approved.json": () => [
    read("approved.json"),
    decided({ outcome: "approved", authorizationNumber: "AUTH-7", validFrom: "2026-12-01", validTo: "2027-02-28" }),
  ],
  "denied.json": () => [read("denied.json"), decided({ outcome: "denied", lines: [{ reasons: ["0V"] }] })],
  "modified.json": () => [
    read("modified.json"),
    decided({ outcome: "modified", lines: [{ requested: { quantity: 6 }, authorized: { quantity: 3 } }] }),
  ],
  "pended.json": () => [
    read("pended.json"),
    {
      type: "match",
      answer: { type: "accepted", reference: "SR-1", informationRequest: { text: "Send the plan of care." } },
    },
  ],
  "not-processed.json": () => [
    read("not-processed.json"),
    { type: "rejected", reason: expect.stringContaining("subscriber.memberId[0]: The member id is not valid. (72)") },
  ],
  "found.json": () => [
    ask({ status: 200, headers: json, body: exampleOf("found.json") }),
    decided({ outcome: "approved", reference: "SR-1" }),
  ],
  "refused.json": () => [
    send({ status: 400, headers: json, body: exampleOf("refused.json") }),
    { type: "rejected", reason: expect.stringContaining("patient.birthDate: The birth date is not valid. (58)") },
  ],
} as const satisfies Record<string, () => readonly [Promise<unknown>, object]>;

test.each(Object.entries(meant))("%s is read as the contract means it", async (_, example) => {
  const [answer, expected] = example();
  expect(await answer).toMatchObject(expected);
});

test("every example is read by a test", () => {
  expect(
    readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .toSorted(),
  ).toEqual(Object.keys(meant).toSorted());
});

test("a 403 that says what is forbidden stops, with its reason; one that says nothing is tried again", async () => {
  const forbidden = { userMessage: "Forbidden", errors: [{ field: "payer.id", errorMessage: "is not yours to ask" }] };
  for (const headers of [json, { "Content-Type": "application/json" }])
    expect(await send({ status: 403, headers, body: forbidden })).toEqual({
      type: "rejected",
      correction: "correctable",
      reason: "The payer refused the request (HTTP 403): payer.id: is not yours to ask.",
    });
  expect(await send({ status: 403 })).toMatchObject({ type: "notSent" });
});
