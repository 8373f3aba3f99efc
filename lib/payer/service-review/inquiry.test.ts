import { describe, expect, test } from "vitest";
import type { Call, Inquiry } from "#lib/payer/connector";
import { lines, marked, recordOf, refusal, type Script } from "#test/support/payer/service-review/clearinghouse";
import { serviceReview } from "#lib/payer/service-review/connector";
import { anUpdate } from "#test/support/payer/service-review/build";
import { inquired, twoLines } from "#test/support/payer/service-review/inquire";

const record = (members: object) => ({ says: (call: Call) => ({ status: 200, body: recordOf(call, members) }) });
const answerTo = async (members: object): Promise<Inquiry> => (await inquired(record(members))).answer;
const outcomeOf = (answer: Inquiry) =>
  answer.type === "match" && answer.answer.type === "decided" ? answer.answer.determination.outcome : answer.type;

describe("the header's statusCode, read both ways", () => {
  test.each<[string | number | undefined, object]>([
    ["0", { type: "none" }],
    [0, { type: "none" }],
    ["R1", { type: "none" }],
    ["A4", { type: "match", answer: { type: "accepted", reference: "SR-1" } }],
    ["A1", { type: "match", answer: { type: "decided", determination: { outcome: "approved" } } }],
    ["A2", { type: "unclear" }],
    ["A3", { type: "match", answer: { type: "decided", determination: { outcome: "denied" } } }],
    ["A6", { type: "unclear" }],
    ["NA", { type: "match", answer: { type: "decided", determination: { outcome: "not-required" } } }],
    ["C", { type: "match", answer: { type: "cancelled", reference: "SR-1" } }],
    ["CT", { type: "match", answer: { type: "contact-payer", reference: "SR-1" } }],
    ["4", { type: "unclear" }],
    [undefined, { type: "unclear" }],
    ["7", { type: "unknown" }],
    ["P1", { type: "unknown" }],
    ["WR", { type: "unknown" }],
    ["constructor", { type: "unknown" }],
    ["a1", { type: "unknown" }],
  ])("%j says it where no line does", async (statusCode, expected) => {
    expect(await answerTo({ statusCode })).toMatchObject(expected);
  });

  test.each<[string | undefined, readonly object[], string]>([
    ["4", [{ statusCode: "A1" }], "approved"],
    [undefined, [{ statusCode: "A3" }], "denied"],
    ["A1", [{ statusCode: "A3" }], "unclear"],
    ["A3", [{ statusCode: "A1" }], "unclear"],
    ["A4", [{ statusCode: "A1" }], "unclear"],
    ["A2", [{ statusCode: "A1" }, { statusCode: "A3" }], "partially-approved"],
    ["4", [{ statusCode: "A1" }, { statusCode: "A3" }], "partially-approved"],
    ["A6", [{ statusCode: "A1" }, { statusCode: "A6", quantity: "4" }], "modified"],
    ["A1", [{ statusCode: "A1" }, { statusCode: "A6", quantity: "4" }], "unclear"],
    ["A1", [{ statusCode: "A1" }, {}], "unclear"],
    ["A1", [{ statusCode: "A1" }, { statusCode: "XX" }], "unclear"],
    ["A1", [{ statusCode: "A1" }, { statusCode: "4" }], "unclear"],
    ["XX", [{ statusCode: "A1" }], "unknown"],
    ["0", [{ statusCode: "A1" }], "none"],
  ])(
    "header %j with lines %j is %s: both must agree, what nobody knows is for a person",
    async (statusCode, each, expected) => {
      const { answer } = await inquired({
        says: (call) => ({ status: 200, body: recordOf(call, { statusCode, procedures: lines(call, ...each) }) }),
      });
      expect(outcomeOf(answer)).toBe(expected);
    },
  );

  test.each(["19", "400", 19])(
    "a refusal under %j is not processed, with what it says and when",
    async (statusCode) => {
      expect(await answerTo({ statusCode, validationMessages: refusal.errors })).toMatchObject({
        type: "rejected",
        correction: "correctable",
        reason: "The payer did not process the request: procedures.code[1]: is not covered here (72).",
        of: { method: "POST" },
        at: new Date("2026-11-20T12:00:00Z"),
      });
    },
  );
});

describe("a refusal", () => {
  const first = twoLines("https://clearinghouse.test");
  const [update] = serviceReview.build(anUpdate(first, {}, serviceReview.build(first))) as [Call];
  const aVoid: Call = { method: "DELETE", url: "/SR-1", contentType: "application/json", body: new Uint8Array() };

  test("while a void is open is of the void", async () => {
    const { answer } = await inquired({ ...record({ statusCode: "19" }), others: [aVoid], voiding: aVoid });
    expect(answer.type === "rejected" && answer.of).toBe(aVoid);
  });

  test("that names an update refused before is of that update; any other word under its name is for a person", async () => {
    const { providerNotes } = recordOf(update);
    const named = (statusCode: string) => record({ statusCode, providerNotes });
    const { answer } = await inquired({ ...named("19"), others: [update] });
    expect(answer.type === "rejected" && answer.of).toBe(update);
    expect((await inquired({ ...named("A1"), others: [update] })).answer.type).toBe("unknown");
    expect((await inquired(named("19"))).answer.type).toBe("unknown");
  });
});

describe("a decision", () => {
  test("carries numbers, days, reasons, notes, its instant, and what was authorized on each line", async () => {
    const { answer } = await inquired({
      says: (call) => ({
        status: 200,
        body: recordOf(call, {
          statusCode: "4",
          certificationNumber: "AUTH-7",
          certificationEffectiveDate: "2026-12-01",
          certificationExpirationDate: "2027-02-28",
          referenceNumber: "R-55",
          payerNotes: [{ message: "Half of the visits." }],
          procedures: lines(
            call,
            { statusCode: "A6", quantity: "4", certificationNumber: "AUTH-7-1", notes: [{ message: "See policy." }] },
            { statusCode: "A3", statusReasons: [{ code: "0F" }] },
          ),
        }),
      }),
    });
    expect(answer).toEqual({
      type: "match",
      answer: {
        type: "decided",
        determination: {
          outcome: "modified",
          authorizationNumber: "AUTH-7",
          reference: "SR-1",
          validFrom: "2026-12-01",
          validTo: "2027-02-28",
          lines: [
            {
              sequence: 1,
              action: "A6",
              requested: { code: "97110", quantity: 8, unit: "VS", from: "2026-12-01", to: "2026-12-31", place: "11" },
              authorized: { code: "97110", quantity: 4, unit: "VS", from: undefined, to: undefined, place: "11" },
              number: "AUTH-7-1",
              reasons: [],
            },
            {
              sequence: 2,
              action: "A3",
              requested: {
                ...{ code: "97112", quantity: undefined, unit: undefined },
                ...{ from: "2026-12-01", to: "2026-12-31", place: "11" },
              },
              authorized: undefined,
              number: undefined,
              reasons: ["0F"],
            },
          ],
          notes: ["The payer's own reference number is R-55.", "Half of the visits.", "See policy."],
          decidedAt: "2026-11-20T12:00:00.000Z",
          source: "connector",
        },
      },
    });
  });

  test.each([
    ["2026-11-20T12:00:00Z", "2026-11-20T12:00:00.000Z"],
    ["2026-11-20T12:00:00.5-05:00", "2026-11-20T17:00:00.500Z"],
    ["2026-11-20", undefined],
    ["2026-99-20T12:00:00Z", undefined],
    [null, undefined],
  ])("of %j was made at %j", async (updatedDate, decidedAt) => {
    expect(await answerTo({ statusCode: "A1", updatedDate })).toMatchObject({
      answer: { determination: { decidedAt } },
    });
  });

  test("may name the procedures in another order where no code repeats", async () => {
    const { answer } = await inquired({
      says: (call) => ({
        status: 200,
        body: recordOf(call, { procedures: lines(call, { statusCode: "A1" }, { statusCode: "A3" }).reverse() }),
      }),
    });
    expect(answer).toMatchObject({ answer: { determination: { lines: [{ action: "A1" }, { action: "A3" }] } } });
  });

  test.each<[string, (all: object[]) => object[]]>([
    ["leaves a procedure out", (all) => all.slice(1)],
    ["adds one", (all) => [...all, all[0] ?? {}]],
    ["speaks of another code", ([first, second]) => [{ ...first, code: "99999" }, second ?? {}]],
    ["says one twice", ([first]) => [first ?? {}, first ?? {}]],
  ])("that %s is not understood", async (_, spoil) => {
    const { answer } = await inquired({
      says: (call) => ({
        status: 200,
        body: recordOf(call, { statusCode: "A1", procedures: spoil(lines(call, { statusCode: "A1" })) }),
      }),
    });
    expect(answer.type).toBe("unknown");
  });

  test("is read where members that matter to nobody are null", async () => {
    const nothing = { statusReasons: null, payerNotes: null, certificationNumber: null, validationMessages: null };
    expect(outcomeOf(await answerTo({ statusCode: "A1", ...nothing }))).toBe("approved");
  });
});

test("a pended answer that says it wants more says what, on which line", async () => {
  const { answer } = await inquired({
    says: (call) => ({
      status: 200,
      body: recordOf(call, {
        statusCode: "A4",
        statusReasons: [{ code: "0U" }, { code: "0W" }],
        payerNotes: [{ message: "Send the plan of care." }],
        procedures: lines(call, {}, { statusReasons: [{ code: "0P" }] }),
      }),
    }),
  });
  expect(answer).toMatchObject({
    answer: {
      type: "accepted",
      informationRequest: {
        text: "Send the plan of care.",
        items: [
          { kind: "answer", code: { system: "payer", value: "0U" }, label: "more about the patient" },
          { kind: "answer", code: { system: "payer", value: "0P" }, line: 2 },
        ],
      },
    },
  });
});

test("a pended answer whose reasons ask for nothing wants nothing", async () => {
  const answer = await answerTo({ statusCode: "A4", statusReasons: [{ code: "0W" }] });
  expect(answer).toMatchObject({ answer: { type: "accepted", informationRequest: undefined } });
});

test("a payer that wants a call says where, unless what it says is no number", async () => {
  const text = async (phone: string) =>
    JSON.stringify(await answerTo({ statusCode: "CT", payer: { id: "P1000", phone } }));
  expect(await text("(605) 555-0100")).toContain("at (605) 555-0100");
  expect(await text("call <b>now</b>")).not.toContain("now");
});

describe("what is no answer to our request", () => {
  test.each<[string, object, object]>([
    ["another id", { id: "SR-2" }, { type: "unknown" }],
    ["another member", { subscriber: { memberId: "M2" } }, { type: "unknown" }],
    ["no member", { subscriber: null }, { type: "unknown" }],
    ["another trace number", { providerNotes: [{ message: "Trace number OTHER-1-T" }] }, { type: "unknown" }],
  ])("a decision with %s", async (_, members, expected) => {
    expect(await answerTo({ statusCode: "A1", ...members })).toMatchObject(expected);
  });

  test("notes that were not handed back take nothing from a case that is asked for by its id", async () => {
    expect(outcomeOf(await answerTo({ statusCode: "A1", providerNotes: [{ message: "Something else." }] }))).toBe(
      "approved",
    );
  });

  test("the member's id is the same in either case of letters", async () => {
    expect(outcomeOf(await answerTo({ statusCode: "A1", subscriber: { memberId: "m1000" } }))).toBe("approved");
  });

  test.each<[Script, string]>([
    [{ status: 202, headers: { ...marked, Location: "/v2/service-reviews/SR-1" } }, "none"],
    [{ status: 202, headers: {} }, "unknown"],
    [{ status: 200, headers: { "Content-Type": "application/json" }, body: {} }, "unknown"],
    [{ status: 200, headers: { ...marked, "Content-Type": "text/html" }, body: {} }, "unknown"],
    [{ status: 200, body: "{" }, "unknown"],
    [{ status: 200, body: [] }, "unknown"],
    [{ status: 403, body: refusal }, "unknown"],
    [{ status: 301 }, "unknown"],
  ])("%j", async (script, expected) => {
    expect((await inquired({ says: () => script })).answer.type).toBe(expected);
  });

  test.each([408, 429, 500, 503])("HTTP %i passes, so nobody need look at it", async (status) => {
    expect(await inquired({ says: () => ({ status, body: refusal }) })).toMatchObject({
      answer: { type: "unknown" },
      bytes: undefined,
    });
  });

  test("HTTP 403 stays, so a person sees it", async () => {
    expect((await inquired({ says: () => ({ status: 403, body: refusal }) })).bytes).toBeDefined();
  });
});
