import type { ClientBase } from "pg";
import { pino } from "pino";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { unscoped } from "#lib/db/db";
import { autoRelease } from "#lib/gate/auto-release";
import { keyPepper, receiptKey, sealingKey, theWorker } from "#test/support/cases/cases";
import { aSandboxTask } from "#test/support/cases/sandbox";
import { testDatabase } from "#test/support/database/fresh-database";
import { aWiredCase } from "#test/support/cases/wired-case";
import { unguarded } from "#test/support/database/ledgers";
import { openWholeStore } from "#test/support/database/whole-store";
import { aSimulator } from "#test/support/payer/simulator";
import { submit } from "./submit.ts";

const store = openWholeStore({
  url: testDatabase.appUrl,
  ...{ sealingKey, receiptKey, keyPepper },
  connectionsMax: 4,
});
afterAll(() => store.close());
afterEach(() => vi.unstubAllEnvs());

/** What was asked of the database, one round trip after the other, beside hints between processes, which come by the clock. */
const trips: (readonly string[])[] = [];
unscoped(store).pool.on("connect", (client: ClientBase) => {
  // Safe because only the first argument is looked at, which is a text or has one, or several.
  const query = client.query.bind(client) as (...args: readonly unknown[]) => unknown;
  const noting = (...args: readonly unknown[]) => {
    const [given] = args as readonly [string | { readonly text: string; readonly statements?: readonly string[] }];
    const statements = typeof given === "string" ? [given] : (given.statements ?? [given.text]);
    if (!statements.some((text) => text.includes("pg_notify"))) trips.push(statements.map((text) => text.trim()));
    return query(...args);
  };
  Object.assign(client, { query: noting });
});

test("a submission that its payer decides at once takes at most 9 round trips of 24 statements, from the claim to the recorded answer", async () => {
  const of = await aWiredCase(store, { memberId: "HM1" });
  await of.release();
  trips.length = 0;
  await of.submitNow();
  const taken = trips.map((statements) => statements.join(";\n"));
  expect((await of.read()).state).toBe("determined");
  const statements = trips.flat();
  expect(statements.filter((text) => text === "COMMIT").length).toBe(3);
  expect(taken.length, taken.join("\n--\n")).toBeLessThanOrEqual(9);
  expect(statements.length, taken.join("\n--\n")).toBeLessThanOrEqual(24);
});

test("each change of a submission is committed in one round trip with its audit entry, which so keeps its chain locked for no longer", async () => {
  const of = await aWiredCase(store, { memberId: "HM1" });
  await of.release();
  trips.length = 0;
  await of.submitNow();
  const appending = trips.filter((statements) => statements.some((text) => text.includes("audit_append(")));
  expect(appending.map((statements) => statements.at(-1))).toEqual(["COMMIT", "COMMIT", "COMMIT"]);
});

test("a release that no person made is submitted in the same three transactions, each run once", async () => {
  const simulator = await aSimulator();
  const { practiceId, taskId, gateId } = await aSandboxTask(store, { url: `${simulator.url}/fhir`, memberId: "HM1" });
  const released = await autoRelease({ actor: { kind: "auto-reviewer", practiceId }, store }, { taskId, gateId });
  expect(released.ok).toBe(true);
  trips.length = 0;
  await submit(theWorker(store), { log: pino({ enabled: false }), deadlineMs: 20_000, guard: unguarded }, taskId);
  const ends = trips.flat().filter((text) => /^(?:BEGIN|COMMIT|ROLLBACK)/.test(text));
  expect(ends).toEqual(["BEGIN", "COMMIT", "BEGIN", "COMMIT", "BEGIN", "COMMIT"]);
  expect(await simulator.ledger()).toHaveLength(1);
});
