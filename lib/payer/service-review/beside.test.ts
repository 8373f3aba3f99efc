import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Inquiry } from "#lib/payer/connector";
import type { ServiceReview } from "#lib/task/model/service-review";
import { aReview, aReviewBuild, transportTo } from "#test/support/payer/service-review/build";
import { aClearinghouse, marked } from "#test/support/payer/service-review/clearinghouse";
import { asking } from "#test/support/payer/service-review/inquire";
import { serviceReview } from "./connector.ts";

type Node = Readonly<Record<string, unknown>>;

// Safe because the file holds a JSON object.
const approved = JSON.parse(readFileSync("test/vectors/service-review/answers/approved.json", "utf8")) as Node;
const [line] = approved["procedures"] as readonly Node[];
const six = { procedures: [{ code: "97110", quantity: 6, quantityTypeCode: "VS" }] };
const json = { "Content-Type": "application/json" };

type Question = {
  readonly review?: Partial<ServiceReview>;
  readonly reference?: string | undefined;
  readonly environment?: "live" | "test";
  readonly headers?: Readonly<Record<string, string>>;
};

/** What the connector makes of this body, which a clearinghouse returns for a case of six visits. */
async function read(body: unknown, { review = six, environment = "test", headers, ...members }: Question = {}) {
  const text = JSON.stringify(body);
  const { url } = await aClearinghouse(() => ({ status: 200, headers: headers ?? { ...marked, ...json }, body: text }));
  const build = aReviewBuild({ url, environment, review: aReview(review) });
  const question = asking(build, { payerReference: "reference" in members ? members.reference : "SR-1" });
  const { route } = transportTo(url);
  const { answer } = await serviceReview.inquire(
    question,
    transportTo(url, route && { route: { ...route, environment } }),
  );
  return answer;
}

const answerTo = (members: Node, question: Question = {}): Promise<Inquiry> =>
  read({ ...approved, ...members }, question);
const onLine = (members: Node): Node => ({ procedures: [{ ...line, ...members }] });
const approval = { type: "match", answer: { type: "decided", determination: { outcome: "approved" } } };
const forPerson = { type: expect.stringMatching(/^(?:unclear|unknown)$/) };
const patient = approved["patient"] as Node;

describe("an approval that the rest of the same answer qualifies or contradicts is for a person", () => {
  test.each<[string, Node]>([
    ["a reason that asks for more", { statusReasons: [{ code: "0U" }] }],
    ["a reason on its line", onLine({ statusReasons: [{ code: "0P" }] })],
    ["a reason in words alone", { statusReasons: [{ value: "Second opinion required" }] }],
    ["an error of its validation", { validationMessages: [{ field: "procedures", errorMessage: "not covered" }] }],
    ["the members of an error", { userMessage: "The request failed.", errors: [{ code: "72" }] }],
    ["the reason code of an error alone", { reasonCode: 42 }],
    ["a status in words that denies", { status: "Not Certified" }],
    ["a status in words that pends", { status: "Pended for review" }],
    ["a status of the line in words that denies", onLine({ status: "Denied" })],
    ["a status of the line in words that certifies a part", onLine({ status: "Certified - partial" })],
    ["a denied part of its line", onLine({ details: [{ code: "97110", statusCode: "A3" }] })],
    ["a decision on its provider", { renderingProviders: [{ npi: "1234567893", statusCode: "A3" }] }],
    ["a decision on a diagnosis", { diagnoses: [{ code: "M54.16", statusCode: "A3" }] }],
    ["an answer within it", { serviceReviews: [{ ...approved, statusCode: "A3" }] }],
    ["an answer in a member nobody knows", { decision: { action: "A3" } }],
    ["a quantity in a member nobody knows", onLine({ approvedQuantity: "1" })],
    ["denied visits in a member nobody knows", onLine({ quantityDenied: 5 })],
    ["a condition in a member nobody knows", { conditions: ["Only with a referral"] }],
    ["further information of an update", { supplementalInformation: { updateType: "Reduced" } }],
    ["another authorization number beside it", { supplementalInformation: { refAuthNumber: "AUTH-9" } }],
    ["two authorization numbers of one line", onLine({ certificationNumber: "AUTH-8" })],
    ["a count of treatments", { chiropracticTreatmentCount: "3" }],
    ["a home health period of half its days", { homeHealthCertificationPeriodEndDate: "2026-12-15" }],
    ["its unit in words alone", onLine({ quantityTypeCode: null, quantityType: "Days" })],
    ["another unit without a quantity", onLine({ quantity: null, quantityTypeCode: "DY" })],
    ["another unit of the whole without a quantity", { quantityTypeCode: "DY" }],
    ["a modifier in words alone", onLine({ modifier1: "Reduced services" })],
    ["a quantity that is a bound", onLine({ quantity: "<6" })],
    ["a validity with a condition in it", { certificationExpirationDate: "2027-02-28 if notes are received" }],
    ["days with a condition in them", onLine({ fromDate: "2026-12-01 pending" })],
    ["an issue date nobody can read", { certificationIssueDate: "when notes are received" }],
    ["an issue date of its line in 2099", onLine({ certificationIssueDate: "2099-01-01" })],
    ["an issue date long before it was asked for", { certificationIssueDate: "2020-01-01" }],
    ["an issue date of its line long before it was asked for", onLine({ certificationIssueDate: "2020-01-01" })],
    ["an update long before it was asked for", { updatedDate: "2020-01-01T00:00:00.000+0000" }],
    ["another payer", { payer: { id: "P2000", name: "Other Health Plan" } }],
    ["another type of request", { requestTypeCode: "AR" }],
    ["another type of service", { serviceTypeCode: "1" }],
    ["only other diagnoses", { diagnoses: [{ code: "Z00.00", qualifierCode: "ABK" }] }],
    ["another list of procedure codes", onLine({ qualifierCode: "N4" })],
    ["a revenue code nobody asked for", onLine({ revenueCode: "0420" })],
    ["a patient of another relationship", { patient: { ...patient, subscriberRelationshipCode: "19" } }],
  ])("%s", async (_, members) => {
    expect(await answerTo(members)).toMatchObject(forPerson);
    const found = { serviceReviews: [{ ...approved, ...members }] };
    expect(await read(found, { reference: undefined })).toMatchObject(forPerson);
  });

  test.each<[string, Node]>([
    ["an error", { userMessage: "The search was not completed." }],
    ["a page before it", { links: { prev: { href: "/v2/service-reviews?offset=0" } } }],
    ["an offset", { offset: 50 }],
    ["a count of more than it lists", { count: 2 }],
    ["as many as fit on its page, and no total", { limit: 1 }],
  ])("in a list with %s", async (_, members) => {
    expect(await read({ serviceReviews: [approved], ...members }, { reference: undefined })).toMatchObject(forPerson);
  });

  test.each(["TRUE", "true, true", "1"])(
    "of a test plan that marks it %j, on a live payer connection",
    async (mark) => {
      const live = { environment: "live", headers: { ...json, "X-Api-Mock-Response": mark } } as const;
      expect(await answerTo({}, live)).toMatchObject(forPerson);
    },
  );

  test.each<[string, Node]>([
    [
      "nothing where it could have said more",
      { statusReasons: [], validationMessages: [], supplementalInformation: {} },
    ],
    ["blanks there", { statusReasons: [{ code: "", value: "" }], supplementalInformation: { updateType: "" } }],
    ["its status in words that agree", { status: "Certified in Total", ...onLine({ status: "Approved" }) }],
    ["its unit in words beside the code", onLine({ quantityType: "Visits" })],
    ["a note", { payerNotes: [{ message: "This is not a guarantee of payment." }] }],
    ["members that decide nothing", { sessionId: "7", links: { self: { href: "/v2/service-reviews/SR-1" } } }],
    ["the status of the patient", { patient: { ...patient, statusCode: "01", status: "Inpatient" } }],
    ["its payer in other letters", { payer: { id: "p1000" } }],
    ["one of its diagnoses without the point", { diagnoses: [{ code: "M5416" }, { code: "Z00.00" }] }],
  ])("and %s leaves it one", async (_, members) => {
    expect(await answerTo(members)).toMatchObject(approval);
  });

  test("and a denial that says why is a denial", async () => {
    const denied = { statusCode: "A3", status: "Not Certified", statusReasons: [{ code: "0V" }] };
    expect(await answerTo({ ...denied, ...onLine(denied) })).toMatchObject({
      answer: { determination: { outcome: "denied" } },
    });
  });
});
