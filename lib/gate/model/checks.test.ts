import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fullReview } from "#test/support/agents/reviews";
import { keyOf, levels, type CaseFacts, type CheckType, type OtherCase } from "./check.ts";
import { checksOf, warningTypes } from "./checks.ts";
import { serviceReviewSchema, type ServiceReview } from "#lib/task/model/service-review";

const whole: ServiceReview = serviceReviewSchema.parse({
  ...fullReview,
  fromDate: "2027-01-11",
  toDate: "2027-03-31",
  providerNotes: [{ message: "Why.", date: "2026-12-01" }],
});

const calm: CaseFacts = {
  action: "transmit",
  update: false,
  review: whole,
  today: "2026-12-15",
  openedOn: "2026-12-15",
  missing: [],
  required: [],
  providers: [],
  leftOut: [],
  files: { count: 1, left: false },
  practiceActive: true,
  route: { configured: true, reachable: true, changed: false },
  others: [],
};

const of = (review: object, facts: Partial<CaseFacts> = {}): CaseFacts => ({
  ...calm,
  ...facts,
  review: { ...whole, ...review },
});

const other = (review: object, more: Partial<OtherCase> = {}): Partial<CaseFacts> => ({
  others: [
    {
      taskId: "01a1fbb2-36e9-7532-8343-cb01ecac22d3",
      review: { ...whole, ...review },
      left: true,
      openedOn: "2026-12-10",
      ...more,
    },
  ],
});

const asks = (npi: string) => ({ requestingProvider: { npi, lastName: "Reyes" } });
const aProvider = (npi: string) => ({ npi, name: "A provider", roles: ["requesting"] }) as const;

const approved = { outcome: "approved", validTo: "2027-06-30" } as const;
const far = { fromDate: "2027-05-01", toDate: "2027-06-01" };
const line = (more: object) => ({ procedures: [{ code: "72148", quantity: 1, quantityTypeCode: "UN", ...more }] });

/** For each check, a case that triggers it and a similar one that does not. */
const cases: { readonly [Type in CheckType]: readonly [shows: CaseFacts, doesNot: CaseFacts] } = {
  "missing-required": [of({}, { missing: ["/diagnoses"] }), calm],
  "payer-requires": [
    of({ serviceTypeCode: undefined }, { required: ["/serviceTypeCode"] }),
    of({ serviceTypeCode: "73" }, { required: ["/serviceTypeCode"] }),
  ],
  "unknown-provider": [
    of(asks("1234567893"), { providers: [aProvider("1245319599")] }),
    of(asks("1234567893"), { providers: [aProvider("1234567893")] }),
  ],
  "npi-check-digit": [
    of({ renderingProviders: [{ npi: "1234567893" }, { npi: "1234567890" }] }),
    of({ renderingProviders: [{ npi: "1234567893" }, {}] }),
  ],
  "practice-suspended": [of({}, { practiceActive: false }), calm],
  "no-route": [of({}, { route: { ...calm.route, reachable: false } }), calm],
  "route-changed": [of({}, { route: { ...calm.route, changed: true } }), calm],
  "appeal-late": [
    of({ appeal: { type: "appeal", reason: "Why." } }, { appealBy: "2026-12-14" }),
    of({ appeal: { type: "appeal", reason: "Why." } }, { appealBy: "2026-12-15" }),
  ],
  "dates-over": [
    of({ fromDate: "2025-11-01", toDate: "2025-12-14" }),
    of({ fromDate: "2025-11-01", toDate: "2025-12-15" }),
  ],
  "exact-duplicate": [of({}, other({})), of({}, other({}, { left: false }))],
  "same-request-open": [
    of({}, other({}, { left: false })),
    of({}, other(line({ modifierCode1: "RT" }), { left: false })),
  ],
  "existing-approval": [
    of({}, other(far, { determination: approved })),
    of({}, other(far, { determination: { ...approved, validTo: "2026-12-14" } })),
  ],
  "near-duplicate": [
    of({}, other({ fromDate: "2027-04-14", toDate: undefined })),
    of({}, other({ fromDate: "2027-04-15", toDate: undefined })),
  ],
  "no-patient": [of({ patient: undefined, subscriber: {} }), of({ patient: undefined })],
  "payer-not-configured": [of({}, { route: { ...calm.route, configured: false } }), calm],
  "delegated-in-part": [of({}, { delegatedInPart: { name: "Imaging", procedures: [0] } }), calm],
  "dates-reversed": [
    of(line({ fromDate: "2027-01-20", toDate: "2027-01-19" })),
    of(line({ fromDate: "2027-01-20", toDate: "2027-01-20" })),
  ],
  "past-dates": [of({ fromDate: "2026-12-14" }), of({ fromDate: "2026-12-15" })],
  "far-dates": [of({ toDate: "2027-12-16" }), of({ toDate: "2027-12-15" })],
  "unusual-quantity": [of(line({ quantity: 0 })), of(line({ quantity: 1_000 }))],
  "unknown-code-format": [of({ procedures: [{ code: "MRI" }] }), calm],
  "urgency-unattested": [of({ serviceLevelCode: "U" }), of({ serviceLevelCode: "U", urgentAttestation: true })],
  "old-note": [
    of({ providerNotes: [{ message: "Why.", date: "2026-09-15" }] }),
    of({ providerNotes: [{ message: "Why.", date: "2026-09-16" }, { message: "No date." }] }),
  ],
  "no-attachment": [of({}, { files: { count: 0, left: false } }), calm],
  "files-left": [of({}, { files: { count: 1, left: true } }), calm],
  "members-left": [of({}, { leftOut: ["/accident"] }), calm],
  "unknown-members": [of({ colour: "blue" }), calm],
};

const typesOf = (facts: CaseFacts) => checksOf(facts).map(({ type }) => type);

test("a request with nothing wrong passes every check", () => {
  expect(checksOf(calm)).toEqual([]);
});

// Safe because the table has exactly these keys, by type.
describe.each(Object.keys(cases) as CheckType[])("%s", (type) => {
  const [shows, doesNot] = cases[type];

  test("is found in a case that has it, with its level", () => {
    expect(checksOf(shows).find((check) => check.type === type)).toMatchObject({ level: levels[type] });
  });

  test("is not found in its nearest neighbour", () => {
    expect(typesOf(doesNot)).not.toContain(type);
  });
});

test("a very high quantity is unusual by its unit, and drugs are counted in many units", () => {
  expect(typesOf(of(line({ quantity: 201, quantityTypeCode: "VS" })))).toEqual(["unusual-quantity"]);
  expect(typesOf(of(line({ quantity: 1_001 })))).toEqual(["unusual-quantity"]);
  expect(typesOf(of(line({ code: "J7192", quantity: 20_000 })))).toEqual([]);
});

test("what is wrong with dates and quantities names the line it stands on", () => {
  const lines = [{ code: "72148" }, { code: "97110", fromDate: "2026-12-01", toDate: "2026-11-30", quantity: 5_000 }];
  expect(checksOf(of({ procedures: lines })).map(({ type, paths }) => [type, ...paths])).toEqual([
    ["dates-reversed", "/procedures/1/fromDate", "/procedures/1/toDate"],
    ["past-dates", "/procedures/1/fromDate"],
    ["unusual-quantity", "/procedures/1/quantity"],
  ]);
});

test("a void is checked for its way to the payer alone", () => {
  const everything = Object.values(cases).flatMap(([{ missing, route, practiceActive }]) =>
    typesOf(of({ patient: undefined, subscriber: {} }, { action: "void", missing, route, practiceActive })),
  );
  expect(new Set(everything)).toEqual(new Set(["practice-suspended", "no-route", "route-changed"]));
});

describe("another case", () => {
  test.each<[string, object, Partial<OtherCase>, CheckType[]]>([
    ["that asks the same and was denied is near", {}, { determination: { outcome: "denied" } }, ["near-duplicate"]],
    ["that asks the same and was approved blocks", {}, { determination: approved }, ["exact-duplicate"]],
    [
      "whose lines stand in another order blocks",
      { procedures: [...whole.procedures].reverse() },
      {},
      ["exact-duplicate"],
    ],
    [
      "whose line has its own days, the same, blocks",
      line({ fromDate: "2027-01-11", toDate: "2027-03-31" }),
      {},
      ["exact-duplicate"],
    ],
    ["of another payer is near", { payer: { id: "87726" } }, {}, ["near-duplicate"]],
    ["of another quantity is near", line({ quantity: 2 }), {}, ["near-duplicate"]],
    ["of one more line is near", { procedures: [...whole.procedures, { code: "72149" }] }, {}, ["near-duplicate"]],
    ["for other days entirely is of no concern", far, {}, []],
    [
      "without days that came lately is near only to what is meant for then",
      { fromDate: undefined, toDate: undefined },
      {},
      [],
    ],
    ["for other codes is of no concern", { procedures: [{ code: "97110" }] }, {}, []],
  ])("%s", (_, review, more, types) => {
    expect(typesOf(of({}, other(review, more)))).toEqual(types);
  });

  test("without days is near to what came without days a fortnight before or after, and no further", () => {
    const undated = { fromDate: undefined, toDate: undefined };
    const near = (openedOn: string) =>
      typesOf(of(undated, other({ ...undated, ...line({ quantity: 2 }) }, { openedOn })));
    expect([near("2026-12-01"), near("2026-11-30")]).toEqual([["near-duplicate"], []]);
  });

  test("never blocks what the payer has already, nor says of what has left that it waits here", () => {
    expect(typesOf(of({}, { ...other({}), update: true }))).toEqual(["near-duplicate"]);
  });
});

test("two checks of one case never have one name, and no name has a space in it", () => {
  fc.assert(
    fc.property(someFacts(), (facts) => {
      const keys = checksOf(facts).map(keyOf);
      expect(new Set(keys).size).toBe(keys.length);
      expect(keys.filter((key) => /\s/.test(key))).toEqual([]);
    }),
  );
});

test("the checks have an answer to whatever was stored, and know every type they give", () => {
  fc.assert(
    fc.property(someFacts(), (facts) => {
      for (const { type, level } of checksOf(facts)) expect(levels[type]).toBe(level);
    }),
    { numRuns: 500 },
  );
});

test("every warning can be noted, and no block can", () => {
  expect(new Set(warningTypes)).toEqual(
    new Set(Object.entries(levels).flatMap(([type, level]) => (level === "warn" ? [type] : []))),
  );
});

/** Facts about reviews whose texts are all hostile, and whose shape is right, because the endpoint accepts no other. */
function someFacts(): fc.Arbitrary<CaseFacts> {
  const naughty = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("", "__proto__", "NaN", "2026-02-30", "9999-99-99", "-1", "\u202e", "72148", "2026-12-01", "J1745"),
  );
  const maybe = <Value>(of: fc.Arbitrary<Value>) => fc.option(of, { nil: undefined });
  const dated = { fromDate: maybe(naughty), toDate: maybe(naughty) };
  const counted = { quantity: maybe(fc.double()), quantityTypeCode: maybe(naughty) };
  const provider = fc.record({ npi: maybe(naughty), [`x y`]: naughty });
  const review = fc.record({
    payer: fc.record({ id: naughty }),
    procedures: fc.array(
      fc.record({ code: naughty, modifierCode1: maybe(naughty), ...dated, ...counted, "unknown member": naughty }),
      { minLength: 1, maxLength: 4 },
    ),
    ...dated,
    ...counted,
    serviceLevelCode: maybe(naughty),
    patient: maybe(fc.record({ lastName: maybe(naughty) })),
    subscriber: maybe(fc.record({ memberId: maybe(naughty) })),
    requestingProvider: maybe(provider),
    renderingProviders: maybe(fc.array(provider, { maxLength: 3 })),
    providerNotes: maybe(fc.array(fc.record({ message: naughty, date: maybe(naughty) }), { maxLength: 3 })),
    "\u0000 strange\n": naughty,
  });
  const outcome = fc.constantFrom("approved", "modified", "partially-approved", "denied", "not-required");
  const others = fc.uniqueArray(
    fc.record({
      taskId: fc.uuid(),
      review,
      left: fc.boolean(),
      openedOn: naughty,
      determination: maybe(fc.record({ outcome, validTo: maybe(naughty) })),
    }),
    { maxLength: 3, selector: ({ taskId }) => taskId },
  );
  const facts = fc.record({
    action: fc.constantFrom("transmit", "void"),
    update: fc.boolean(),
    review,
    today: naughty,
    openedOn: naughty,
    missing: fc.array(naughty, { maxLength: 2 }),
    required: fc.array(fc.oneof(naughty, fc.constantFrom("/diagnoses", "/procedures/*/quantity")), { maxLength: 3 }),
    providers: fc.array(fc.record({ npi: naughty, name: naughty, roles: fc.constant(["requesting"]) }), {
      maxLength: 2,
    }),
    leftOut: fc.array(naughty, { maxLength: 2 }),
    files: fc.record({ count: fc.nat(20), left: fc.boolean() }),
    practiceActive: fc.boolean(),
    route: fc.record({ configured: fc.boolean(), reachable: fc.boolean(), changed: fc.boolean() }),
    others,
  });
  // Safe because the shape is the type's; only the texts are strange.
  return facts as fc.Arbitrary<CaseFacts>;
}
