import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { placeOf } from "./place.ts";

test.each([
  ["/tasks/01a203cb-7b79-72b7-993c-a4893e794842/print?x=Okafor", "/tasks/[id]/print"],
  ["/practices/elm", "/practices/[id]"],
  ["/Okafor/HM4471029", "/[id]/[id]"],
  ["http://elsewhere.example/queue", "/[id]/[id]/queue"],
  ["/", "/"],
  ["", "/"],
  [`/${"a/".repeat(40)}`, "/[id]/[id]/[id]/[id]/[id]"],
])("of %s is said %s", (target, place) => {
  expect(placeOf(target)).toBe(place);
});

test("every folder of the pages is one of the words", () => {
  const folders = readdirSync("app", { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory());
  const named = folders.map(({ name }) => name).filter((name) => !name.startsWith("["));
  expect(named.filter((name) => placeOf(`/${name}`) !== `/${name}`)).toEqual([]);
});
