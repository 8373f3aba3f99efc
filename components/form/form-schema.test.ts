import { expect, test } from "vitest";
import { z } from "zod";
import {
  environment,
  givenFile,
  givenText,
  numeral,
  problemsOf,
  text,
  texts,
  entriesByField,
  yes,
} from "./form-schema.tsx";

function posted(entries: readonly (readonly [string, string])[]): FormData {
  const form = new FormData();
  for (const [name, value] of entries) form.append(name, value);
  return form;
}

test("a field that is missing, or empty, is read as nothing that anybody chose", () => {
  const schema = z.object({ text, texts, givenText, numeral, yes, environment });
  const nothing = {
    text: "",
    texts: [],
    givenText: undefined,
    numeral: Number.NaN,
    yes: false,
    environment: "test",
  };
  expect(schema.parse(entriesByField(posted([])))).toEqual(nothing);
  const empty = ["text", "givenText", "numeral", "yes", "environment"].map((name) => [name, " "] as const);
  expect(schema.parse(entriesByField(posted(empty)))).toEqual({ ...nothing, text: " " });
});

test("a field has its first text, a set of boxes all of theirs, and what Next adds is none", () => {
  const form = posted([
    ["text", "a"],
    ["text", "b"],
    ["texts", "c"],
    ["texts", "d"],
    ["$ACTION_1", "x"],
  ]);
  expect(z.object({ text, texts }).parse(entriesByField(form))).toEqual({ text: "a", texts: ["c", "d"] });
  expect(Object.keys(entriesByField(form))).toEqual(["text", "texts"]);
});

test("a file is read where one was chosen, and is no text", () => {
  const form = posted([["typed", "a"]]);
  form.append("letter", new File(["%PDF"], "letter.pdf"));
  form.append("empty", new File([], ""));
  const schema = z.object({ typed: givenFile, letter: givenFile, empty: givenFile, missing: givenFile });
  const { letter, ...others } = schema.parse(entriesByField(form));
  expect([letter?.name, others]).toEqual(["letter.pdf", { typed: undefined, empty: undefined, missing: undefined }]);
  expect(z.object({ letter: text }).parse(entriesByField(form))).toEqual({ letter: "" });
});

test("each field has one problem, the first", () => {
  const schema = z.object({ name: text.refine(() => false, "first").refine(() => false, "second"), role: text });
  const read = schema.safeParse(entriesByField(posted([])));
  expect(read.error && problemsOf(read.error)).toEqual({ name: "first" });
});

test("a posted body that is not a form is read as an empty form", () => {
  // Safe because that it is no form is what is tested.
  expect(entriesByField("by hand" as unknown as FormData)).toEqual({});
});
