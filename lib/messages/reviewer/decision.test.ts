import { expect, test } from "vitest";
import { afterReleasesText } from "./decision.ts";

test.each([
  [[0, 0], undefined],
  [[10, 10], "You can undo for 10 seconds."],
  [[1], "You can undo for 1 second."],
  [[30, 5, 10], "You can undo for 5 to 30 seconds, as each practice has set."],
  [[0, 10], "You can undo for up to 10 seconds, as each practice has set."],
])("a release of several cases whose undo windows are %j says for how long it can be undone", (windows, undo) => {
  const submits = "Submits each to its payer; one with a manual route waits for whoever submits it.";
  expect(afterReleasesText(windows)).toBe([submits, undo].filter(Boolean).join(" "));
});
