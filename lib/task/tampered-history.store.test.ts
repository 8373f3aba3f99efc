import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { openWholeStore } from "#test/support/database/whole-store";
import { done } from "#test/support/people/admin";
import { aHeldTask, keyPepper, receiptKey, sealingKey } from "#test/support/cases/cases";
import { freshDatabase, superuserUrl } from "#test/support/database/fresh-database";
import { reviewTask } from "./review-task.ts";

const database = await freshDatabase();
const store = openWholeStore({ url: database.appUrl, sealingKey, receiptKey, keyPepper, connectionsMax: 4 });
afterAll(() => store.close());

test.each([
  ["no JSON", "detail = 'no JSON'"],
  ["no object", "detail = '7'"],
  ["an id that is none", `detail = '{"withReason":true,"gateId":"x","to":"x"}', act = 'case.assigned'`],
  ["a person who is none", `actor = 'person:' || repeat('x', 36)`],
  ["a channel that is none", `actor = 'channel:' || repeat('x', 36)`],
])("a case whose entries were made to hold %s is shown all the same", async (_, change) => {
  const { taskId, reviewer } = await aHeldTask(store);
  const superuser = new pg.Client({ connectionString: superuserUrl(database) });
  await superuser.connect();
  await superuser.query("SET session_replication_role = replica");
  const { rowCount } = await superuser.query(`UPDATE audit_entry SET ${change} WHERE task_id = $1`, [taskId]);
  await superuser.end();
  expect(rowCount).toBeGreaterThan(0);
  expect((await done(reviewTask(reviewer, { taskId }))).history).toHaveLength(rowCount ?? 0);
});
