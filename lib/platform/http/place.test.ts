import { globSync } from "node:fs";
import { dirname } from "node:path";
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

test("every folder that a page or a route is under is one of the words", () => {
  const routed = globSync("app/**/{page,route}.{ts,tsx}").flatMap((file) => dirname(file).split("/").slice(1));
  const named = [...new Set(routed)].filter((name) => !/^[[(]/.test(name));
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => placeOf(`/${name}`) !== `/${name}`)).toEqual([]);
});
