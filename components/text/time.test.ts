import { expect, test } from "vitest";
import { timeParts } from "./time.tsx";

const at = new Date("2026-11-20T20:02:11Z");
const zone = "America/Chicago";

test("a time stands in the practice's zone, and its title has the reader's too where that is another", () => {
  expect(timeParts(at, "moment", { reader: { own: "Europe/Berlin", prefersOwn: false }, zone })).toEqual({
    iso: "2026-11-20T20:02:11.000Z",
    text: "Nov 20, 2026, 2:02 PM CST",
    exact: "Nov 20, 2026, 2:02:11 PM CST; for you Nov 20, 2026, 9:02:11 PM GMT+1",
  });
  const { exact } = timeParts(at, "moment", { reader: { own: zone, prefersOwn: false }, zone });
  expect(exact).toBe("Nov 20, 2026, 2:02:11 PM CST");
});

test("whoever would rather read their own zone does, and a deadline that passed says since when to the second", () => {
  const reader = { own: "Europe/Berlin", prefersOwn: true };
  expect(timeParts(at, "clock", { reader, zone }).text).toBe("9:02 PM GMT+1");
  const late = timeParts(new Date(Date.now() - 26.5 * 60 * 60 * 1000), "late", { reader, zone });
  expect(late.text).toBe("27 h late");
  expect(late.exact).toMatch(/:\d\d:\d\d [AP]M GMT/);
});

test("a time in a sentence has its date unless that is today's in the zone it stands in", () => {
  const reader = { own: zone, prefersOwn: false };
  expect(timeParts(at, "on", { reader, zone }).text).toBe("on Nov 20, 2026, 2:02 PM CST");
  expect(timeParts(new Date(), "on", { reader, zone }).text).toMatch(/^at \d+:\d\d [AP]M C[SD]T$/);
});
