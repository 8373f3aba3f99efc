import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Inquiry } from "#lib/payer/connector";
import type { ServiceReview } from "#lib/task/model/service-review";
import { aReview, aReviewBuild, transportTo } from "#test/support/payer/service-review/build";
import { aClearinghouse, marked } from "#test/support/payer/service-review/clearinghouse";
import { asking } from "#test/support/payer/service-review/inquire";
import { serviceReview } from "./connector.ts";

type Node = Readonly<Record<string, unknown>>;

/** An approval of six visits, written by hand as a clearinghouse hands it back. */
// Safe because the file holds a JSON object.
const approved = JSON.parse(readFileSync("test/vectors/service-review/answers/approved.json", "utf8")) as Node;
const [line] = approved["procedures"] as readonly Node[];
const six = { procedures: [{ code: "97110", quantity: 6, quantityTypeCode: "VS" }] };

type Request = { readonly review?: Partial<ServiceReview>; readonly reference?: string | undefined };

/** What the connector makes of this body, on a case of six visits. */
async function read(body: unknown, { review = six, ...context }: Request = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const headers = { ...marked, "Content-Type": "application/json" };
  const { url, seen } = await aClearinghouse(() => ({ status: 200, headers, body: text }));
  const question = asking(aReviewBuild({ url, review: aReview(review) }), {
    payerReference: "reference" in context ? context.reference : "SR-1",
  });
  const { answer } = await serviceReview.inquire(question, transportTo(url));
  return { answer, seen };
}

const answerTo = async (members: Node, request: Request = {}): Promise<Inquiry> =>
  (await read({ ...approved, ...members }, request)).answer;
const onLine = (members: Node): Node => ({ procedures: [{ ...line, ...members }] });
const whole = (statusCode: string, members: Node = {}): Node => ({ statusCode, ...onLine({ statusCode, ...members }) });
const approval = { type: "match", answer: { type: "decided", determination: { outcome: "approved" } } };

test("an approval of exactly what was asked is an approval", async () => {
  expect(await answerTo({})).toMatchObject(approval);
});

describe("an action code is not the whole answer: A1", () => {
  test.each<[string, Node]>([
    ["for 0 of 6 visits", onLine({ quantity: "0" })],
    ["for 1 of 6 visits", onLine({ quantity: "1" })],
    ["for 1 of 6 visits, written as a number", onLine({ quantity: 1 })],
    ["for 8 of 6 visits", onLine({ quantity: "8" })],
    ["for 0 of 6 visits, said of the whole", { quantity: "0", quantityTypeCode: "VS" }],
    ["for 1 of 6 visits, said of the whole", { quantity: "1", quantityTypeCode: "VS" }],
    ["for six days instead of visits", onLine({ quantityTypeCode: "DY" })],
    ["for a quantity nobody can read", onLine({ quantity: "six" })],
    ["for the procedure with a modifier nobody asked for", onLine({ modifierCode1: "52" })],
    ["for days in 2020", onLine({ fromDate: "2020-12-01", toDate: "2020-12-31" })],
    ["for days in 2020, said of the whole", { fromDate: "2020-12-01", toDate: "2020-12-31" }],
    ["for half of the days", onLine({ fromDate: "2026-12-01", toDate: "2026-12-15" })],
    ["for days nobody can read", onLine({ fromDate: "12/01/2020" })],
    [
      "with a validity that ended in 2020",
      { certificationEffectiveDate: "2020-01-01", certificationExpirationDate: "2020-12-31" },
    ],
    ["with a validity of the line that ended in 2020", onLine({ certificationExpirationDate: "2020-12-31" })],
    ["with a validity that ends before the service does", { certificationExpirationDate: "2026-12-15" }],
    ["with A3 for the whole", { statusCode: "A3" }],
    ["with A4 for the whole", { statusCode: "A4" }],
    ["with A2 for the whole", { statusCode: "A2" }],
    ["for another provider", { renderingProviders: [{ npi: "1999999992", lastName: "OTHER" }] }],
    ["for a provider nobody can identify", { renderingProviders: [{ payerAssignedProviderId: "X7" }] }],
    ["decided in 2099", { updatedDate: "2099-01-01T00:00:00.000+0000" }],
    ["issued in 2099", { certificationIssueDate: "2099-01-01" }],
  ])("%s is for a person", async (_, members) => {
    expect(await answerTo(members)).toMatchObject({ type: "unclear" });
  });

  test("that authorizes the requesting provider, where the request names another for the service, is for a person", async () => {
    const { requestingProvider: rendering = {} } = aReview();
    const asking = { ...rendering, npi: "1999999992", taxId: undefined };
    const review = { ...six, requestingProvider: asking, renderingProviders: [rendering] };
    const authorized = (provider: Node) => ({ requestingProvider: asking, renderingProviders: [provider] });
    expect(await answerTo(authorized(asking), { review })).toMatchObject({ type: "unclear" });
    expect(await answerTo(authorized(rendering), { review })).toMatchObject(approval);
  });

  test.each<[string, Node]>([
    ["for another procedure", onLine({ code: "97112" })],
    ["with a refusal of the whole", { statusCode: "19" }],
    ["asked by another practice", { requestingProvider: { npi: "1999999992", lastName: "OTHER" } }],
  ])("%s leaves open what the payer has", async (_, members) => {
    expect(await answerTo(members)).toMatchObject({ type: "unknown" });
  });

  test("valid from the day of the request for a service that had begun is an approval, and from a later day is for a person", async () => {
    const days = { fromDate: "2026-11-01", toDate: "2026-12-31" };
    const from = (day: string) =>
      answerTo(
        { ...days, certificationIssueDate: null, certificationEffectiveDate: day },
        { review: { ...six, ...days } },
      );
    expect(await from("2026-11-19")).toMatchObject(approval);
    expect(await from("2026-11-26")).toMatchObject({ type: "unclear" });
    const issued = { ...days, certificationIssueDate: "2020-01-01", certificationExpirationDate: "2026-11-10" };
    expect(await answerTo(issued, { review: { ...six, ...days } })).toMatchObject({ type: "unclear" });
  });

  test("what contradicts it is told by line and quantity", async () => {
    expect(await answerTo(onLine({ quantity: "1" }))).toEqual({
      type: "unclear",
      reference: "SR-1",
      reason: "The reply contradicts itself or the request. Line 1 (A1) is certified for 1 of 6.",
    });
  });
});

describe("a decision of other kinds is held against the request as well", () => {
  test.each<[string, Node]>([
    ["A6 to 0 visits", whole("A6", { quantity: "0" })],
    ["A6 to nothing it says", whole("A6")],
    ["A6 for another provider", { ...whole("A6", { quantity: "3" }), renderingProviders: [{ npi: "1999999992" }] }],
    ["A2 of more than was asked", whole("A2", { quantity: "8" })],
    ["A2 of nothing", whole("A2", { quantity: "0" })],
    ["A3 under A1 for the whole", { statusCode: "A1", ...onLine({ statusCode: "A3" }) }],
  ])("%s is for a person", async (_, members) => {
    expect(await answerTo(members)).toMatchObject({ type: "unclear" });
  });

  test("A6 to three visits is a modification to three visits", async () => {
    expect(await answerTo(whole("A6", { quantity: "3" }))).toMatchObject({
      answer: { determination: { outcome: "modified", lines: [{ authorized: { quantity: 3, unit: "VS" } }] } },
    });
  });

  test("A2 or A6 for the whole of several lines, none of which says its own, is for a person", async () => {
    const request = { review: { procedures: [...six.procedures, { code: "97112" }] } };
    const silent = { procedures: [{ code: "97110" }, { code: "97112" }] };
    for (const statusCode of ["A2", "A6"])
      expect(await answerTo({ statusCode, ...silent }, request)).toMatchObject({ type: "unclear" });
    expect(await answerTo({ statusCode: "A3", ...silent }, request)).toMatchObject({
      answer: { determination: { outcome: "denied" } },
    });
  });
});

describe("what was asked for the whole request counts on its lines", () => {
  const request = { review: { quantity: 6, quantityTypeCode: "VS", procedures: [{ code: "97110" }] } };
  const handedBack = { quantity: "6", quantityTypeCode: "VS", ...onLine({ quantity: null, quantityTypeCode: null }) };

  test("handed back as it was asked it is an approval", async () => {
    expect(await answerTo(handedBack, request)).toMatchObject(approval);
  });

  test.each<[string, Node]>([
    ["the whole", { ...handedBack, quantity: "1" }],
    ["the line", { ...handedBack, ...onLine({ quantity: "1" }) }],
  ])("1 of 6 visits said of %s is for a person", async (_, members) => {
    expect(await answerTo(members, request)).toMatchObject({ type: "unclear" });
  });
});

describe("an answer about somebody else", () => {
  const patient = approved["patient"] as Node;
  const subscriber = approved["subscriber"] as Node;
  const brother = { ...patient, firstName: "RALPH", genderCode: "M", birthDate: "1983-05-01" };

  test.each<[string, Node]>([
    ["the subscriber's brother", { patient: brother }],
    ["a patient of another first name", { patient: { ...patient, firstName: "RALPH" } }],
    ["a patient of the other sex", { patient: { ...patient, genderCode: "M" } }],
    ["a patient born on another day", { patient: { ...patient, birthDate: "1983-05-01" } }],
    ["another subscriber under the same member id", { subscriber: { ...subscriber, firstName: "RALPH" } }],
    ["another member", { subscriber: { ...subscriber, memberId: "M2" } }],
  ])("about %s is for a person", async (_, members) => {
    expect(await answerTo(members)).toMatchObject({ type: "unknown" });
    const found = await read({ serviceReviews: [{ ...approved, ...members }] }, { reference: undefined });
    expect(found.answer).toMatchObject({ type: "unknown" });
  });

  test("what it leaves out or writes otherwise contradicts nothing", async () => {
    expect(await answerTo({ patient: null, requestingProvider: null })).toMatchObject(approval);
    const written = { ...patient, middleName: "Q", suffix: "JR", genderCode: null };
    expect(await answerTo({ patient: written })).toMatchObject(approval);
  });
});

describe("a search", () => {
  const unnamed = { ...approved, id: "SR-7", providerNotes: [] };
  const search = (...serviceReviews: Node[]) => read({ serviceReviews }, { reference: undefined });

  test("names nothing that its answer could only repeat, and takes what the payer has from the request itself", async () => {
    const { answer, seen } = await search(approved);
    expect(seen.map(({ path }) => path).join()).not.toContain("019335d2");
    expect(answer).toMatchObject(approval);
  });

  test.each<[string, Node[]]>([
    ["one case that may be ours and does not name our request", [unnamed]],
    ["several that may be ours", [unnamed, { ...unnamed, id: "SR-8" }]],
    ["our trace number on two cases", [approved, { ...approved, id: "SR-8" }]],
    ["our trace number on a case for another procedure", [{ ...approved, ...onLine({ code: "97112" }) }]],
    [
      "our trace number on a case in progress for another procedure",
      [{ ...approved, statusCode: "0", ...onLine({ code: "97112", statusCode: null }) }],
    ],
  ])("that finds %s is for a person", async (_, found) => {
    expect((await search(...found)).answer).toMatchObject({ type: "unknown" });
  });

  test("that finds our trace number on a case for 1 of 6 visits finds our case, and a person reads what was decided", async () => {
    const found = { ...approved, ...onLine({ quantity: "1" }) };
    expect((await search(found)).answer).toMatchObject({ type: "unclear", reference: approved["id"] });
  });

  test("that finds only cases for other services or days finds none", async () => {
    const other = { ...unnamed, ...onLine({ code: "97112" }) };
    const earlier = { ...unnamed, fromDate: "2026-01-01", toDate: "2026-01-31" };
    expect((await search(other, earlier)).answer).toEqual({ type: "none" });
  });

  test.each<[string, Node]>([
    ["a total of more", { totalCount: 51 }],
    ["a next page", { links: { next: { href: "/v2/service-reviews?offset=50" }, prev: null } }],
  ])("that shows %s than it listed is for a person", async (_, members) => {
    const { answer } = await read({ serviceReviews: [approved], ...members }, { reference: undefined });
    expect(answer).toMatchObject({ type: "unknown" });
  });

  test("that lists all there is, without relations to other pages, is read", async () => {
    const links = { self: { href: "/v2/service-reviews" }, next: null, prev: null };
    const body = { totalCount: 1, count: 1, offset: 0, limit: 50, links, serviceReviews: [approved] };
    expect((await read(body, { reference: undefined })).answer).toMatchObject(approval);
  });
});

test.each([
  ["of the whole", (text: string) => text.replace('"statusCode":"A1"', '"statusCode":"A3","statusCode":"A1"')],
  ["of a line", (text: string) => text.replace('"quantity":"6"', '"quantity":"1","quantity":"6"')],
  ["written with an escape", (text: string) => text.replace('"id":"SR-1"', '"id":"SR-1","\\u0069d":"SR-1"')],
])("an answer that gives a name %s twice is unreadable", async (_, spoil) => {
  const text = spoil(JSON.stringify(approved));
  expect(text).not.toBe(JSON.stringify(approved));
  expect((await read(text)).answer).toEqual({ type: "unknown", reason: "The payer's reply is not a service review." });
  const page = await read(`{"serviceReviews":[${text}]}`, { reference: undefined });
  expect(page.answer).toEqual({ type: "unknown", reason: "The payer's reply is not a list of service reviews." });
});
