import { expect, test } from "vitest";
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

test("a long text costs no stack", () => {
  const text = JSON.stringify({ long: 'x"\\'.repeat(1_000_000), deep: 1 });
  expect(read(text)).toEqual(JSON.parse(text));
  expect(read("[".repeat(100_000) + "]".repeat(100_000))).toSatisfy(
    (value) => value === undefined || Array.isArray(value),
  );
});
