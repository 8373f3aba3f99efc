import { expect, test } from "vitest";
import { stepTimes } from "./step-times.ts";

const at = (hour: number) => new Date(Date.UTC(2026, 10, 23, hour));
const entry = (act: string, version: number, hour: number, gateId?: string) => ({
  ...{ act, at: at(hour), actor: "Dana Whitfield" },
  detail: { version, ...(gateId === undefined ? {} : { gateId }) },
});

test("steps have the case's own times, and none is later than the next", () => {
  const history = [
    entry("task.opened", 1, 20),
    entry("gate.released", 2, 20, "earlier"),
    entry("gate.released", 3, 20, "last"),
    entry("transmission.accepted", 4, 20, "last"),
    { ...entry("case.noted", 0, 22), detail: {} },
    entry("payer.decided", 5, 20),
  ];
  // Safe because nothing else of them is read.
  const gate = { id: "last", digest: "ab", decidedAt: at(5) } as never;
  const submission = { gateDigest: "ab", manual: false, sentAt: at(6), answeredAt: at(7) } as never;
  const view = { createdAt: at(1), changedAt: at(9), gate, submissions: [submission], history };
  const steps = history.filter(({ act }) => act !== "case.noted");
  expect(stepTimes(steps, view).map((step) => step.at)).toEqual([at(1), at(5), at(5), at(7), at(9)]);
});

test("a step keeps the time of its entry where the case has none of its own", () => {
  const history = [entry("task.opened", 1, 1), entry("gate.sent-back", 2, 3, "other"), entry("gate.expired", 3, 4)];
  const view = { createdAt: at(1), changedAt: at(4), gate: undefined, submissions: [], history };
  expect(stepTimes(history, view).map((step) => step.at)).toEqual([at(1), at(3), at(4)]);
});
