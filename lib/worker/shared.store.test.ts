import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { unscoped } from "#lib/db/db";
import { forPractices } from "#lib/db/for-practices";
import { keyPepper, receiptKey, sealingKey } from "#test/support/cases/cases";
import { unguarded } from "#test/support/database/ledgers";
import { aWiredCase } from "#test/support/cases/wired-case";
import { testDatabase } from "#test/support/database/fresh-database";
import { notedTrips } from "#test/support/database/noted-trips";
import { openWholeStore } from "#test/support/database/whole-store";
import { submit } from "./submit.ts";

const store = openWholeStore({ url: testDatabase.appUrl, sealingKey, receiptKey, keyPepper, connectionsMax: 8 });
afterAll(() => store.close());

const trips = notedTrips(store);

const options = { log: pino({ enabled: false }), deadlineMs: 20_000, guard: unguarded };

/** As a worker does, in the scope of its practice. */
function submitNow({ practiceId, taskId }: { readonly practiceId: string; readonly taskId: string }): Promise<void> {
  return submit({ actor: { kind: "worker" }, store: forPractices(store, [practiceId]) }, options, taskId);
}

test("submissions that are at the same step at the same time share its statements and its commit", async () => {
  const cases = await Promise.all(Array.from({ length: 6 }, () => aWiredCase(store, { memberId: "HM1" })));
  for (const of of cases) await of.release();
  trips.length = 0;
  await Promise.all(cases.map(submitNow));
  const states = await Promise.all(cases.map(async (of) => (await of.read()).state));
  expect(states).toEqual(cases.map(() => "determined"));
  const arrived = await Promise.all(
    cases.map(async ({ simulator }) => (await simulator.ledger()).map(({ times }) => times)),
  );
  expect(arrived).toEqual(cases.map(() => [1]));
  const statements = trips.flat();
  const alone = { commits: 3 * cases.length, statements: 22 * cases.length };
  // Not all need come at the very same time.
  expect(statements.filter((text) => text === "COMMIT").length).toBeLessThanOrEqual(alone.commits / 2);
  expect(statements.length, statements.join("\n--\n")).toBeLessThanOrEqual(alone.statements / 2);
});

test("of submissions that share a transaction, one that may not leave any more is held again, and the others leave", async () => {
  const [unwanted, ...cases] = await Promise.all(
    Array.from({ length: 4 }, () => aWiredCase(store, { memberId: "HM1" })),
  );
  if (!unwanted) throw new Error("There is no case.");
  for (const of of [unwanted, ...cases]) await of.release();
  await unscoped(store).prisma.practice.update({ where: { id: unwanted.practiceId }, data: { status: "suspended" } });
  await Promise.all([unwanted, ...cases].map(submitNow));
  const states = await Promise.all([unwanted, ...cases].map(async (of) => (await of.read()).state));
  expect(states).toEqual(["transmit-held", "determined", "determined", "determined"]);
  expect(await unwanted.simulator.ledger()).toEqual([]);
});
