import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { attachmentTypes } from "./attachment.ts";
import { cleanName, savedName } from "./file-name.ts";

// Safe because the list is an array of strings.
const naughty = JSON.parse(
  readFileSync(new URL("../../../test/vectors/blns/blns.json", import.meta.url), "utf8"),
) as string[];
const names = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(...naughty));

test.each([
  ["MRI left knee.pdf", "MRI left knee.pdf"],
  ["../../etc/passwd", "passwd"],
  ["C:\\Users\\d\\scan.tif", "scan.tif"],
  ["in\u202egnp.pdf", "ingnp.pdf"],
  ["a\r\nSet-Cookie: b", "aSet-Cookie: b"],
  ["  .hidden. ", "hidden"],
  ["Befund – Müller.pdf", "Befund – Müller.pdf"],
  ["…", "…"],
  ["", undefined],
  ["../", undefined],
  ["\u200b\u0000", undefined],
  [undefined, undefined],
])("%j is shown as %j", (given, shown) => {
  expect(cleanName(given)).toBe(shown);
});

test("a long name keeps its extension", () => {
  const shown = cleanName(`${"ä".repeat(250)}.pdf`);
  expect(shown).toMatch(/^ä+…\.pdf$/);
  expect([...(shown ?? "")]).toHaveLength(120);
});

test("whatever it was called, a shown name is one short visible line without a path, and stays as it is", () => {
  fc.assert(
    fc.property(names, (given) => {
      const shown = cleanName(given);
      if (shown === undefined) return;
      expect(shown).not.toMatch(/[/\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      expect(shown.trim()).toBe(shown);
      expect([...shown].length).toBeLessThanOrEqual(120);
      expect(cleanName(shown)).toBe(shown);
    }),
    { numRuns: 2_000 },
  );
});

describe("a file is saved", () => {
  const sha256 = "0123456789abcdef".repeat(4);

  test.each([
    ["scan.pdf", "application/pdf", "scan.pdf"],
    ["SCAN.PDF", "application/pdf", "SCAN.PDF"],
    ["scan.exe", "application/pdf", "scan.exe.pdf"],
    ["page.html", "text/plain", "page.html.txt"],
    ["photo.jpeg", "image/jpeg", "photo.jpeg"],
    ['a"b%c:d', "image/png", "a_b_c_d.png"],
    [undefined, "application/xml", "attachment-01234567.xml"],
  ] as const)("%j of %s as %s", (name, contentType, saved) => {
    expect(savedName({ name, contentType, sha256 })).toBe(saved);
  });

  test("under its real type's extension and nothing a file system reads as its own, whatever it was called", () => {
    fc.assert(
      fc.property(names, fc.constantFrom(...attachmentTypes), (given, contentType) => {
        const saved = savedName({ name: cleanName(given), contentType, sha256 });
        expect(saved).not.toMatch(/[<>:"/\\|?*%]/);
        expect(saved.toLowerCase()).toMatch(/\.(pdf|png|jpe?g|tiff?|xml|txt)$/);
      }),
      { numRuns: 2_000 },
    );
  });
});
