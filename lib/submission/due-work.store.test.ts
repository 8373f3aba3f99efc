import type { Query } from "pg";
import { afterAll, expect, test } from "vitest";
import { claimDue } from "#lib/channel/webhook/store/deliveries";
import { type Store, unscoped } from "#lib/db/db";
import { askAllNow, claimDuePolls, dueWork, tasksReleased } from "#lib/submission/shared/work";
import { aStore } from "#test/support/cases/cases";

const store = aStore();
afterAll(() => store.close());

/** What the rounds of a worker ask for, each planned as where an index is all there is to go by. */
async function plansOf(ask: (store: Store) => Promise<unknown>): Promise<string> {
  const statements: { text: string; values: unknown[] }[] = [];
  const query = async ({ text, values }: Query & { text: string; values: unknown[] }) => {
    statements.push({ text, values });
    return { rows: [] };
  };
  // Safe because rounds use nothing of the pool but this one way to ask.
  await ask({ ...unscoped(store), pool: { query } as unknown as Store["pool"] });
  const client = await unscoped(store).pool.connect();
  try {
    await client.query("BEGIN; SET LOCAL app.practices = '{*}'");
    for (const method of ["seqscan", "bitmapscan", "sort", "hashjoin", "mergejoin"])
      await client.query(`SET LOCAL enable_${method} = off`);
    const plans: string[] = [];
    for (const { text, values } of statements)
      plans.push(JSON.stringify((await client.query(`EXPLAIN (FORMAT JSON) ${text}`, values)).rows));
    await client.query("ROLLBACK");
    return plans.join("\n");
  } finally {
    client.release();
  }
}

/** A part of an index that is read up to a time, and not to its end. */
const upTo = (index: string, time: string) =>
  new RegExp(`"Index Name":"${index}"[^{}]*"Index Cond":"[^"]*${time} <= statement_timestamp`);

test("a worker's round reads only the gates, claims, inquiries and webhooks that are due, however many wait", async () => {
  const due = await plansOf(dueWork);
  expect(due).toMatch(upTo("gate_open_expires_at_idx", "expires_at"));
  expect(due).toMatch(upTo("submission_in_hand_lease_until_idx", "lease_until"));
  const hosts = { hosts: new Map<string, number>(), otherHosts: 1, inHand: new Map<string, number>(), eachPractice: 1 };
  const polls = await plansOf((one) => claimDuePolls(one, { most: 1, delaysMs: [1_000], ...hosts }));
  expect(polls).toMatch(upTo("next_inquiry_due_at_idx", "due_at"));
  const webhooks = await plansOf((one) => claimDue(one, { limit: 1, share: 1, underWay: new Map() }));
  expect(webhooks).toMatch(upTo("webhook_delivery_due_at_idx", "due_at"));
});

test("what a recovery looks for is found among the open cases of each practice, however many are over", async () => {
  for (const look of [tasksReleased, askAllNow]) {
    const plans = await plansOf((one) => look(one, ["any"]));
    expect(plans).toMatch(/"Index Name":"task_open\w*_idx"[^{}]*"Index Cond":"[^"]*practice_id/);
    expect(plans).not.toMatch(/"Index Name":"task_pkey"|"Seq Scan"[^{}]*"Relation Name":"(task|vote)"/);
  }
});
