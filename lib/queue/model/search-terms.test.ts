import { expect, test } from "vitest";
import type { Determination } from "#lib/task/model/determination";
import { termsOfCase, termsOfTyped, tokensOf } from "./search-terms.ts";

test.each([
  ["José Álvarez", ["jose", "alvarez"]],
  ["O’Brien-Smith, Anne", ["obrien", "smith", "anne"]],
  ["ŁUKASZ  Müller\tjr.", ["łukasz", "muller", "jr"]],
  ["ﬁnn", ["finn"]],
  ["李 小龍", ["李", "小龍"]],
  ["anna ANNA", ["anna"]],
  ["--", []],
])("the words of %j are %j, however a person writes them", (name, tokens) => {
  expect(tokensOf(name)).toEqual(tokens);
});

const texts = (typed: string) => termsOfTyped(typed).patient.map(({ kind, text }) => `${kind} ${text}`);

test.each([
  ["Okafor 1971-05-19", ["birth 1971-05-19", "name okafor"]],
  ["5/9/1971 okafor adaeze", ["birth 1971-05-09", "name okafor", "name adaeze"]],
  ["05/09/1971", ["birth 1971-05-09"]],
  ["1971-5-9", ["birth 1971-05-09"]],
  ["05-09-1971", ["birth 1971-05-09"]],
  ["5/9/71", ["birth 1971-05-09"]],
  ["1/2/05", ["birth 2005-01-02"]],
  ["Okafor,05/09/1971", ["birth 1971-05-09", "name okafor"]],
  ["PA-90017", ["name pa", "name 90017"]],
])("%j is looked for as %j", (typed, terms) => {
  expect(texts(typed)).toEqual(terms);
});

test("an authorization number is found without its hyphens, on the whole and on a line", () => {
  const determination: Determination = {
    outcome: "approved",
    authorizationNumber: "pa-90017",
    lines: [{ sequence: 1, action: "A1", reasons: [], number: "L-1 2" }],
    notes: [],
    source: "connector",
  };
  // Safe because the search reads nothing else of a review.
  const review = { procedures: [] } as unknown as Parameters<typeof termsOfCase>[0];
  expect(termsOfCase(review, [determination, determination]).map(({ text }) => text)).toEqual(["PA90017", "L12"]);
  expect(termsOfTyped("PA 90017").authorization).toEqual({ kind: "authorization", text: "PA90017" });
});

test("of a case its patient's name and birth date are found, and of nobody else in it", () => {
  const review = {
    procedures: [],
    patient: { lastName: "Okafor", firstName: "Adaeze", middleName: "N.", birthDate: "1971-05-19" },
    subscriber: { lastName: "Holder", firstName: "Henry" },
    requestingProvider: { lastName: "Lindqvist" },
  } as unknown as Parameters<typeof termsOfCase>[0]; // Safe because the search reads nothing else of a review.
  expect(termsOfCase(review, []).map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    "name adaeze",
    "name n",
    "name okafor",
    "birth 1971-05-19",
  ]);
});
