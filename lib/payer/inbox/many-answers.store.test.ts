import pg, { type ClientBase } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { unscoped } from "#lib/db/db";
import { keyPepper, receiptKey, sealingKey } from "#test/support/cases/cases";
import { superuserUrl, testDatabase } from "#test/support/database/fresh-database";
import { edgeDeps } from "#test/support/agents/edge";
import { notification, replyAs } from "#test/support/payer/pas/push";
import { responseIn } from "#test/support/payer/pas/reply";
import { aPayersDoor } from "#test/support/payer/payers-door";
import { aPushFront } from "#test/support/payer/push-front";
import { openWholeStore } from "#test/support/database/whole-store";

const store = openWholeStore({
  url: testDatabase.appUrl,
  ...{ sealingKey, receiptKey, keyPepper },
  connectionsMax: 8,
});
const base = aPushFront({ store, log: edgeDeps().log });
/** Holds up what a notification does last. */
const superuser = new pg.Client({ connectionString: superuserUrl(testDatabase) });
beforeAll(() => superuser.connect());
afterAll(() => Promise.all([store.close(), superuser.end()]));

/** How often the requests of a practice were read that were submitted. */
let searches = 0;
unscoped(store).pool.on("connect", (client: ClientBase) => {
  // Safe because only the first argument is looked at, which is a text or has a name.
  const query = client.query.bind(client) as (...args: readonly unknown[]) => unknown;
  const noting = (...args: readonly unknown[]) => {
    const [statement] = args as readonly [string | { readonly name?: string }];
    if (typeof statement === "object" && statement.name === "sent-requests") searches += 1;
    return query(...args);
  };
  Object.assign(client, { query: noting });
});

const { aPendedTask, push, unmatchedOf, eventsOf } = aPayersDoor(store, base);

test("a notification that names a hundred requests nobody knows has what was submitted read once, and finds the one that is ours", async () => {
  const { routeId, taskId, practiceId, call } = await aPendedTask();
  const named = (request: string | undefined) => {
    const reply = replyAs(call, "A1", "2026-12-02T10:00:00Z");
    const response = responseIn(reply);
    delete reply["identifier"];
    delete response["identifier"];
    if (request !== undefined) response["request"] = { reference: request };
    return reply;
  };
  const unknown = Array.from({ length: 99 }, () => named(`urn:uuid:${crypto.randomUUID()}`));
  const before = (await eventsOf(taskId)).length;
  searches = 0;
  expect((await push({ routeId, body: notification(...unknown, named(undefined)) })).status).toBe(204);
  expect(searches).toBeLessThanOrEqual(2);
  expect((await eventsOf(taskId)).length).toBe(before + 1);
  expect(await unmatchedOf(practiceId)).toHaveLength(1);
});

test("however many notifications one payer sends at once, one is looked at and a few wait, and those of others are taken meanwhile", async () => {
  const [loud, quiet] = [await aPendedTask(), await aPendedTask()];
  const before = (await eventsOf(loud.taskId)).length;
  await superuser.query("BEGIN");
  const held = await superuser.query("SELECT FROM subscription WHERE route_id = $1::uuid FOR UPDATE", [loud.routeId]);
  expect(held.rowCount).toBe(1);
  const statuses: number[] = [];
  const many = Array.from({ length: 40 }, async (_, n) => {
    const { status } = await loud.say("A1", `2026-12-02T10:00:${String(n).padStart(2, "0")}Z`);
    statuses.push(status);
  });
  await expect.poll(() => statuses.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(23);
  expect(new Set(statuses)).toEqual(new Set([503]));
  expect((await quiet.say("A1", "2026-12-02T10:00:00Z")).status).toBe(204);
  await superuser.query("COMMIT");
  await Promise.all(many);
  // One was looked at, and sixteen waited.
  expect((await eventsOf(loud.taskId)).length - before).toBeLessThanOrEqual(17);
  expect(statuses.filter((status) => ![204, 503].includes(status))).toEqual([]);
});
