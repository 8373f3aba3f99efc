import { describe, expect, test } from "vitest";
import { isDifferentPerson, type Person } from "./same-person.ts";

const member: Person = {
  names: [{ family: "Muñoz-O'Neil", given: ["Robin"] }],
  sex: "female",
  birthDate: "1980-02-29",
};

const named = (...names: Person["names"]): Person => ({ names });

describe("the same person", () => {
  test.each<[string, Person]>([
    ["named alike", member],
    ["in capitals and without accents", named({ family: "MUNOZ ONEIL", given: ["ROBIN"] })],
    ["with one of two family names", named({ family: "Munoz", given: ["Robin"] })],
    ["with a middle name", named({ family: "Muñoz O'Neil", given: ["Robin", "Maria"] })],
    ["with an initial", named({ family: "Muñoz-O'Neil", given: ["R."] })],
    ["with a generation", named({ family: "Muñoz-O'Neil Jr.", given: ["Robin"] })],
    [
      "by another of several names",
      named({ family: "Smith", given: ["Robin"] }, { family: "Munoz", given: ["Robin"] }),
    ],
    ["in one text", named({ text: "Robin Maria Munoz-ONeil" })],
    ["by family name alone", named({ family: "Muñoz-O'Neil" })],
    ["without a name", named()],
    ["with the year of birth alone", { names: [], birthDate: "1980" }],
  ])("%s", (_, brought) => {
    expect(isDifferentPerson(member, brought)).toBe(false);
  });
});

describe("somebody else", () => {
  test.each<[string, Person]>([
    ["a brother by his first name", named({ family: "Muñoz-O'Neil", given: ["Rafael"] })],
    ["a brother by an initial", named({ family: "Muñoz-O'Neil", given: ["J"] })],
    ["a brother in one text", named({ text: "Rafael Munoz ONeil" })],
    ["another family", named({ family: "Smith", given: ["Robin"] })],
    ["another sex", { names: [], sex: "male" }],
    ["another day of birth", { names: [], birthDate: "1978-02-28" }],
    ["another year of birth", { names: [], birthDate: "1978" }],
  ])("%s", (_, brought) => {
    expect(isDifferentPerson(member, brought)).toBe(true);
  });
});

test("where nothing was said about a person, nobody contradicts it", () => {
  expect(isDifferentPerson({ names: [] }, member)).toBe(false);
});
