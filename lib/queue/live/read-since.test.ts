import { expect, test } from "vitest";
import { readSince } from "./read-since.ts";

test("heads are read back as a page writes them", () => {
  expect(readSince("elm:12,oak-2.a_b:0")).toEqual({ elm: 12, "oak-2.a_b": 0 });
});

test.each([null, "", "elm", "elm:", "elm:-1", "elm:1.5", "elm:99999999999", "elm:1,", "e m:1", "elm:1:2", "__proto__"])(
  "%j names no heads",
  (text) => {
    expect(readSince(text)).toBeUndefined();
  },
);

test("a name of the language's own is a practice like any other", () => {
  expect(Object.keys(readSince("__proto__:1") ?? {})).toEqual(["__proto__"]);
});

test("a question names at most 200 practices", () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => `p${n}:1`).join(",");
  expect(readSince(many(200))).toBeDefined();
  expect(readSince(many(201))).toBeUndefined();
});
