import { expect, test } from "vitest";
import { knownWord } from "./known-word.ts";

test("a word that is known is given back as such", () => {
  expect(knownWord(["transmit", "void"], "void", "gate.action")).toBe("void");
});

test.each(["", "VOID", "void ", "toString", "delete"])("%j is refused by its column's name alone", (word) => {
  expect(() => knownWord(["transmit", "void"], word, "gate.action")).toThrow(
    /^gate\.action holds a word that the code does not know\.$/,
  );
});
