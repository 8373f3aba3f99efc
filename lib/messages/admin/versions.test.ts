import { expect, test } from "vitest";
import { placeText, valueText } from "./versions.ts";

test.each([
  ["/atoms/tasks_get", "Permission: tasks_get"],
  ["/webhooks/agents.example.org", "Webhook host: agents.example.org"],
])("an item of a list is named, and is there or not: %s", (path, place) => {
  expect(placeText(path)).toBe(place);
  expect([valueText(path, undefined), valueText(path, "true")]).toEqual(["no", "yes"]);
});

test("a setting that was not there has no value, and one left out where it is as in the beginning has that", () => {
  expect(valueText("/taxId", undefined)).toBeUndefined();
  expect(valueText("/ssoOnly", undefined)).toBe("no");
});
