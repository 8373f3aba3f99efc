import fc from "fast-check";
import { types } from "pg";
import { expect, test } from "vitest";
import { columnTypes } from "./column-types.ts";

const [instant, list] = [1184, 1009] as const;

function read(type: number, text: string): unknown {
  return (columnTypes.getTypeParser(type, "text") as (text: string) => unknown)(text);
}

function readByPg(type: number, text: string): unknown {
  return (types.getTypeParser(type, "text") as (text: string) => unknown)(text);
}

const instants = [
  "2026-11-22 14:49:35.123456+00",
  "2026-11-22 14:49:35.1+00",
  "2026-11-22 14:49:35+00",
  "0099-01-01 00:00:00+00",
  "2026-11-22 14:49:35.999999+02",
  "2026-11-22 14:49:35-03:30",
  "10226-11-22 14:49:35+00",
  "0044-03-15 12:00:00+00 BC",
  "infinity",
  "-infinity",
];

const lists = [
  ...["{}", "{a}", "{a,b c}", "{NULL,a}", "{nullable,Null}", '{"NULL","a,b"}', '{"{x}",""}', "{{a,b},{c,d}}"],
  "[0:1]={a,b}",
];

test.each([...instants.map((text) => [instant, text] as const), ...lists.map((text) => [list, text] as const)])(
  "a column of type %i that holds %s is read as pg reads it",
  (type, text) => {
    expect(read(type, text)).toEqual(readByPg(type, text));
  },
);

test("any list of words is read as pg reads it, quoted or not", () => {
  const word = fc.string({ minLength: 1 });
  const quoted = word.map((text) => `"${text.replaceAll(/["\\]/g, "\\$&")}"`);
  const plain = fc.stringMatching(/^[\w:/.~-]+$/);
  fc.assert(
    fc.property(fc.array(fc.oneof(quoted, plain)), (items) => {
      const text = `{${items.join(",")}}`;
      expect(read(list, text)).toEqual(readByPg(list, text));
    }),
  );
});

test("any instant in UTC is read as pg reads it", () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: new Date("9999-12-31T23:59:59Z"), noInvalidDate: true }), (date) => {
      const text = date.toISOString().replace("T", " ").replace("Z", "+00");
      expect(read(instant, text)).toEqual(date);
      expect(readByPg(instant, text)).toEqual(date);
    }),
  );
});
