import { describe, expect, test } from "vitest";
import type { PayerAnswer, InquiryRequest, Build, Inquiry } from "#lib/payer/connector";
import { documentDigest } from "#lib/payer/digest";
import { serviceReview } from "#lib/payer/service-review/connector";
import { aReview, aReviewBuild, anUpdate, transportTo } from "#test/support/payer/service-review/build";
import { aSimulator, type RunningSimulator } from "#test/support/payer/simulator";

/** Longer than the clearinghouse works on anything, and than the payer takes over a decision. */
const aWhile = { forwardMs: 61_000 };

function forMember(url: string, memberId: string): Build {
  const procedures = [{ code: "97110", quantity: 8, quantityTypeCode: "VS" }, { code: "97112" }];
  return aReviewBuild({ url, review: aReview({ subscriber: { memberId }, procedures }) });
}

const send = async (from: Build): Promise<PayerAnswer> =>
  (await serviceReview.send(serviceReview.build(from), transportTo(from.destination.url ?? ""))).answer;

async function inquire(from: Build, members: Partial<InquiryRequest> = {}): Promise<Inquiry> {
  const { action: _, reason: __, ...request } = from;
  const sent = serviceReview.build({ ...from, action: "transmit" });
  return (await serviceReview.inquire({ ...request, sent, ...members }, transportTo(from.destination.url ?? "")))
    .answer;
}

const referenceOf = (answer: PayerAnswer) => (answer.type === "accepted" ? answer.reference : undefined);

/** A case that was taken, and its id. */
async function taken({ url }: RunningSimulator, memberId: string) {
  const from = forMember(url, memberId);
  const payerReference = referenceOf(await send(from));
  expect(payerReference).toBeDefined();
  return { from: { ...from, payerReference }, id: payerReference ?? "" };
}

test.each<[string, object]>([
  ["M1", { type: "decided", determination: { outcome: "approved" } }],
  ["M1-DENY", { type: "decided", determination: { outcome: "denied", lines: [{ reasons: ["0V"] }, {}] } }],
  ["M1-PART", { type: "decided", determination: { outcome: "partially-approved" } }],
  ["M1-SPLIT", { type: "decided", determination: { outcome: "partially-approved" } }],
  [
    "M1-MOD",
    {
      type: "decided",
      determination: { outcome: "modified", lines: [{ authorized: { quantity: 4, unit: "VS" } }, {}] },
    },
  ],
  ["M1-NA", { type: "decided", determination: { outcome: "not-required" } }],
  ["M1-CT", { type: "contact-payer" }],
  ["M1-PEND", { type: "accepted", informationRequest: undefined }],
  ["M1-PEND-A6", { type: "decided", determination: { outcome: "modified" } }],
  [
    "M1-DOCS",
    { type: "accepted", informationRequest: { items: [{ code: { value: "0U" } }, { line: 1 }, { line: 2 }] } },
  ],
])("member %s is worked on at first, and then answered by its scenario", async (memberId, expected) => {
  const simulator = await aSimulator();
  const { from } = await taken(simulator, memberId);
  expect(await inquire(from)).toEqual({ type: "none" });
  await simulator.control("POST", "clock", aWhile);
  expect(await inquire(from)).toMatchObject({ type: "match", answer: expected });
});

test.each(["PROG-1", "HEAD-1", "M1"])("member %s has its answer where its beginning puts it", async (beginning) => {
  for (const [ending, outcome] of [
    ["", "approved"],
    ["-DENY", "denied"],
  ]) {
    const simulator = await aSimulator();
    const { from } = await taken(simulator, `${beginning}${ending}`);
    await simulator.control("POST", "clock", aWhile);
    expect(await inquire(from)).toMatchObject({ answer: { determination: { outcome } } });
  }
});

test.each(["AAA-C", "AAA-N", "AAA-P", "DUP"])("member M1-%s is told why no case came of it", async (ending) => {
  const simulator = await aSimulator();
  const { from } = await taken(simulator, `M1-${ending}`);
  await simulator.control("POST", "clock", aWhile);
  expect(await inquire(from)).toMatchObject({
    type: "rejected",
    reason: expect.stringMatching(/^The payer did not process the request: .+ \(AAA \d\d\)/),
  });
});

test("a decision carries the numbers, days and notes the payer gave", async () => {
  const simulator = await aSimulator();
  const openedAt = new Date("2026-03-01T00:00:00Z");
  await simulator.control("POST", "clock", { now: openedAt.toISOString() });
  const { from, id } = await taken(simulator, "M1-MOD");
  await simulator.control("POST", "clock", aWhile);
  expect(await inquire({ ...from, openedAt })).toMatchObject({
    answer: {
      determination: {
        reference: id,
        authorizationNumber: expect.stringMatching(/^AUTH-/),
        // An authorization holds for the days that were asked, however early it was decided.
        validFrom: "2026-03-01",
        validTo: "2026-12-31",
        notes: [expect.stringContaining("REF-"), "Simulated modification: half of the quantity."],
        decidedAt: expect.stringMatching(/^2026-03-01T00:00:/),
      },
    },
  });
});

describe("the ledger", () => {
  test("holds the digest of the very bytes that were built, under our trace number", async () => {
    const simulator = await aSimulator();
    const { from } = await taken(simulator, "M1");
    const [call] = serviceReview.build(from);
    expect(await simulator.ledger()).toMatchObject([
      {
        kind: "request",
        method: "POST",
        path: "/v2/service-reviews",
        sha256: documentDigest(call?.body ?? new Uint8Array()),
        trace: `${from.taskId}-1-T`,
        memberId: "M1",
        times: 1,
      },
    ]);
  });

  test("shows a request that was sent twice as the two cases it made", async () => {
    const simulator = await aSimulator();
    const { from } = await taken(simulator, "M1");
    await send(from);
    expect(await simulator.ledger()).toHaveLength(2);
    expect(await inquire(from, { payerReference: undefined })).toMatchObject({
      type: "unknown",
      reason: expect.stringContaining("several cases"),
    });
  });
});

describe("after doubt", () => {
  test("a search finds exactly what was taken, while it is worked on and after", async () => {
    const simulator = await aSimulator();
    const { from, id } = await taken(simulator, "M1-PEND");
    await taken(simulator, "M2-PEND");
    const doubt = { payerReference: undefined, doubted: true };
    expect(await inquire(from, doubt)).toEqual({ type: "match", answer: { type: "accepted", reference: id } });
    await simulator.control("POST", "clock", aWhile);
    expect(await inquire(from, doubt)).toMatchObject({ type: "match", answer: { type: "accepted", reference: id } });
  });

  test("a search finds nothing that was not sent", async () => {
    const simulator = await aSimulator();
    await taken(simulator, "M2");
    expect(await inquire(forMember(simulator.url, "M1"))).toEqual({ type: "none" });
  });

  test("a record that is kept no longer under its id is found by a search", async () => {
    const simulator = await aSimulator();
    const { from, id } = await taken(simulator, "M1");
    await simulator.control("POST", "clock", { forwardMs: 31 * 24 * 60 * 60 * 1000 });
    expect(await inquire(from)).toMatchObject({ answer: { determination: { reference: id } } });
  });
});

describe("an update", () => {
  async function updated(simulator: RunningSimulator, memberId: string, notes: readonly string[] = []) {
    const { from } = await taken(simulator, memberId);
    await simulator.control("POST", "clock", aWhile);
    const review = { ...from.review, providerNotes: notes.map((message) => ({ message })) };
    const update = anUpdate(from, { review, payerReference: from.payerReference }, serviceReview.build(from));
    return { update, answer: await send(update) };
  }

  test("is taken and worked on, and what was shown before is no answer to it", async () => {
    const simulator = await aSimulator();
    const { update, answer } = await updated(simulator, "M1-DOCS-A6", ["The plan of care."]);
    expect(answer).toEqual({ type: "accepted", reference: update.payerReference });
    expect(await inquire(update)).toEqual({ type: "none" });
    await simulator.control("POST", "clock", { forwardMs: 3_000 });
    expect(await inquire(update)).toMatchObject({ answer: { determination: { outcome: "modified" } } });
    expect(await simulator.ledger()).toMatchObject([
      { kind: "request", trace: `${update.taskId}-1-T` },
      { kind: "update", method: "PUT", path: "/v2/service-reviews", trace: `${update.taskId}-2-T` },
      { kind: "inquiry", method: "GET", times: 2 },
    ]);
  });

  test("that brings nothing new leaves the payer wanting", async () => {
    const simulator = await aSimulator();
    const { update } = await updated(simulator, "M1-DOCS");
    await simulator.control("POST", "clock", aWhile);
    expect(await inquire(update)).toMatchObject({
      answer: { type: "accepted", informationRequest: { items: expect.anything() } },
    });
  });

  test.each([
    ["M1-PEND-UPD-NO", 400],
    ["M1-DENY", 409],
  ])("of member %s is refused with HTTP %i", async (memberId, status) => {
    const simulator = await aSimulator();
    const { answer } = await updated(simulator, memberId, ["More."]);
    expect(answer).toMatchObject({
      type: "rejected",
      correction: "correctable",
      reason: expect.stringContaining(`HTTP ${status}`),
    });
  });
});

describe("a void", () => {
  async function voided(simulator: RunningSimulator, memberId: string) {
    const { from } = await taken(simulator, memberId);
    await simulator.control("POST", "clock", aWhile);
    return { from, answer: await send({ ...from, action: "void" }) };
  }

  test("is done at once, and the record says so", async () => {
    const simulator = await aSimulator();
    const { from, answer } = await voided(simulator, "M1");
    expect(answer).toEqual({ type: "cancelled", reference: from.payerReference });
    expect(await inquire(from)).toEqual({ type: "match", answer });
    expect(await simulator.ledger()).toMatchObject([{}, { kind: "void", method: "DELETE", state: "voided" }, {}]);
  });

  test("may be done later: taken first, then worked on, then done", async () => {
    const simulator = await aSimulator();
    const { from, answer } = await voided(simulator, "M1-PEND-VOID-LATER");
    expect(answer).toEqual({ type: "accepted", reference: from.payerReference });
    expect(await inquire(from)).toEqual({ type: "none" });
    await simulator.control("POST", "clock", aWhile);
    expect(await inquire(from)).toMatchObject({ type: "match", answer: { type: "cancelled" } });
  });

  test.each(["M1-VOID-NO", "M1-DENY"])("of member %s is refused, and the case stays", async (memberId) => {
    const simulator = await aSimulator();
    const { from, answer } = await voided(simulator, memberId);
    expect(answer).toMatchObject({ type: "rejected", correction: "final" });
    expect(await inquire(from)).toMatchObject({ answer: { type: "decided" } });
  });

  test("of what was voided before is refused", async () => {
    const simulator = await aSimulator();
    const { from } = await voided(simulator, "M1");
    expect(await send({ ...from, action: "void" })).toMatchObject({ type: "rejected" });
  });
});
