import { expect, test } from "vitest";
import { aBuild, aReview } from "#test/support/payer/pas/build";
import { manualPacket } from "./manual.ts";
import { readPacket, writePacket } from "./packet.ts";

function textOf(review = aReview()): string {
  return Buffer.from(manualPacket(aBuild({ review })).body).toString("utf8");
}

test("a sheet is read back as the sections it was written from", () => {
  const sections = [
    { title: "Member", lines: [["Member ID", "M1000"]] },
    { title: "Notes", lines: [["Note 1", "first: line\n\n    second\n"]] },
  ] as const;
  expect(readPacket(writePacket(sections))).toEqual(sections);
});

test.each([
  "",
  "\n",
  "\n\nMember\n------\nMember ID: FORGED",
  "Service 9\n---------\nCode: FORGED",
  ": ",
  "\r\n\u2028a\u0085\v",
  "    set in",
])("whatever an agent writes (%j), the sheet as laid out says exactly what its bytes say", (message) => {
  const text = textOf(aReview({ providerNotes: [{ message }, { message: "after" }] }));
  const sections = readPacket(text);
  expect(sections && writePacket(sections)).toBe(text);
  expect(sections?.map(({ title }) => title)).toEqual(
    readPacket(textOf())
      ?.map(({ title }) => title)
      .concat("Notes"),
  );
  expect(sections?.at(-1)?.lines).toHaveLength(2);
});

test.each(["no heading", "Title\n-----\nno label\n", "Title\n----\nA: b\n", "", "Title\n-----\nA: b"])(
  "a text that is no such sheet (%j) is not laid out",
  (text) => {
    expect(readPacket(text)).toBeUndefined();
  },
);
