import { expect, test } from "vitest";
import { similarPayers } from "./similar-payers.ts";

const known = [
  { payerId: "87042", name: "Harborlight Health Plan", aliases: ["Harborlight"] },
  { payerId: "60054", name: "Lakeview Mutual", aliases: ["LVM", "Lakeview HMO"] },
  { payerId: "62308", name: "Summit Care", aliases: [] },
  { payerId: "BGCP7", name: undefined, aliases: ["Blue Grove"] },
];
const meant = (given: string) => similarPayers(given, known).map(({ payerId }) => payerId);

test.each([
  ["an alias, in other letters and signs", "lake-view hmo", ["60054"]],
  ["an id with two digits exchanged", "87024", ["87042"]],
  ["an id with a letter for a digit", "6OO54", ["60054"]],
  ["an id with a digit left out", "8742", ["87042"]],
  ["the beginning of a name", "harbor", ["87042"]],
  ["a name with more after it", "Summit Care PPO", ["62308"]],
  ["a payer known by its id alone", "BGPC7", ["BGCP7"]],
  ["nothing that is close", "1234567890", []],
  ["nothing at all", "--", []],
])("finds who was meant by %s", (_, given, expected) => {
  expect(meant(given)).toEqual(expected);
});

test("proposes three at most, the closest first", () => {
  const many = ["100", "10099", "10009", "1000", "10000"].map((payerId) => ({ payerId, aliases: [] }));
  expect(similarPayers("10000", many).map(({ payerId }) => payerId)).toEqual(["10000", "1000", "10009"]);
});

test("is quick, however long the text and the directory", () => {
  const many = Array.from({ length: 2_000 }, (_, index) => ({
    payerId: String(index).repeat(12),
    name: "A health plan of some length ".repeat(3),
    aliases: Array.from({ length: 20 }, (_each, at) => `Alias ${index} ${at} `.repeat(5)),
  }));
  expect(similarPayers("x".repeat(10_000), many)).toEqual([]);
});
