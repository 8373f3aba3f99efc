import { describe, expect, test } from "vitest";
import { requestedLines } from "#lib/task/model/requested-lines";
import { recordedLines, type RecordedLine } from "./recorded-lines.ts";

const requested = requestedLines({
  payer: { id: "P1" },
  fromDate: "2027-01-01",
  toDate: "2027-03-31",
  procedures: [
    { code: "72148", quantity: 1, quantityTypeCode: "UN" },
    { code: "97110", quantity: 12, quantityTypeCode: "VS", fromDate: "2027-02-01", toDate: "2027-02-28" },
  ],
});
const certified: RecordedLine = { action: "A1" };
const denied: RecordedLine = { action: "A3", reasons: ["0F"] };
const cut: RecordedLine = { action: "A6", authorized: { quantity: 6 }, reasons: [] };

describe("one answer to every line", () => {
  test.each([
    ["approved", "A1"],
    ["denied", "A3"],
    ["not-required", "NA"],
  ] as const)("%s answers each of them", (outcome, action) => {
    expect(recordedLines(requested, { outcome })).toMatchObject({
      ok: true,
      value: {
        outcome,
        lines: [
          { sequence: 1, action },
          { sequence: 2, action },
        ],
      },
    });
  });

  test("approved authorizes what was asked, with the dates of the request where the line has none", () => {
    const terms = { code: "72148", quantity: 1, unit: "UN", from: "2027-01-01", to: "2027-03-31" };
    expect(recordedLines(requested, { outcome: "approved" })).toMatchObject({
      ok: true,
      value: { lines: [{ requested: terms, authorized: terms }, {}] },
    });
  });
});

describe("an answer to each line", () => {
  test.each([
    [[certified, denied], "partially-approved"],
    [[certified, cut], "modified"],
    [[denied, denied], "denied"],
    [[certified, certified], "approved"],
  ] as const)("amounts to what the same codes on a wire would (%#)", (lines, outcome) => {
    expect(recordedLines(requested, { outcome: "by-line", lines })).toMatchObject({ ok: true, value: { outcome } });
  });

  test("with changes authorizes what changed, and what was asked otherwise; one not certified authorizes nothing", () => {
    const read = recordedLines(requested, { outcome: "by-line", lines: [denied, cut] });
    expect(read.ok && read.value.lines).toEqual([
      { sequence: 1, action: "A3", requested: requested[0], reasons: ["0F"] },
      { sequence: 2, action: "A6", requested: requested[1], authorized: { ...requested[1], quantity: 6 }, reasons: [] },
    ]);
  });

  test.each([
    ["a line without an answer", [certified], "lines"],
    [
      "changes that change nothing",
      [certified, { action: "A6", authorized: { quantity: 12 }, reasons: [] }],
      "lines.1.action",
    ],
    [
      "days in the wrong order",
      [certified, { action: "A6", authorized: { from: "2027-03-02" }, reasons: [] }],
      "lines.1.to",
    ],
  ] as const)("%s is refused with its place", (_, lines, path) => {
    expect(recordedLines(requested, { outcome: "by-line", lines })).toMatchObject({
      ok: false,
      refusal: { type: "invalid", issues: [{ path }] },
    });
  });
});
