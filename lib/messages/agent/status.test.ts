import { expect, test } from "vitest";
import { statusText } from "./status.ts";

test("the task's id ends the text, so that nothing after it refers to the id", () => {
  const what = "To contest it, send an appeal.";
  const paragraph = { taskId: "t-1", says: "The payer denied it.", what, by: "agent", until: "2026-12-01" } as const;
  expect(statusText({ ...paragraph, missing: [], about: [], edited: [] })).toBe(
    `The payer denied it. Next, the agent: ${what} The payer's last day for that is 2026-12-01. The taskId is t-1.`,
  );
});
