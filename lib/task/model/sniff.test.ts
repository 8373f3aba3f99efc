import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aPdf, aPng } from "#test/support/agents/files";
import { attachmentTypes, type AttachmentType } from "./attachment.ts";
import { isDeclaredAs, sniff } from "./sniff.ts";

const text = (value: string) => new TextEncoder().encode(value);
const begins = (...bytes: number[]) => Uint8Array.from([...bytes, ...Buffer.alloc(64)]);
const cda = '<ClinicalDocument xmlns="urn:hl7-org:v3"><title>Note</title></ClinicalDocument>';

describe("bytes are what they begin with", () => {
  test.each<[string, Uint8Array, AttachmentType]>([
    ["a PDF", aPdf("hello"), "application/pdf"],
    ["a PNG", aPng(), "image/png"],
    ["a JPEG", begins(0xff, 0xd8, 0xff, 0xe0), "image/jpeg"],
    ["a little-endian TIFF", begins(0x49, 0x49, 0x2a, 0x00), "image/tiff"],
    ["a big-endian TIFF", begins(0x4d, 0x4d, 0x00, 0x2a), "image/tiff"],
    ["a clinical document", text(`<?xml version="1.0" encoding="UTF-8"?>\n${cda}\n`), "application/xml"],
    ["one without a declaration", text(cda), "application/xml"],
    ["one with a byte order mark", text(`\ufeff<?xml version="1.0"?>${cda}`), "application/xml"],
    [
      "one with a style sheet and comments",
      text(`<?xml version='1.0'?><?xml-stylesheet href="c.xsl"?><!-- <a> -->${cda}<!-- <b> -->\n`),
      "application/xml",
    ],
    [
      "one in ASCII that calls itself Latin-1",
      text(`<?xml version="1.0" encoding="ISO-8859-1"?>${cda}`),
      "application/xml",
    ],
    ["one empty element", text('<note by="a &gt; b" />'), "application/xml"],
    ["an entity in a CDATA section", text(`<a><![CDATA[<!DOCTYPE html>]]></a>`), "application/xml"],
    ["plain text", text("Seven weeks of therapy.\r\n\tNo better.\f"), "text/plain"],
    ["text in other scripts", text("Ünïcode 漢字 \u202eabc"), "text/plain"],
    ["text that begins like a tag", text("<5 mg daily> or <patient> had pain"), "text/plain"],
    ["text about PDF", text("the header is %PDF-1.7"), "text/plain"],
  ])("%s", (_, bytes, type) => {
    expect(sniff(bytes)).toEqual({ type });
  });
});

describe("bytes of no kind that is taken say why", () => {
  const none = "isn't a PDF, PNG, JPEG, TIFF, XML or UTF-8 text";
  const doctype = "is XML with a document type declaration, which is not taken";
  test.each<[string, Uint8Array, string]>([
    ["nothing", new Uint8Array(), "is empty"],
    ["a GIF", text("GIF89a\0\0"), none],
    ["a ZIP", begins(0x50, 0x4b, 3, 4), none],
    ["a program", begins(0x4d, 0x5a, 0x90), none],
    ["half a PNG signature", begins(0x89, 0x50, 0x4e, 0x47), none],
    ["text with a NUL", text("a\0b"), none],
    ["text with an escape", text("a\u001b[31mb"), none],
    ["text in Latin-1", Uint8Array.from([0x61, 0xe9, 0x62]), none],
    ["text in UTF-16", Buffer.from("\ufeffabc", "utf16le"), none],
    ["an encoded surrogate", Uint8Array.from([0xed, 0xa0, 0x80]), none],
    ["a document type", text(`<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`), doctype],
    ["a document type after comments", text(`<!-- x --><?y?>\n<!doctype a><a/>`), doctype],
    ["a page of HTML", text("<!DOCTYPE html><html></html>"), doctype],
    [
      "XML that hides in another encoding",
      text(`<?xml version="1.0" encoding="UTF-7"?>${cda}`),
      "is XML in another encoding than UTF-8",
    ],
    [
      "the same after white space",
      text(` <?xml version="1.0" encoding="UTF-7"?>${cda}`),
      "is XML in another encoding than UTF-8",
    ],
    [
      "XML cut short",
      text(`<?xml version="1.0"?>${cda.slice(0, 60)}`),
      "is XML that ends before its root element does",
    ],
  ])("%s", (_, bytes, problem) => {
    expect(sniff(bytes)).toEqual({ problem });
  });
});

test("a document type declaration is found behind any run of comments, instructions and space", () => {
  const misc = fc.constantFrom("<!-- a -->", "<?b c?>", " ", "\n", "<!-- <x> -->", "<!---->");
  fc.assert(
    fc.property(fc.array(misc), fc.boolean(), (before, declared) => {
      const prolog = `${declared ? '<?xml version="1.0"?>' : ""}${before.join("")}`;
      expect(sniff(text(`${prolog}<!DOCTYPE a><a></a>`))).toHaveProperty("problem");
      expect(sniff(text(`${prolog}<a></a>${before.join("")}`))).toEqual({ type: "application/xml" });
    }),
  );
});

test("an element with as many attributes as fit into a file is judged by its form, as one with two is", () => {
  const attributes = ' a=""'.repeat(1_000_000);
  for (const many of [attributes, ' a=""'.repeat(2)]) {
    expect(sniff(text(`<a${many}/>`))).toEqual({ type: "application/xml" });
    expect(sniff(text(`<a${many} />\n<!-- end -->`))).toEqual({ type: "application/xml" });
    expect(sniff(text(`<a${many}b/>`))).toEqual({ type: "text/plain" });
    expect(sniff(text(`<?xml version="1.0"?><a${many}`))).toHaveProperty("problem");
  }
});

test("a hostile run of comments takes no time worth the name", () => {
  const began = performance.now();
  sniff(text(`<a></a>${"<!-- -->".repeat(200_000)}<`));
  sniff(text(`<a${' b="c"'.repeat(200_000)}`));
  sniff(text(`<a>${"</a".repeat(500_000)}`));
  for (const run of [" ", "<??>", "<!-- -->", "</a ", "<?xml ", "<a b "])
    sniff(text(run.repeat(Math.floor(2_000_000 / run.length))));
  expect(performance.now() - began).toBeLessThan(2_000);
});

describe("what a file is declared as", () => {
  test("never changes what it is, and fits only that", () => {
    const samples: Record<AttachmentType, Uint8Array> = {
      "application/pdf": aPdf("a"),
      "image/png": aPng(),
      "image/jpeg": begins(0xff, 0xd8, 0xff),
      "image/tiff": begins(0x49, 0x49, 0x2a, 0),
      "application/xml": text(cda),
      "text/plain": text("a"),
    };
    fc.assert(
      fc.property(fc.constantFrom(...attachmentTypes), fc.constantFrom(...attachmentTypes), (real, declared) => {
        const sniffed = sniff(samples[real]);
        expect(sniffed).toEqual({ type: real });
        expect(isDeclaredAs(real, declared)).toBe(real === declared);
      }),
    );
  });

  test("nothing that is not one of the kinds fits any, but what declares nothing fits all", () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...attachmentTypes), (declared, real) => {
        fc.pre(
          !attachmentTypes.some((type) => declared.toLowerCase().includes(type)) &&
            declared.split(";")[0]?.trim() !== "",
        );
        expect(isDeclaredAs(real, declared)).toBe(false);
      }),
    );
    for (const type of attachmentTypes)
      for (const declared of [undefined, "", "application/octet-stream"])
        expect(isDeclaredAs(type, declared)).toBe(true);
  });

  test.each<[string, AttachmentType, boolean]>([
    ["IMAGE/JPG", "image/jpeg", true],
    ["text/plain; charset=utf-8", "text/plain", true],
    ["text/xml", "application/xml", true],
    ["application/hl7-cda+xml", "application/xml", true],
    ["application/xhtml+xml", "application/xml", false],
    ["image/svg+xml", "application/xml", false],
    ["text/html", "application/xml", false],
    ["text/html", "text/plain", false],
    ["application/xml", "text/plain", false],
    ["text/plain", "application/xml", false],
  ])("%s over %s: %s", (declared, type, fits) => {
    expect(isDeclaredAs(type, declared)).toBe(fits);
  });
});
