import { expect, test } from "vitest";
import { afterReleasesText } from "./decision.ts";

const releases = (windows: readonly number[], manual = false) =>
  windows.map((recallWindowS) => ({ manual, recallWindowS }));

test.each([
  [[0, 0], undefined],
  [[10, 10], "You can undo for 10 seconds."],
  [[1], "You can undo for 1 second."],
  [[30, 5, 10], "You can undo for 5 to 30 seconds, as each practice has set."],
  [[0, 10], "You can undo for up to 10 seconds, as each practice has set."],
])("a release of several cases whose undo windows are %j says for how long it can be undone", (windows, undo) => {
  expect(afterReleasesText(releases(windows))).toBe(["Submits each to its payer.", undo].filter(Boolean).join(" "));
});

test("a manual route has no undo window, and is undone until its submission starts", () => {
  const manual = releases([10, 60], true);
  expect(afterReleasesText(manual)).toBe("Each waits for whoever submits it. You can undo until that starts.");
  expect(afterReleasesText([...manual, ...releases([5])])).toBe(
    "Submits each to its payer. You can undo for 5 seconds. One with a manual route waits for whoever submits it; you can undo it until that starts.",
  );
});
