import { expect, test } from "vitest";
import { mentionsIn } from "./mentions.ts";

const people = [
  { id: "1", name: "Dana Whitfield" },
  { id: "2", name: "Priya Raman" },
  { id: "3", name: "Dana Ruiz" },
  { id: "4", name: "José Álvarez" },
];

test.each([
  ["@Priya Raman can you call?", ["2"]],
  ["Please, @priya: the MRI.", ["2"]],
  ["@Dana, which Dana?", []],
  ["@dana ruiz and @Dana Whitfield.", ["1", "3"]],
  ["@José", ["4"]],
  ["mail priya@priya.example or @Priyanka", []],
  ["Priya knows.", []],
  ["", []],
])("%j mentions %j", (text, ids) => {
  expect(mentionsIn(text, people)).toEqual(ids);
});
