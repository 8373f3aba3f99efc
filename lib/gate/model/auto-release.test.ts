import { expect, test } from "vitest";
import { autoReleaseObstacles } from "#lib/messages/reasons/case";
import { autoReleaseObstacle, type AutoReleaseFacts } from "./auto-release.ts";

const payer = "http://127.0.0.1:4000";
const free: AutoReleaseFacts = {
  autoReview: true,
  practiceEnvironment: "test",
  gateEnvironment: "test",
  isManual: false,
  wasLive: false,
  urls: [`${payer}/a`, `${payer}/b`],
  sandboxPayers: [payer],
  votesNeeded: 1,
};

test("a request of test data for sandbox payers alone is released automatically", () => {
  expect(autoReleaseObstacle(free)).toBeUndefined();
});

test.each<[keyof typeof autoReleaseObstacles, Partial<AutoReleaseFacts>]>([
  ["noSandboxPayer", { sandboxPayers: [] }],
  ["practiceLive", { practiceEnvironment: "live" }],
  ["practiceReviews", { autoReview: false }],
  ["connectionLive", { gateEnvironment: "live" }],
  ["caseWasLive", { wasLive: true }],
  ["manual", { isManual: true }],
  ["severalReviewers", { votesNeeded: 2 }],
  ["noPayer", { urls: [] }],
  ["notSandboxPayer", { urls: [`${payer}/a`, "https://payer.example/b"] }],
])("waits for a person, %s, whatever else is in order", (obstacle, facts) => {
  expect(autoReleaseObstacle({ ...free, ...facts })).toBe(autoReleaseObstacles[obstacle]);
});
