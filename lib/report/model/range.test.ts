import { expect, test } from "vitest";
import { rangeOf } from "./range.ts";

test("days that the calendar does not have are passed over", () => {
  const today = "2026-11-28";
  expect(rangeOf({ from: "2026-02-27", to: "2026-03-05" }, today)).toMatchObject({ from: "2026-02-27", days: 7 });
  for (const from of ["2026-02-30", "0000-01-01", "2026-2-27"])
    expect(rangeOf({ from, to: "2026-03-05" }, today)).toMatchObject({ to: today, chosen: "30" });
});
