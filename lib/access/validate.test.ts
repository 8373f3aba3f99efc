import { expect, test } from "vitest";
import { nameText, validate } from "./validate.ts";

test.each(["", "   ", "\u200b\u200b", "\u202e"])("a name that shows nothing is none: %j", (name) => {
  expect(validate(nameText, name)).toMatchObject({ refusal: { issues: [{ problem: expect.any(String) }] } });
});

test("a name is taken without the white space around it", () => {
  expect(validate(nameText, " Elm Street Spine ")).toEqual({ ok: true, value: "Elm Street Spine" });
});
