import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { sendMessage } from "#lib/tasks/send-message";
import { aHeldTask, anIntake, aPractice, aStore, fullReview } from "#test/cases";
import { listedCases } from "#test/listed-cases";
import { filterBits } from "./filter-bits.ts";

const store = aStore();
afterAll(() => store.close());

const migration = new URL("../../prisma/migrations/20261127020000_filter_bits/migration.sql", import.meta.url);

test("a case of before its bits were kept was given those it would be written with now", async () => {
  const practiceId = await aPractice(store);
  const codes = [["72148"], ["J1100", "72148", "J1100"], ['a"b', "c\\d", "{e,f}", "NULL", "g h", "é’"], []];
  await listedCases(
    store,
    codes.map((procedureCodes) => ({ practiceId, state: "transmit-held", payerId: "P Ä", procedureCodes })),
  );
  const of = `SELECT id, filter_bits AS bits FROM task WHERE practice_id = $1 ORDER BY id`;
  const { rows: written } = await store.pool.query(of, [practiceId]);
  const [fill = ""] = /UPDATE task [^;]*/.exec(readFileSync(migration, "utf8")) ?? [];
  const client = await store.pool.connect();
  try {
    await client.query("BEGIN");
    await client.query("UPDATE task SET filter_bits = -1 WHERE practice_id = $1", [practiceId]);
    expect((await client.query(`${fill} AND t.practice_id = $1`, [practiceId])).rowCount).toBe(codes.length);
    expect((await client.query(of, [practiceId])).rows).toEqual(written);
    await client.query("ROLLBACK");
  } finally {
    client.release();
  }
});

test("a case has the bits of its own payer, channel and codes, and after an amendment those of the new ones", async () => {
  const { taskId, practiceId, channel } = await aHeldTask(store, { review: fullReview });
  const bitsNow = async () => {
    const { filterBits: bits, ...now } = await store.prisma.task.findUniqueOrThrow({ where: { id: taskId } });
    const expected = filterBits({ payerId: now.payerId, channelId: now.channelId, codes: now.procedureCodes });
    expect(bits).toBe(expected);
    return bits;
  };
  const before = await bitsNow();
  const review = { ...fullReview, payer: { id: "99998" }, procedures: [{ code: "J1745" }] };
  const amended = await sendMessage(channel, anIntake({ practiceId, taskId, review }));
  expect(amended.ok).toBe(true);
  const asked = filterBits({ payerId: "99998", codes: ["J1745"] });
  expect((await bitsNow()) & asked).toBe(asked);
  expect(before & asked).not.toBe(asked);
});
