import { describe, expect, test } from "vitest";
import { authorizationConflicts, type AuthorizationAnswer, type LineAnswer } from "./authorization-conflicts.ts";

const requested = {
  code: "97110",
  modifiers: ["GP"],
  quantity: 6,
  unit: "VS",
  from: "2026-12-01",
  to: "2026-12-31",
};

const line = (members: Partial<LineAnswer> = {}): LineAnswer => ({
  sequence: 1,
  action: "A1",
  requested,
  authorized: [],
  ...members,
});

const answer = (members: Partial<AuthorizationAnswer> = {}): AuthorizationAnswer => ({
  lines: [line()],
  requestedProviders: ["1234567893"],
  decidedOn: "2026-11-23",
  ...members,
});

const conflictsOf = (members: Partial<LineAnswer>, whole: Partial<AuthorizationAnswer> = {}) =>
  authorizationConflicts(answer({ lines: [line(members)], ...whole }));

describe("an approval stands", () => {
  test.each<[string, Partial<LineAnswer>, Partial<AuthorizationAnswer>?]>([
    ["where nothing but the action is stated", {}],
    ["where everything asked is repeated", { authorized: [requested] }],
    ["where codes and units differ in case alone", { authorized: [{ code: "97110 ", unit: "vs", quantity: 6 }] }],
    [
      "where modifiers come in another order",
      {
        requested: { ...requested, modifiers: ["GP", "KX"] },
        authorized: [{ ...requested, modifiers: ["KX", "GP"] }],
      },
    ],
    ["where a quantity comes without its unit", { authorized: [{ quantity: 6 }] }],
    ["where nothing was asked about a quantity", { requested: { code: "97110" }, authorized: [{ quantity: 1 }] }],
    ["where the days authorized hold the days asked", { authorized: [{ from: "2026-11-01", to: "2027-01-31" }] }],
    ["where the validity holds the days asked", { validity: { from: "2026-11-23", to: "2027-02-21" } }],
    ["where the validity is open", { validity: { from: "2026-11-23" } }],
    [
      "where the validity begins with the decision, the service being under way",
      { validity: { from: "2026-12-10", to: "2027-01-31" } },
      { decidedOn: "2026-12-10" },
    ],
    ["where one of the authorized providers was asked for", { providers: [["1999999992"], ["1234567893"]] }],
    ["under an action of the whole that says the same", {}, { header: "A1", processing: "complete" }],
  ])("%s", (_, members, whole) => {
    expect(conflictsOf(members, whole)).toEqual([]);
  });
});

describe("an approval is for a person", () => {
  test.each<[string, Partial<LineAnswer>, Partial<AuthorizationAnswer>?]>([
    ["is certified for 0 of 6", { authorized: [{ quantity: 0 }] }],
    ["is certified for 1 of 6", { authorized: [{ quantity: 1, unit: "VS" }] }],
    ["is certified for 8 of 6", { authorized: [{ quantity: 8 }] }],
    ["is certified for -1 of 6", { authorized: [{ quantity: -1 }] }],
    ["is certified in another unit than was asked", { authorized: [{ quantity: 6, unit: "DY" }] }],
    ["is certified for another procedure than was asked", { authorized: [{ code: "97112" }] }],
    ["is certified with other modifiers than were asked", { authorized: [{ modifiers: ["GO"] }] }],
    ["is certified for other days than were asked", { authorized: [{ from: "2026-12-01", to: "2026-12-15" }] }],
    ["is certified for other days than were asked", { authorized: [{ from: "2026-12-01", to: "2026-12-01" }] }],
    ["is certified for days that end before they begin", { authorized: [{ from: "2026-12-31", to: "2026-12-01" }] }],
    [
      "has a validity that does not cover the days of the service",
      { validity: { from: "2020-01-01", to: "2020-12-31" } },
    ],
    ["has a validity that does not cover the days of the service", {}, { validity: { to: "2020-12-31" } }],
    [
      "has a validity that does not cover the days of the service",
      { requested: { code: "97110" }, validity: { to: "2020-12-31" } },
    ],
    [
      "has a validity that covers only a part of the days asked",
      { validity: { from: "2026-11-23", to: "2026-12-15" } },
    ],
    ["has a validity that covers only a part of the days asked", { validity: { from: "2026-12-20" } }],
    ["has a validity that ends before it begins", { validity: { from: "2026-12-31", to: "2026-12-01" } }],
    ["is certified for another provider than was asked", { providers: [["1999999992"]] }],
    ["is certified for another provider than was asked", {}, { providers: [[]] }],
  ])("that %s", (problem, members, whole) => {
    expect(conflictsOf(members, whole)).toEqual([`Line 1 (A1) ${problem}.`]);
  });

  test.each(["A3", "A4", "A6", "C", "CT", "NA", "A2"] as const)("under %s for the whole request", (header) => {
    expect(conflictsOf({}, { header })).toEqual([
      `The request as a whole is answered ${header}, and its lines otherwise.`,
    ]);
  });

  test.each(["A1", "A3", "A4", "C", "NA"] as const)(
    "under %s for the whole request, whose lines are modified",
    (header) => {
      const modified = { action: "A6", authorized: [{ quantity: 3 }] } as const;
      expect(conflictsOf(modified, { header })).toEqual([
        `The request as a whole is answered ${header}, and its lines otherwise.`,
      ]);
    },
  );

  test.each(["error", "queued", "partial", "unknown"] as const)("beside the processing outcome %s", (processing) => {
    expect(conflictsOf({}, { processing })).toHaveLength(1);
  });
});

describe("a modification", () => {
  const authorized = [{ code: "97112", quantity: 3, unit: "UN", from: "2026-12-05", to: "2026-12-10" }];
  test("may change procedure, quantity, unit and days, and its validity is held against its own days", () => {
    expect(conflictsOf({ action: "A6", authorized, validity: { from: "2026-12-05", to: "2026-12-10" } })).toEqual([]);
  });

  test.each<[string, Partial<LineAnswer>, Partial<AuthorizationAnswer>]>([
    [
      "the period of the whole alone",
      { authorized: [requested] },
      { validity: { from: "2026-12-01", to: "2026-12-15" } },
    ],
    [
      "who provides it alone",
      { authorized: [requested], providers: [["1234567893"]] },
      { requestedProviders: ["1234567893", "1999999992"] },
    ],
  ])("may change %s", (_, members, whole) => {
    expect(conflictsOf({ action: "A6", ...members }, whole)).toEqual([]);
  });

  test.each<[string, Partial<LineAnswer>]>([
    ["is modified, without saying to what", {}],
    ["is certified for 0 of 6", { authorized: [{ quantity: 0 }] }],
    ["has a validity that does not cover the days of the service", { authorized, validity: { to: "2020-12-31" } }],
    ["is certified for another provider than was asked", { authorized, providers: [["1999999992"]] }],
  ])("that %s is for a person", (problem, members) => {
    expect(conflictsOf({ action: "A6", ...members })).toEqual([`Line 1 (A6) ${problem}.`]);
  });
});

describe("a certification in part", () => {
  test("may be of less, and of fewer days", () => {
    const authorized = [{ quantity: 3, unit: "VS", from: "2026-12-01", to: "2026-12-15" }];
    expect(conflictsOf({ action: "A2", authorized, validity: { from: "2026-12-01", to: "2026-12-15" } })).toEqual([]);
    expect(conflictsOf({ action: "A2" }, { header: "A2", processing: "partial" })).toEqual([]);
  });

  test.each<[string, Partial<LineAnswer>]>([
    ["is certified for 0 of 6", { authorized: [{ quantity: 0 }] }],
    ["is certified for 7 of 6", { authorized: [{ quantity: 7 }] }],
    ["is certified for another procedure than was asked", { authorized: [{ code: "97112" }] }],
  ])("that %s is for a person", (problem, members) => {
    expect(conflictsOf({ action: "A2", ...members })).toEqual([`Line 1 (A2) ${problem}.`]);
  });
});

describe("a denial", () => {
  test("stands where nothing, or a quantity of nothing, is authorized", () => {
    expect(conflictsOf({ action: "A3" }, { header: "A3", processing: "complete" })).toEqual([]);
    expect(conflictsOf({ action: "A3", authorized: [{ quantity: 0 }] })).toEqual([]);
    expect(conflictsOf({ action: "A3", validity: { to: "2020-12-31" } })).toEqual([]);
  });

  test("beside an authorized quantity is for a person", () => {
    expect(conflictsOf({ action: "A3", authorized: [{ quantity: 6 }] })).toEqual([
      "Line 1 (A3) is not certified, with an authorized quantity.",
    ]);
  });
});

test("a line the payer added is held against what can be held against it", () => {
  const added = line({ sequence: 7, requested: undefined, authorized: [{ code: "97112", quantity: 0 }] });
  expect(authorizationConflicts(answer({ lines: [line(), added] }))).toEqual(["Line 7 (A1) is certified for 0."]);
});

test("a pended answer is queued, partial or complete, and its whole is pended as well", () => {
  for (const processing of ["queued", "partial", "complete"] as const)
    expect(conflictsOf({ action: "A4" }, { header: "A4", processing })).toEqual([]);
  expect(conflictsOf({ action: "A4" }, { header: "A1" })).toHaveLength(1);
});

test("no decision is older than its request, whatever day it states or leaves out: what was over by then authorizes nothing", () => {
  const undated = { requested: { code: "97110" }, validity: { from: "2020-01-01", to: "2020-12-31" } };
  const requestedAt = new Date("2026-11-23T12:00:00Z");
  for (const decidedOn of ["2020-01-01", undefined]) {
    expect(conflictsOf(undated, { decidedOn })).toEqual([]);
    expect(conflictsOf(undated, { decidedOn, requestedAt })).toEqual([
      "Line 1 (A1) has a validity that does not cover the days of the service.",
    ]);
    const current = { ...undated, validity: { from: "2026-11-22", to: "2027-02-28" } };
    expect(conflictsOf(current, { decidedOn, requestedAt })).toEqual([]);
  }
});
