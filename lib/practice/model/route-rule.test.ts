import { describe, expect, test } from "vitest";
import type { ServiceReview } from "#lib/task/model/service-review";
import { firstFit, isWithin, partialFit, type RouteRule } from "./route-rule.ts";

const aRule = (rule: Partial<RouteRule> = {}): RouteRule => ({
  ...{ name: "Imaging", serviceTypes: [], codes: [], linesOfBusiness: [], connection: "RAD" },
  ...rule,
});
const aReview = (codes: readonly string[], review: Partial<ServiceReview> = {}): ServiceReview => ({
  payer: { id: "60054" },
  procedures: codes.map((code) => ({ code })),
  ...review,
});
const imaging = aRule({ codes: [{ from: "70336", to: "78816" }] });
const therapy = aRule({ name: "Therapy", serviceTypes: ["PT"], connection: "THER" });

describe("the connection of a request", () => {
  test("is the payer's own where no rule fits", () => {
    expect(firstFit([imaging, therapy], aReview(["99213"]))).toBeUndefined();
    expect(firstFit([], aReview(["70551"]))).toBeUndefined();
  });

  test("is that of the first rule that fits, with its place", () => {
    const review = aReview(["70551"], { serviceTypeCode: "PT" });
    expect(firstFit([imaging, therapy], review)).toEqual({ ...imaging, position: 1 });
    expect(firstFit([therapy, imaging], review)).toEqual({ ...therapy, position: 1 });
    expect(firstFit([imaging, therapy], aReview(["97110"], { serviceTypeCode: "PT" }))?.position).toBe(2);
  });

  test("is by all conditions of a rule, and any value of each", () => {
    const rule = aRule({
      serviceTypes: ["4", "62"],
      codes: [{ from: "70336", to: "78816" }],
      linesOfBusiness: ["HMO"],
    });
    const review = (more: Partial<ServiceReview>) =>
      aReview(["70551"], { serviceTypeCode: "62", coverage: { lineOfBusiness: "hmo " }, ...more });
    expect(firstFit([rule], review({}))?.connection).toBe("RAD");
    expect(firstFit([rule], review({ serviceTypeCode: "1" }))).toBeUndefined();
    expect(firstFit([rule], review({ serviceTypeCode: undefined }))).toBeUndefined();
    expect(firstFit([rule], review({ coverage: { lineOfBusiness: "a line nobody knows" } }))).toBeUndefined();
    expect(firstFit([rule], review({ coverage: undefined }))).toBeUndefined();
  });

  test("is by a line of business that we have no word for", () => {
    const rule = aRule({ linesOfBusiness: ["Duals special needs, tier 2"] });
    expect(
      firstFit([rule], aReview(["1"], { coverage: { lineOfBusiness: "duals special needs, TIER 2" } })),
    ).toBeDefined();
  });

  test("is a rule's only where every procedure is in its ranges, to the end of a range that is asked for", () => {
    expect(firstFit([imaging], aReview(["70551", "78816"]))).toBeDefined();
    expect(firstFit([imaging], aReview(["70551", "99213"]))).toBeUndefined();
    const range = { ...aReview([]), procedures: [{ code: "70551", codeEnd: "79999" }] };
    expect(firstFit([imaging], range)).toBeUndefined();
  });
});

describe("a rule that fits a part of a request", () => {
  test("is named with the procedures it fits, and chooses nothing", () => {
    const review = aReview(["99213", "70551"]);
    expect(firstFit([imaging], review)).toBeUndefined();
    expect(partialFit([imaging], review, undefined)).toEqual({ rule: { ...imaging, position: 1 }, procedures: [1] });
  });

  test("is none where a rule before it was chosen, or where its other conditions do not fit", () => {
    const every = aRule({ name: "All" });
    const review = aReview(["99213", "70551"]);
    expect(partialFit([every, imaging], review, { ...every, position: 1 })).toBeUndefined();
    expect(partialFit([{ ...imaging, serviceTypes: ["4"] }], review, undefined)).toBeUndefined();
  });
});

test.each([
  ["70336", "78816", "70551", true],
  ["70336", "78816", "78817", false],
  ["70551", "70551", "70551", true],
  ["0042T", "0055T", "0043T", true],
  ["0042T", "0055T", "0043U", false],
  ["J0000", "J9999", "J1745", true],
  ["A4206", "B9999", "A9999", true],
  ["A4206", "B9999", "C1000", false],
  ["70336", "78816", "7055", false],
  ["j0000", "J9999", "j1745", true],
])("from %s to %s, %s lies within: %s", (from, to, code, within) => {
  expect(isWithin({ from, to }, code)).toBe(within);
});
