import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { readStrictJson } from "./strict-json.ts";

const read = (text: string) => readStrictJson(Buffer.from(text));

test.each([
  '{"a":1,"a":2}',
  '{"a":1,"\\u0061":2}',
  '[{"a":{"b":1,"c":[{}],"b":1}}]',
  '{"x":"{\\"a\\":1}","x":null}',
  "\ufeff{}",
  '{"a":"\\u0000"}',
  '{"\\u0000":1}',
  '["\\ud800"]',
  '["\\uDC00\\uD800"]',
  "{",
  "",
])("%j is unreadable, for it can mean more than one thing or nothing", (text) => {
  expect(read(text)).toBeUndefined();
});

test.each([
  '{"a":{"a":1},"b":{"a":1}}',
  '[{"a":1},{"a":1}]',
  '{"a":"\\"a\\":1,\\"a\\":2","b":"}{"}',
  '{"a":["a","a"],"":"a"}',
  "null",
  '["\\\\u0000","\\ud83d\\ude00"]',
])("%j is read as it stands", (text) => {
  expect(read(text)).toEqual(JSON.parse(text));
});

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

test("what is nested deeper than any resource is unreadable before it is parsed, and a long text costs no stack", () => {
  expect(read(nested(200))).toEqual(JSON.parse(nested(200)));
  expect(read(nested(201))).toBeUndefined();
  expect(read(`{"a":${nested(200)}}`)).toBeUndefined();
  expect(read(`["${"[".repeat(1_000)}"]`)).toEqual(["[".repeat(1_000)]);
  // To parse it would take about a second, in which nothing else is answered.
  const parse = vi.spyOn(JSON, "parse");
  onTestFinished(() => parse.mockRestore());
  expect(read(nested(2_000_000))).toBeUndefined();
  expect(parse).not.toHaveBeenCalled();
  const text = JSON.stringify({ long: 'x"\\'.repeat(1_000_000), deep: 1 });
  expect(read(text)).toEqual(JSON.parse(text));
});

/** Texts with every sign that means something, most of which are no JSON. */
const text = fc
  .array(fc.constantFrom('"', "\\", "{", "}", "[", "]", ":", ",", "a", "1", '"a"', '"b"', '"\\u0061"', "null", " "), {
    maxLength: 14,
  })
  .map((parts) => parts.join(""));
const json = fc.json({ maxDepth: 4 });

test("any text that is read means what JSON.parse makes of it, and none with a name twice is", () => {
  const check = (source: string) => {
    const value = read(source);
    if (value === undefined) return;
    expect(JSON.parse(source)).toEqual(value);
    // Written again it has each name once: as many as it had.
    const names = (one: string) => [...one.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/gs)].filter(([, colon]) => colon).length;
    expect(names(JSON.stringify(value))).toBe(names(source));
  };
  fc.assert(fc.property(fc.oneof(text, json), check), { numRuns: 5_000 });
});
