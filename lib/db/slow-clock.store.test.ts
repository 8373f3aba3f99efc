import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { cancelTask } from "#lib/task/cancel-task";
import { sendMessage } from "#lib/task/send-message";
import { now } from "#lib/platform/now";
import { aChannel, anIntake, aPerson, aPractice, aStore } from "#test/support/cases/cases";
import { createSession } from "#lib/person/store/people";
import { liveSession } from "#lib/person/shared/live-session";
import { ticketPerson, insertTicket } from "#lib/person/store/sign-in-tickets";
import { unscoped } from "#lib/db/db";

const store = aStore();
afterAll(() => store.close());

const slowMs = 55 * 60_000;
beforeAll(async () => {
  // Of the process alone: the database's own clock goes on.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - slowMs });
  await store.keys.reload();
});
afterAll(() => void vi.useRealTimers());

async function databaseTime(): Promise<number> {
  const { rows } = await store.pool.query<{ ms: number }>(
    "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms",
  );
  return rows[0]?.ms ?? Number.NaN;
}

test("a process whose clock is slow goes by the database's, and is never ahead of it", async () => {
  expect(await databaseTime()).toBeGreaterThan(Date.now() + slowMs - 60_000);
  const readMs = now().getTime();
  const then = await databaseTime();
  expect(readMs).toBeLessThanOrEqual(then);
  expect(readMs).toBeGreaterThan(then - 30_000);
});

test("a session that a slow server begins lasts as long as any other", async () => {
  const practiceId = await aPractice(store);
  const { actor } = await aPerson(store, { practices: [practiceId] });
  const { id } = await createSession(store, { personId: actor.id, by: "totp" });
  const session = await liveSession(unscoped(store), id);
  expect(session?.idleLeftMs).toBeGreaterThan(29 * 60_000);
  expect(session?.leftMs).toBeGreaterThan(12 * 3_600_000 - 60_000);
  expect(session?.actor.provedAt?.getTime()).toBeGreaterThan((await databaseTime()) - 60_000);
});

test("a sign-in that one server began goes on at another whose clock is slow", async () => {
  const { actor } = await aPerson(store, { practices: [await aPractice(store)] });
  const hash = Buffer.alloc(32, actor.id);
  await insertTicket(store, { hash, personId: actor.id });
  vi.setSystemTime(Date.now() + 10 * slowMs);
  expect(await ticketPerson(store, hash)).toMatchObject({ id: actor.id });
  vi.setSystemTime(Date.now() - 10 * slowMs);
});

test("a case's status times are the database's on a slow server, and never go back whatever its row says", async () => {
  const practiceId = await aPractice(store);
  const channel = await aChannel(store, { practices: [practiceId] });
  const before = await databaseTime();
  const sent = await sendMessage(channel, anIntake({ practiceId }));
  if (!sent.ok) throw new Error("refused");
  const opened = sent.value.changedAt.getTime();
  expect(opened).toBeGreaterThan(before - 30_000);
  // As after a database whose clock was ahead gave way to one that is right.
  await store.pool.query("UPDATE task SET changed_at = clock_timestamp() + interval '1 hour' WHERE id = $1", [
    sent.value.id,
  ]);
  const ended = await cancelTask(channel, { taskId: sent.value.id });
  if (!ended.ok) throw new Error("refused");
  expect(ended.value.changedAt.getTime()).toBeGreaterThan(opened + 3_500_000);
});
