import { expect, test } from "vitest";
import type { CaseClock } from "#lib/task/case-clock";
import { clockedStateBadge } from "./case-badges.tsx";

const at = new Date("2026-11-20T20:02:11Z");
// Safe because a badge looks at nothing else of the rule.
const clockOf = (overdue: boolean, stoppedAt?: Date) =>
  ({
    ...{ startedAt: at, startedBy: "payer", stoppedAt },
    legal: { known: true, overdue, dueAt: at, remainingMs: overdue ? -1 : 1 },
  }) as CaseClock;

test("a payer past its legal deadline is called overdue, until it has decided", () => {
  expect(clockedStateBadge("transmitted", undefined).text).toBe("With payer");
  expect(clockedStateBadge("transmitted", clockOf(false)).text).toBe("With payer");
  expect(clockedStateBadge("transmitted", clockOf(true))).toEqual({ text: "Payer decision overdue", tone: "bad" });
  expect(clockedStateBadge("determined", clockOf(true, at)).text).toBe("Determined");
});
