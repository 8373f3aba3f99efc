import { expect, test } from "vitest";
import { healthCsv } from "./health-csv.ts";
import type { HealthTable, Value } from "#lib/messages/reviewer/health-tables";

const columns: HealthTable["columns"] = [
  { name: "Channel", kind: "text" },
  { name: "Released", kind: "count" },
  { name: "Share", kind: "share" },
  { name: "Median", kind: "span" },
];

function csvOf(...rows: readonly (readonly Value[])[]): string {
  return healthCsv({ id: "channels", title: "Answers by channel", columns, rows });
}

test("a table is written as RFC 4180 defines, with units in the header", () => {
  expect(csvOf(["Intake", 1200, 1 / 3, 90.5], ['Ärzte, "Nord"\n2', 0, null, null])).toBe(
    '\uFEFF"Channel","Released","Share","Median (s)"\r\n"Intake",1200,0.3333,90.5\r\n"Ärzte, ""Nord""\n2",0,,\r\n',
  );
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "\n=1", "＝1", '=HYPERLINK("http://x")'])(
  "%j is never a formula in a spreadsheet",
  (name) => {
    expect(csvOf([name, 1, 1, 1])).toContain(`"'${name.replaceAll('"', '""')}"`);
  },
);

test.each(["Intake agent", "a=b", "1-2", "'quoted'"])("%j is not changed", (name) => {
  expect(csvOf([name, 1, 1, 1])).toContain(`"${name}",1`);
});
