import { describe, expect, test } from "vitest";
import { determination } from "./typed-determination.ts";

const form = {
  taskId: "t",
  requestedRevision: "2",
  zone: "America/Chicago",
  outcome: "by-line",
  authorizationNumber: "",
  decidedAt: "2026-11-20T09:30",
  learnedBy: "phone",
  learnedFrom: "Lee",
  evidence: "Call 4471",
  "line-1-action": "A1",
  "line-2-action": "A6",
  "line-2-quantity": "6",
  "line-2-from": "",
  "line-2-reasons": "0f, 4",
};

const problems = (changed: object) =>
  determination.safeParse({ ...form, ...changed }).error?.issues.map(({ path }) => path.join("."));

describe("a typed determination", () => {
  test("is read line by line, in the reader's zone, with empty fields left out", () => {
    expect(determination.parse(form)).toEqual({
      taskId: "t",
      revision: 2,
      outcome: "by-line",
      decidedAt: new Date("2026-11-20T15:30:00Z"),
      learned: { by: "phone", from: "Lee" },
      evidence: "Call 4471",
      authorizationNumber: undefined,
      lines: [
        { action: "A1", number: undefined },
        { action: "A6", authorized: { quantity: 6, from: undefined }, number: undefined, reasons: ["0f", "4"] },
      ],
    });
  });

  test("with one answer to every line ignores the fields nobody saw", () => {
    expect(determination.parse({ ...form, outcome: "denied", "line-2-quantity": "many" })).toMatchObject({
      outcome: "denied",
      learned: { by: "phone" },
    });
  });

  test("of a line ignores what was typed before another answer hid it", () => {
    const [action, number, reasons] = ["line-1-action", "line-1-number", "line-1-reasons"];
    const typed = { ...form, [number]: "PA-1", [reasons]: "not medically necessary", "line-1-quantity": "none" };
    const first = (answer: string) => determination.parse({ ...typed, [action]: answer });
    expect(first("A1")).toMatchObject({ lines: [{ action: "A1", number: "PA-1" }, {}] });
    expect(first("NA")).toMatchObject({ lines: [{ action: "NA" }, {}] });
    for (const answer of ["A1", "NA"]) expect(JSON.stringify(first(answer))).not.toContain("necessary");
    const notCertified = determination.parse({ ...typed, [action]: "A3", [reasons]: "0F" });
    expect(JSON.stringify(notCertified)).not.toContain("PA-1");
    expect(notCertified).toMatchObject({ lines: [{ action: "A3", reasons: ["0F"] }, {}] });
  });

  test("that is no denial ignores until when a denial could have been contested", () => {
    const typed = { ...form, appealBy: "2027-01-31", howToAppeal: "By fax" };
    expect(determination.parse({ ...typed, outcome: "denied" })).toMatchObject({ appealBy: "2027-01-31" });
    expect(JSON.stringify(determination.parse({ ...typed, outcome: "approved" }))).not.toContain("By fax");
  });

  test("that authorizes nothing ignores the number and days of an authorization", () => {
    const typed = { ...form, authorizationNumber: "PA-1", validFrom: "2026-12-01", validTo: "2026-12-31" };
    const terms = { authorizationNumber: "PA-1", validFrom: "2026-12-01", validTo: "2026-12-31" };
    for (const outcome of ["approved", "by-line"])
      expect(determination.parse({ ...typed, outcome })).toMatchObject(terms);
    for (const outcome of ["denied", "not-required"])
      expect(JSON.stringify(determination.parse({ ...typed, outcome }))).not.toMatch(/PA-1|2026-12/);
  });

  test.each([
    ["no outcome", { outcome: "" }, ["outcome"]],
    ["a line without an answer", { "line-3-action": "" }, ["lines.2.action"]],
    ["a line left out", { "line-4-action": "A1" }, ["lines.2.action"]],
    ["a quantity that is no number", { "line-2-quantity": "six" }, ["lines.1.quantity"]],
    ["a quantity of nothing", { "line-2-quantity": "0" }, ["lines.1.quantity"]],
    ["a day that is none", { "line-2-to": "2026-02-30" }, ["lines.1.to"]],
    ["a reason in words", { "line-2-reasons": "no medical need" }, ["lines.1.reasons"]],
    ["no way of knowing", { learnedBy: "" }, ["learnedBy"]],
    ["a time that is none", { decidedAt: "yesterday" }, ["decidedAt"]],
  ])("with %s names the field", (_, changed, paths) => {
    expect(problems(changed)).toEqual(paths);
  });
});
