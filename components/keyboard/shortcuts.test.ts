import { expect, test } from "vitest";
import { placesOf } from "#components/shell/places";
import { roles } from "#lib/access/model/actor";
import { acts } from "./acts.ts";
import { chordOf, follow } from "./chord.ts";
import { chordTo } from "./place.tsx";
import { isSingle, shortcuts } from "./shortcuts.ts";

const none = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, isComposing: false };
const press = (key: string, held: Partial<typeof none> = {}) => chordOf({ ...none, key, ...held });
const chords = new Set([...shortcuts.flatMap(({ keys }) => keys), ...placesOf(roles).map(chordTo)]);

test("no key means two things, and every act has a key", () => {
  expect(chords.size).toBe(shortcuts.flatMap(({ keys }) => keys).length + placesOf(roles).length);
  expect(new Set(shortcuts.map(({ act }) => act))).toEqual(new Set(Object.keys(acts)));
});

test("no sequence begins with a key that acts alone", () => {
  const sequences = [...chords].filter((chord) => chord.includes(" "));
  expect(sequences.filter((chord) => chords.has(chord.split(" ")[0] ?? ""))).toEqual([]);
});

test("no key with a modifier is a single character, so that switching those off leaves it", () => {
  expect([...chords].filter(isSingle).toSorted()).toEqual(
    [
      ...[
        "/",
        "?",
        "1",
        "2",
        "3",
        "4",
        "5",
        "[",
        "]",
        "a",
        "c",
        "d",
        "e",
        "g a",
        "g c",
        "g e",
        "g h",
        "g p",
        "g q",
        "g t",
        "i",
      ],
      ...["j", "k", "n", "p", "r", "s", "u", "x"],
    ].toSorted(),
  );
});

test.each([
  ["a letter, with caps lock too", press("J"), "j"],
  ["a character above another, whatever it takes to type it", press("?", { shiftKey: true }), "?"],
  ["the same where it takes nothing", press("?"), "?"],
  ["a letter with shift, which is another key", press("r", { shiftKey: true }), "Shift+r"],
  ["Ctrl", press("k", { ctrlKey: true }), "Mod+k"],
  ["Cmd", press("k", { metaKey: true }), "Mod+k"],
  ["an arrow with shift", press("ArrowDown", { shiftKey: true }), "Shift+ArrowDown"],
  ["Alt, which is never ours", press("r", { altKey: true }), undefined],
  ["a word being composed", press("r", { isComposing: true }), undefined],
])("%s", (_, chord, expected) => expect(chord).toBe(expected));

test("a letter with Ctrl, Cmd or Shift is none of the single-key shortcuts", () => {
  for (const held of [{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }])
    expect(["r", "d", "x", "c", "a", "i", "j"].filter((key) => chords.has(press(key, held) ?? ""))).toEqual([]);
});

test("a sequence is complete in time, and its second key alone means what it means alone", () => {
  const began = follow(chords, { pressed: "g", begun: undefined, nowMs: 0 });
  expect(began.complete).toBeUndefined();
  expect(follow(chords, { pressed: "c", begun: began.begun, nowMs: 100 }).complete).toBe("g c");
  expect(follow(chords, { pressed: "c", begun: began.begun, nowMs: 5_000 }).complete).toBe("c");
  expect(follow(chords, { pressed: "c", begun: undefined, nowMs: 0 }).complete).toBe("c");
});

test("the wrong second key of a sequence does nothing, rather than what it does alone", () => {
  const { begun } = follow(chords, { pressed: "g", begun: undefined, nowMs: 0 });
  expect(follow(chords, { pressed: "r", begun, nowMs: 100 })).toEqual({ begun: undefined });
  expect(follow(chords, { pressed: "g", begun, nowMs: 100 }).begun?.chord).toBe("g");
});
