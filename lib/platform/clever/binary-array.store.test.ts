import { afterAll, expect, test } from "vitest";
import { aStore } from "#test/support/cases/cases";
import { binaryArray, type BinaryType } from "./binary-array.ts";

const store = aStore();
afterAll(() => store.close());

const id = "01890a5d-ac96-774b-bcce-b302099a8057";
const lists: readonly (readonly [BinaryType, readonly unknown[]])[] = [
  ["bigint", [0n, -1n, 2n ** 63n - 1n, -(2n ** 63n), null]],
  ["boolean", [true, false, null]],
  ["bytea", [Buffer.from([0, 255, 92, 34]), new Uint8Array(), null, Buffer.alloc(100_000, 7)]],
  ["int", [0, -1, 2_147_483_647, -2_147_483_648, null]],
  ["text", ["", "NULL", '{"a\\', "ééé 🩺", "two\nlines", null]],
  ["timestamptz", [new Date(0), new Date("1999-12-31T23:59:59.999Z"), new Date("2026-11-20T14:02:03.004Z"), null]],
  ["uuid", [id, id.toUpperCase(), "00000000-0000-0000-0000-000000000000", null]],
];

test.each(lists)("a list of %s arrives in Postgres element by element, nulls among them", async (type, items) => {
  const { rows } = await store.pool.query<{ item: unknown; n: string }>(
    `SELECT item, n FROM unnest($1::${type}[]) WITH ORDINALITY AS list (item, n) ORDER BY n`,
    [binaryArray(type, items)],
  );
  expect(rows.map(({ item }) => item)).toEqual(items.map(asRead));
});

/** As the driver gives it back. */
function asRead(item: unknown): unknown {
  if (typeof item === "bigint") return String(item);
  if (item === id.toUpperCase()) return id;
  return item instanceof Uint8Array ? Buffer.from(item) : item;
}

test("what is no UUID is not sent as one", () => {
  const wrong = [
    "",
    id.slice(1),
    `${id}0`,
    id.replace("-", "0"),
    id.replaceAll("-", ""),
    id.replace(/.$/, "g"),
    id.replace(/.$/, "é"),
  ];
  for (const text of wrong) expect(() => binaryArray("uuid", [text]), text).toThrow("no UUID");
});
