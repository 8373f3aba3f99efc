import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { replyTo, whole } from "#test/support/payer/service-review/caller";
import { aSimulator } from "#test/support/payer/simulator";

const posted = async (change: (document: Record<string, unknown>) => object) =>
  replyTo(await aSimulator(), "/v2/service-reviews", { method: "POST", body: change(whole()) });

describe("a request", () => {
  test("is taken with 202, its address and the mark of the demo plan", async () => {
    const { status, headers, body } = await posted((document) => document);
    expect([status, body, headers.get("X-Api-Mock-Response")]).toEqual([202, undefined, "true"]);
    expect(headers.get("Location")).toMatch(/^\/v2\/service-reviews\/[0-9a-f-]{36}$/);
  });

  const procedures = (...each: object[]) => ({
    procedures: each.map((one) => ({ code: "97110", qualifierCode: "HC", ...one })),
  });
  const provider = (members: object) => ({
    requestingProvider: { npi: "1234567893", lastName: "Sample", ...members },
  });

  test.each<[object, object]>([
    [{ requestTraceNumber: "1" }, { field: "requestTraceNumber", code: "unknown" }],
    [{ statusCode: "A1" }, { field: "statusCode", code: "unknown" }],
    [{ subscriber: { memberId: "M1", ssn: "1" } }, { field: "subscriber.ssn", code: "unknown" }],
    [procedures({}, { color: "red" }), { field: "procedures.color", code: "unknown", index: 1 }],
    [{ payer: undefined }, { field: "payer", code: "required" }],
    [{ diagnoses: [] }, { field: "diagnoses", code: "required" }],
    [{ serviceTypeCode: "" }, { field: "serviceTypeCode", code: "required" }],
    [{ fromDate: undefined }, { field: "fromDate", code: "required" }],
    [{ requestTypeCode: "IN" }, { field: "requestTypeCode", code: "value" }],
    [{ fromDate: "2026-02-30" }, { field: "fromDate", code: "format" }],
    [{ toDate: "2026-01-01" }, { field: "toDate", code: "value" }],
    [{ placeOfServiceCode: 11 }, { field: "placeOfServiceCode", code: "format" }],
    [{ quantity: "1" }, { field: "quantity", code: "required" }],
    [procedures({ quantity: 8, quantityTypeCode: "VS" }), { field: "procedures.quantity", code: "format", index: 0 }],
    [procedures({ quantity: "0", quantityTypeCode: "VS" }), { field: "procedures.quantity", code: "value", index: 0 }],
    [procedures({ code: "not a code" }), { field: "procedures.code", code: "format", index: 0 }],
    [provider({ npi: "1234567890" }), { field: "requestingProvider.npi", code: "format" }],
    [provider({ phone: "(605) 555-0100" }), { field: "requestingProvider.phone", code: "format" }],
    [{ providerNotes: [{ message: "x".repeat(265) }] }, { field: "providerNotes.message", code: "tooLong", index: 0 }],
    [{ providerNotes: ["x"] }, { field: "providerNotes", code: "format", index: 0 }],
    [{ diagnoses: [{ code: "M54.16", qualifierCode: "ABF" }] }, { field: "diagnoses", code: "value" }],
    [{ shortFormIndicator: "yes" }, { field: "shortFormIndicator", code: "format" }],
  ])("with %j is refused in the vendor's envelope", async (members, error) => {
    const { status, body } = await posted((document) => ({ ...document, ...members }));
    expect([status, body]).toEqual([
      400,
      {
        userMessage: "The request is not valid.",
        developerMessage: "The request is not valid.",
        statusCode: 400,
        reasonCode: 0,
        errors: [{ ...error, errorMessage: expect.any(String) }],
      },
    ]);
  });

  test.each<[string, unknown, number]>([
    ["no JSON", "{", 400],
    ["no object", "[]", 400],
  ])("that is %s is refused", async (_, body, status) => {
    const simulator = await aSimulator();
    expect(await replyTo(simulator, "/v2/service-reviews", { method: "POST", body })).toMatchObject({ status });
    expect(await simulator.ledger()).toEqual([]);
  });
});

describe("an update", () => {
  async function put(change: (id: string) => object) {
    const simulator = await aSimulator();
    const taken = await replyTo(simulator, "/v2/service-reviews", { method: "POST", body: whole() });
    await simulator.control("POST", "clock", { forwardMs: 5_000 });
    const id = (taken.headers.get("Location") ?? "").split("/").at(-1) ?? "";
    return replyTo(simulator, "/v2/service-reviews", { method: "PUT", body: change(id) });
  }

  test.each<[object, object, number]>([
    [{ serviceTypeCode: "73" }, { field: "serviceTypeCode", code: "notUpdatable" }, 400],
    [{ subscriber: { memberId: "M2" } }, { field: "subscriber", code: "notUpdatable" }, 400],
    [{ requestTraceNumber: "1" }, { field: "requestTraceNumber", code: "notUpdatable" }, 400],
    [{ fromDate: "soon" }, { field: "fromDate", code: "format" }, 400],
  ])("with %j is refused", async (members, error, status) => {
    const reply = await put((id) => ({ id, ...members }));
    expect(reply).toMatchObject({ status, body: { errors: expect.arrayContaining([expect.objectContaining(error)]) } });
  });

  test("of what may be updated is taken under the same address", async () => {
    expect(await put((id) => ({ id, toDate: "2027-01-31" }))).toMatchObject({ status: 202 });
  });

  test("of nothing this payer has is 404", async () => {
    expect(await put(() => ({ id: "other", toDate: "2027-01-31" }))).toMatchObject({ status: 404 });
  });

  test("of what is still being worked on is 409", async () => {
    const simulator = await aSimulator();
    const taken = await replyTo(simulator, "/v2/service-reviews", { method: "POST", body: whole() });
    const id = (taken.headers.get("Location") ?? "").split("/").at(-1) ?? "";
    const reply = await replyTo(simulator, "/v2/service-reviews", {
      method: "PUT",
      body: { id, toDate: "2027-01-31" },
    });
    expect(reply.status).toBe(409);
  });
});

test("a record repeats what it was given, and what may be done with it", async () => {
  const simulator = await aSimulator();
  const taken = await replyTo(simulator, "/v2/service-reviews", { method: "POST", body: whole() });
  const path = taken.headers.get("Location") ?? "";
  const working = await replyTo(simulator, path);
  expect([working.status, working.headers.get("Location"), working.headers.get("X-Status-Message")]).toEqual([
    202,
    path,
    "In progress",
  ]);
  await simulator.control("POST", "clock", { forwardMs: 5_000 });
  expect(await replyTo(simulator, path)).toMatchObject({
    status: 200,
    body: {
      subscriber: { memberId: "M1000" },
      updatable: true,
      updatableFields: expect.arrayContaining(["procedures"]),
      deletable: true,
      updatedDate: expect.stringMatching(/\+0000$/),
    },
  });
});

describe("a search", () => {
  test.each<[string, number]>([
    ["payer.id=P1000&subscriber.memberId=M1000", 200],
    ["payer.id=P1000", 400],
    ["payer.id=P1000&subscriber.memberId=M1000&color=red", 400],
    ["payer.id=P1000&subscriber.memberId=M1000&limit=51", 400],
    ["payer.id=P1000&subscriber.memberId=M1000&offset=x", 400],
  ])("for %s is HTTP %i", async (query, status) => {
    expect((await replyTo(await aSimulator(), `/v2/service-reviews?${query}`)).status).toBe(status);
  });

  test("tells a page of what fits, in either case of letters, the newest first", async () => {
    const simulator = await aSimulator();
    for (const toDate of ["2026-12-30", "2026-12-31"])
      await replyTo(simulator, "/v2/service-reviews", { method: "POST", body: { ...whole(), toDate } });
    const found = (query: string) =>
      replyTo(simulator, `/v2/service-reviews?payer.id=p1000&subscriber.memberId=m1000&${query}`);
    expect(await found("")).toMatchObject({
      body: { totalCount: 2, count: 2, serviceReviews: [{ toDate: "2026-12-31" }, { toDate: "2026-12-30" }] },
    });
    expect(await found("limit=1&offset=1")).toMatchObject({
      body: { totalCount: 2, count: 1, serviceReviews: [{ toDate: "2026-12-30" }] },
    });
    expect(await found("patient.lastName=Else")).toMatchObject({ body: { totalCount: 0 } });
  });
});

test("the payer's rules are told as configurations", async () => {
  const simulator = await aSimulator();
  expect(await replyTo(simulator, "/v1/configurations?type=service-reviews&subtypeId=HS&payerId=P1")).toMatchObject({
    body: {
      configurations: [
        {
          payerId: "P1",
          elements: {
            requestTypeCode: { type: "Text", required: true, values: [{ id: "AR" }, { id: "HS" }, { id: "SC" }] },
            procedures: { type: "ObjectArray", elements: { code: { required: true, maxLength: 48 } } },
          },
        },
      ],
    },
  });
  expect(await replyTo(simulator, "/v1/configurations?type=claims")).toMatchObject({ body: { count: 0 } });
});

test("a restart keeps what was taken", async () => {
  const folder = mkdtempSync(join(tmpdir(), "simulator-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "ledger.jsonl");
  const before = await aSimulator({ file });
  const taken = await replyTo(before, "/v2/service-reviews", { method: "POST", body: whole() });
  const after = await aSimulator({ file });
  expect(await after.ledger()).toEqual(await before.ledger());
  await after.control("POST", "clock", { forwardMs: 5_000 });
  expect(await replyTo(after, taken.headers.get("Location") ?? "")).toMatchObject({ status: 200 });
});

test("what is logged of a request names no member", async () => {
  const simulator = await aSimulator();
  await replyTo(simulator, "/v2/service-reviews?payer.id=P1&subscriber.memberId=M1CANARY");
  await expect.poll(() => simulator.seen).toHaveLength(2);
  expect(JSON.stringify(simulator.seen)).not.toContain("CANARY");
});
