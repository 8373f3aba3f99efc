import { text } from "node:stream/consumers";
import type { Claim } from "fhir/r4";
import { describe, expect, test } from "vitest";
import type { InquiryRequest } from "#lib/payer/connector";
import { aBuild, aReview } from "#test/support/payer/pas/build";
import { official } from "#test/support/payer/pas/official";
import { example } from "#test/support/payer/pas/example";
import { concept, review } from "#test/support/payer/pas/response";
import type { Json } from "#test/support/payer/pas/reply";
import { inquiryAbout, updateOf, voidOf } from "#test/support/payer/pas/history";
import { aPayer, noHurry } from "#test/support/payer/pas/listen";
import { anAttachment, fullReview } from "#test/support/payer/pas/reviews";
import { inquiryOf, type KnownCase } from "./answer.ts";
import { pasFhir } from "./connector.ts";
import { readFrozenRequest, type FrozenRequest } from "./frozen-request.ts";
import { extensions, systems } from "./vocabulary.ts";

const [call] = pasFhir.build(aBuild());
const read = call && readFrozenRequest(call);
if (!read) throw new Error("What was built is read back.");
const sent: FrozenRequest = read;

const known = (members: Partial<KnownCase> = {}): KnownCase => ({
  sentRequests: [sent],
  unconfirmed: false,
  inquiryTrace: "inquiry-1",
  ...members,
});

const patient = {
  resourceType: "Patient",
  identifier: [{ value: sent.memberId }],
  name: [{ family: "TESTPERSON", given: ["ROBIN"] }],
  gender: "female",
  birthDate: "1980-02-29",
};

type StoredRequest = { readonly code?: string; readonly days?: [string, string]; readonly number?: string } & Json;

/** An authorization as a payer keeps it, without a name of ours unless the test gives one. */
function stored({ code, days, number, ...members }: StoredRequest = {}): Json {
  const extension = [
    ...(number ? [{ url: extensions.administrationReferenceNumber, valueString: number }] : []),
    ...(days ? [{ url: extensions.itemRequestedServiceDate, valuePeriod: { start: days[0], end: days[1] } }] : []),
    ...(code
      ? [
          {
            url: extensions.itemAuthorizedDetail,
            extension: [{ url: "productOrServiceCode", valueCodeableConcept: concept(systems.quantity, code) }],
          },
        ]
      : []),
  ];
  const resource = {
    resourceType: "ClaimResponse",
    status: "active",
    use: "preauthorization",
    outcome: "complete",
    created: "2026-11-21T10:00:00Z",
    patient: { reference: "Patient/P1" },
    item: [{ itemSequence: 1, extension, adjudication: review("A1") }],
    ...members,
  };
  const entry = [
    { fullUrl: "https://payer.test/fhir/ClaimResponse/C1", resource },
    { fullUrl: "https://payer.test/fhir/Patient/P1", resource: patient },
  ];
  const identifier = { system: systems.uri, value: "urn:uuid:11111111-1111-4111-8111-111111111111" };
  return { resourceType: "Bundle", type: "collection", identifier, entry };
}

function found(bundles: readonly Json[], members: Partial<KnownCase> = {}) {
  const parameter = bundles.map((resource) => ({ name: "return", resource }));
  const exchange = {
    kind: "reply",
    status: 200,
    contentType: "application/fhir+json",
    headers: {},
    retryAfterMs: undefined,
    bytes: Buffer.from(JSON.stringify({ resourceType: "Parameters", parameter })),
  } as const;
  return inquiryOf(known(members), exchange);
}

const requested = { code: "97110", days: ["2026-12-01", "2026-12-31"] as [string, string] };
const byTrace = { identifier: [{ system: sent.trace.system, value: sent.trace.value }] };
const byRequest = { request: { reference: sent.claimUrl } };
const approved = { type: "match", answer: { type: "decided", determination: { outcome: "approved" } } };

test("an inquiry has an identifier of its own, and none of those that were submitted", () => {
  for (const example of ["request", "any-service"] as const) {
    const { identifier, entry } = inquiryAbout(aBuild(), example);
    const claim = entry?.[0]?.resource as unknown as Json;
    expect(claim["identifier"]).toEqual([{ system: sent.trace.system, value: "inquiry-1" }]);
    expect(JSON.stringify([identifier, claim])).not.toContain(sent.trace.value);
    expect(JSON.stringify([identifier, claim])).not.toContain(sent.claimUrl);
  }
});

test("the example has the services that are still asked for, by whom and when, and nothing clinical", () => {
  const first = aBuild({ review: fullReview, attachments: [anAttachment("a")] });
  const procedures = fullReview.procedures.slice(1);
  const bundle = inquiryAbout(updateOf(first, { review: { ...fullReview, procedures } }));
  const claim = bundle.entry?.[0]?.resource as Claim;
  const [item] = claim.item ?? [];
  expect(claim.item?.map(({ sequence }) => sequence)).toEqual(procedures.map((_, index) => index + 2));
  expect(item).toMatchObject({ productOrService: { coding: [{ code: procedures[0]?.code }] } });
  expect(claim.billablePeriod).toEqual({ start: "2026-12-01", end: "2026-12-31" });
  expect(claim.careTeam).toHaveLength(fullReview.renderingProviders?.length ?? 0);
  const text = JSON.stringify(bundle);
  for (const { code } of fullReview.diagnoses ?? []) expect(text).not.toContain(code);
  for (const { message } of fullReview.providerNotes ?? []) expect(text).not.toContain(message);
  expect(text).not.toMatch(/DocumentReference|Encounter|Request"|accident|infoChanged|infoCancelled|prognosis/);
});

/** A payer that answers each inquiry by its example; what it was asked about comes back, first to last. */
async function searchesOf(answers: (any: boolean) => { status: number; body: Json }, members: Partial<InquiryRequest>) {
  const searches: string[] = [];
  const url = await aPayer((request, response) => {
    void text(request).then((body) => {
      const any = body.includes("not-applicable");
      searches.push(any ? "any-service" : "request");
      const { status, body: reply } = answers(any);
      response.writeHead(status, { "Content-Type": "application/fhir+json" }).end(JSON.stringify(reply));
    });
  });
  const from = aBuild({ url });
  const request = { ...from, sent: pasFhir.build(from), ...members };
  const { answer } = await pasFhir.inquire(request, { credential: "right", signal: noHurry() });
  return { searches, answer };
}

const nothing = { status: 200, body: { resourceType: "Parameters", parameter: [] } };
const outcome = { resourceType: "OperationOutcome", issue: [{ severity: "error", code: "invalid" }] };
const has = (bundle: Json) => ({
  status: 200,
  body: { resourceType: "Parameters", parameter: [{ name: "return", resource: bundle }] },
});

describe("the example of an inquiry", () => {
  test("is the request where the payer has a number for it", async () => {
    const { searches, answer } = await searchesOf(() => has(stored({ number: "R-9" })), { payerReference: "R-9" });
    expect(searches).toEqual(["request"]);
    expect(answer).toMatchObject(approved);
  });

  test.each<[string, Partial<InquiryRequest>]>([
    ["while it is in doubt that the request arrived", { payerReference: "R-9", unconfirmed: true }],
    ["without a number, because services are then what proves an answer to be ours", {}],
  ])("is any service %s", async (_, members) => {
    expect((await searchesOf(() => nothing, members)).searches).toEqual(["any-service"]);
  });

  test.each([
    ["finds nothing", nothing],
    ["is refused", { status: 422, body: outcome }],
    ["is refused as malformed", { status: 400, body: outcome }],
  ])("is any service once the request %s", async (_, first) => {
    const answers = (any: boolean) => (any ? has(stored({ number: "R-9" })) : first);
    const { searches, answer } = await searchesOf(answers, { payerReference: "R-9" });
    expect(searches).toEqual(["request", "any-service"]);
    expect(answer).toMatchObject(approved);
  });

  test("proves nothing by coming back: an answer without a number is ours only if it knows the services by itself", async () => {
    const repeats = (any: boolean) => has(stored(any ? { code: "70551", days: requested.days } : requested));
    const { searches, answer } = await searchesOf(repeats, { payerReference: "R-9" });
    expect(searches).toEqual(["request", "any-service"]);
    expect(answer).toEqual({ type: "none" });
    expect((await searchesOf(() => has(stored(requested)), { payerReference: "R-9" })).answer).toMatchObject(approved);
  });

  test("is not asked about again at a payer that is at its limit or has failed", async () => {
    for (const status of [401, 403, 429, 500, 503])
      expect((await searchesOf(() => ({ status, body: outcome }), { payerReference: "R-9" })).searches).toEqual([
        "request",
      ]);
  });
});

describe("in doubt, another authorization of the same member is not taken for this one", () => {
  const echo = { identifier: [{ system: sent.trace.system, value: "inquiry-1" }] };
  test.each<[string, Json, string]>([
    [
      "that echoes the inquiry, of another service",
      stored({ ...echo, ...requested, code: "70551", number: "R-9" }),
      "none",
    ],
    ["that echoes the inquiry, and says no service", stored({ ...echo, number: "R-9" }), "unknown"],
    ["on other days", stored({ ...requested, days: ["2020-01-01", "2020-01-31"] }), "none"],
    ["for everything that was asked, which may be an earlier case", stored(requested), "unknown"],
    ["under another trace number of the practice", stored({ identifier: [{ ...sent.trace, value: "77" }] }), "none"],
    ["for another Claim", stored({ request: { reference: "urn:uuid:00000000-0000-4000-8000-000000000000" } }), "none"],
  ])("%s", (_, bundle, type) => {
    expect(found([bundle], { unconfirmed: true })).toMatchObject({ type });
  });

  test.each<[string, Json]>([
    ["by our trace number", stored({ ...byTrace, number: "R-9" })],
    ["by the address of our Claim", stored(byRequest)],
  ])("and what the payer's record names %s is, under whatever bundle identifier", (_, bundle) => {
    expect(found([stored({ ...requested, code: "70551" }), bundle], { unconfirmed: true })).toMatchObject(approved);
  });
});

describe("of what the payer has", () => {
  test("the case under the payer's reference is this one", () => {
    const others = [stored({ ...requested, number: "R-8" }), stored({ number: "R-7", code: "70551" })];
    expect(found([...others, stored({ number: "R-9" })], { payerReference: "R-9" })).toMatchObject(approved);
  });

  test("a case that goes on from the payer's reference is another one", () => {
    const extension = [{ url: extensions.authorizationNumber, valueString: "R-9" }];
    const renewal = stored({ item: [{ itemSequence: 1, extension, adjudication: review("A1") }] });
    expect(found([renewal], { payerReference: "R-9" })).toMatchObject({ type: "unknown" });
  });

  test("the one case with all that was asked is this one; two are for a person", () => {
    expect(found([stored(requested)])).toMatchObject(approved);
    expect(found([stored(requested), stored(requested)])).toMatchObject({ type: "unknown" });
  });

  test("two cases that match, or one that might, are for a person; cases with other services do not match", () => {
    expect(found([stored(byTrace), stored(byRequest)])).toMatchObject({ type: "unknown" });
    expect(found([stored()])).toMatchObject({ type: "unknown" });
    expect(found([stored({ ...requested, code: "70551" }), stored({ code: "97112" })])).toEqual({ type: "none" });
    expect(found([])).toEqual({ type: "none" });
  });

  test("what names it and speaks of another person is for a person", () => {
    const brother = JSON.parse(JSON.stringify(stored(byTrace)).replace("ROBIN", "RALPH")) as Json;
    expect(found([brother])).toMatchObject({ type: "unknown" });
  });
});

describe("what names the first request and answers it item by item", () => {
  const [next] = pasFhir.build(
    updateOf(aBuild(), { review: aReview({ procedures: [{ code: "97110", quantity: 20, quantityTypeCode: "VS" }] }) }),
  );
  const update = next && readFrozenRequest(next);
  if (!update) throw new Error("What was built is read back.");
  const issued = (day: string | undefined, named: Json = { ...byTrace, ...byRequest }) => {
    const extension = day === undefined ? [] : [{ url: extensions.itemPreAuthIssueDate, valueDate: day }];
    const item = [{ itemSequence: 1, extension, adjudication: review("A1") }];
    return found([stored({ ...named, created: "2026-12-06T10:00:00Z", item })], {
      sentRequests: [sent, update],
      lastSentAt: new Date("2026-12-05T12:00:00Z"),
    });
  };
  const authorizes = (quantity: number) => ({
    type: "match",
    answer: { type: "decided", determination: { outcome: "approved", lines: [{ authorized: { quantity } }] } },
  });

  test("authorizes what that one asked for, where it was issued before the update left, whenever the answer was made", () => {
    const answer = { determination: { decidedOn: "2026-12-02" } };
    expect(issued("2026-12-02")).toMatchObject({ ...authorizes(12), of: sent.call });
    expect(issued("2026-12-02")).toMatchObject({ answer });
    expect(issued("2026-12-02")).not.toHaveProperty("answer.determination.decidedAt");
  });

  test("authorizes what the update asks for, where it was issued on a later day than that left", () => {
    expect(issued("2026-12-07")).toMatchObject(authorizes(20));
  });

  test.each(["2026-12-05", undefined])("authorizes what that one asked for, where it was issued on %s", (day) => {
    expect(issued(day)).toMatchObject({ ...authorizes(12), of: sent.call });
  });

  test("says whether it names the request that it is read as an answer to", () => {
    const { system, value } = update.trace;
    expect(issued("2026-12-05")).toMatchObject({ isNamed: true, of: sent.call });
    expect(issued(undefined, { identifier: [{ system, value }] })).toMatchObject({ isNamed: true, of: update.call });
    expect(issued("2026-12-07")).not.toHaveProperty("isNamed");
  });
});

const readBack = (from: ReturnType<typeof aBuild>): FrozenRequest => {
  const [built] = pasFhir.build(from);
  const request = built && readFrozenRequest(built);
  if (!request) throw new Error("What was built is read back.");
  return request;
};

describe("what answers the first request alone, after an update of it left", () => {
  const replaced = readBack(updateOf(aBuild(), { review: aReview({ procedures: [{ code: "97112", quantity: 4 }] }) }));
  const about = (members: StoredRequest) =>
    found([stored({ ...byTrace, ...byRequest, created: "2026-11-22T10:00:00Z", ...members })], {
      sentRequests: [sent, replaced],
      lastSentAt: new Date("2026-11-21T12:00:00Z"),
    });

  test("item by item is a decision on that one, and so is one on the whole", () => {
    expect(about({})).toMatchObject({ ...approved, of: sent.call });
    expect(about({ item: undefined, adjudication: review("A1") })).toMatchObject({ ...approved, of: sent.call });
  });

  test("with a cancellation ends nothing of what the update asks for", () => {
    expect(about({ item: [{ itemSequence: 1, adjudication: review("C") }] })).toMatchObject({ type: "unknown" });
  });
});

describe("what names the void of a request", () => {
  const taken = readBack(voidOf(aBuild()));
  const named = { identifier: [{ system: taken.trace.system, value: taken.trace.value }] };
  const says = (action: string, members: StoredRequest = {}) =>
    found(
      [
        stored({
          ...named,
          created: "2026-11-22T10:00:00Z",
          item: [{ itemSequence: 1, adjudication: review(action) }],
          ...members,
        }),
      ],
      { sentRequests: [taken, sent], lastSentAt: new Date("2026-11-21T12:00:00Z") },
    );

  test("as canceled says that it is done, and as pended that it is not yet", () => {
    expect(says("C")).toMatchObject({ type: "match", answer: { type: "cancelled" } });
    expect(says("A4")).toMatchObject({ type: "match", answer: { type: "accepted" } });
  });

  test.each(["A1", "A3", "CT"])("as %s decides nothing of the request, item by item or for the whole", (action) => {
    expect(says(action)).toMatchObject({ type: "unknown" });
    expect(says(action, { item: undefined, adjudication: review(action) })).toMatchObject({ type: "unknown" });
  });
});

test("the official inquiry answers are found by the trace number the payer kept", () => {
  for (const name of [
    "2.0.1/Bundle-PASClaimInquiryResponseBundleExample",
    "2.2.1/Parameters-PASClaimInquiryOperationResponseExample",
  ]) {
    const exchange = {
      kind: "reply",
      status: 200,
      contentType: "application/fhir+json",
      headers: {},
      retryAfterMs: undefined,
      bytes: Buffer.from(JSON.stringify(example(name))),
    } as const;
    expect(
      inquiryOf({ sentRequests: [official], unconfirmed: true, inquiryTrace: "inquiry-1" }, exchange),
    ).toMatchObject(approved);
  }
});
