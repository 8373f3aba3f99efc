import fc from "fast-check";
import { expect, test } from "vitest";
import { nonBlank, noteCharactersMax, notesOf, splitNote } from "./wire-text.ts";

test("a note longer than a segment is cut after a word, and the pieces are the note", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 2000 }), (text) => {
      const pieces = splitNote(text);
      expect(pieces.join("")).toBe(text);
      expect(pieces.every((piece) => Array.from(piece).length <= noteCharactersMax && piece !== "")).toBe(true);
    }),
  );
  expect(splitNote(`${"word ".repeat(60)}`).every((piece) => piece.endsWith(" "))).toBe(true);
});

test("a text that shows nothing is not sent, and any other as it is", () => {
  for (const text of [undefined, "", " \n", "\u200b\ufeff", "\u3164"]) expect(nonBlank(text)).toBeUndefined();
  for (const text of [" a ", "\u200bA", "\u00f8"]) expect(nonBlank(text)).toBe(text);
});

test("the notes of a request are none that show nothing", () => {
  const request = { payer: { id: "100" }, procedures: [], retrospectiveReason: " ", emergencyReason: "\u200b" };
  expect(notesOf({ ...request, providerNotes: [{ message: "\n" }, { message: "See the referral" }] })).toEqual([
    "See the referral",
  ]);
});
