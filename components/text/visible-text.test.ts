import { describe, expect, test } from "vitest";
import { visibleParts } from "./visible-text.ts";

const shown = (text: string, lines = false) =>
  visibleParts(text, { lines })
    .map((part) => ("text" in part ? part.text : `[${part.hidden}]`))
    .join("");

describe("what an agent wrote", () => {
  test.each([
    ["release \u202Eeht", "release [U+202E]eht"],
    ["a\u2066b\u2069", "a[U+2066]b[U+2069]"],
    ["zero\u200Bwidth\uFEFF", "zero[U+200B]width[U+FEFF]"],
    ["nul\u0000 esc\u001B[2J", "nul[U+0000] esc[U+001B][2J"],
    ["tag\u{E0041}", "tag[U+E0041]"],
    ["half \uD83D", "half [U+D83D]"],
  ])("%j shows what would hide or bend it", (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  test("keeps its letters, whatever the script", () => {
    const text = "Łukasz Żurek, 北京, שלום, नमस्ते, <b>&amp;";
    expect(shown(text)).toBe(text);
  });

  test("keeps line feeds and tabs only where lines are shown", () => {
    expect(shown("a\n\tb", true)).toBe("a\n\tb");
    expect(shown("a\nb\r", false)).toBe("a[U+000A]b[U+000D]");
    expect(shown("a\r\nb", true)).toBe("a[U+000D]\nb");
  });
});
