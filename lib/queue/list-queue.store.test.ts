import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import {
  closedStates,
  openStates,
  ownSort,
  queueSorts,
  queueViews,
  riskViews,
  type QueueSort,
  type QueueView,
} from "#lib/queue/model/queue";
import { states, type State } from "#lib/task/model/task";
import { type Store, unscoped } from "#lib/db/db";
import { aPerson, aPractice, aStore } from "#test/support/cases/cases";
import { listedCases } from "#test/support/cases/listed-cases";
import { belongs, busyChannel, lastPlace, oneDesk, pagesOf, whole } from "#test/support/cases/queue-desk";
import { atRiskViews, whatIsAtRisk } from "./at-risk.ts";
import { countMatches, countQueue, listQueue } from "./list-queue.ts";
import { queueFacets } from "./queue-facets.ts";
import { searchCases } from "./search-cases.ts";

const store = aStore();
afterAll(() => store.close());

const desk = oneDesk(store, 23);

const idsIn = (view: QueueView) => {
  const { cases, reviewer } = desk();
  return new Set(cases.filter((one) => belongs(view, one, reviewer.actor.id)).map(({ id }) => id));
};

const views = [...queueViews, ...riskViews];
const all = views.flatMap((view) => queueSorts.map((sort) => [view, sort] as const));

test.each(all)(
  "the view %s sorted by %s shows each of its cases once, whatever the page, forward and back",
  async (view, sort) => {
    const { reviewer } = desk();
    const question = { ...whole, view, sort };
    const [everything = []] = await pagesOf(reviewer, question, 2000);
    expect(new Set(everything)).toEqual(idsIn(view));
    expect(everything).toHaveLength(new Set(everything).size);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 3, max: 60 }), async (size) => {
        const pages = await pagesOf(reviewer, question, size);
        expect(pages.flat()).toEqual(everything);
      }),
      { numRuns: 3 },
    );
    const back: string[] = [];
    let place: string | undefined = await lastPlace(reviewer, question, 17);
    while (place !== undefined) {
      const page = await listQueue(reviewer, { ...question, place }, 17);
      back.unshift(...page.rows.map(({ taskId }) => taskId));
      place = page.before;
    }
    expect(back).toEqual(everything.slice(0, back.length));
    expect(everything.length - back.length).toBeLessThanOrEqual(17);
  },
);

const byTime = (list: readonly (Date | undefined)[]) =>
  list
    .map((time) => time?.getTime() ?? Infinity)
    .every((time, index, times) => index === 0 || time >= (times[index - 1] ?? 0));

test.each([
  ["due", "all"],
  ["due", "urgent"],
  ["due", "mine"],
  ["payer", "all"],
  ["payer", "at-payer"],
] as const)("sorted by %s, the view %s begins with what is due first", async (sort: QueueSort, view) => {
  const { reviewer, cases } = desk();
  const { rows } = await listQueue(reviewer, { ...whole, view, sort }, 2000);
  const byId = new Map(cases.map((one) => [one.id, one]));
  const times = rows.map(({ taskId }) => byId.get(taskId)?.[sort === "due" ? "dueAt" : "payerDueAt"]);
  expect(times.some((time) => time)).toBe(true);
  expect(byTime(times)).toBe(true);
});

test.each(["release", "all", "mine", "unassigned"] as const)(
  "by itself the view %s begins with what is urgent, due first, and goes on with the others, due first",
  async (view) => {
    const { reviewer, cases } = desk();
    const { rows } = await listQueue(reviewer, { ...whole, view, sort: ownSort(view) }, 2000);
    const byId = new Map(cases.map((one) => [one.id, one]));
    const due = rows.flatMap(({ taskId }) => byId.get(taskId) ?? []).filter(({ dueAt }) => dueAt !== undefined);
    const urgent = due.filter((one) => one.urgent);
    expect(urgent.length).toBeGreaterThan(0);
    expect(urgent.length).toBeLessThan(due.length);
    expect(due.slice(0, urgent.length)).toEqual(urgent);
    expect(byTime(urgent.map(({ dueAt }) => dueAt))).toBe(true);
    expect(byTime(due.slice(urgent.length).map(({ dueAt }) => dueAt))).toBe(true);
  },
);

test("denials begin with those whose deadline is not known, then by when to act", async () => {
  const { reviewer } = desk();
  const { rows } = await listQueue(reviewer, { ...whole, view: "denied" }, 2000);
  const known = rows.filter(({ actBy }) => actBy);
  expect(known.length).toBeGreaterThan(0);
  expect(known.length).toBeLessThan(rows.length);
  expect(rows.slice(rows.length - known.length)).toEqual(known);
  expect(byTime(known.map(({ actBy }) => actBy))).toBe(true);
});

test("a state in which cases are over is found among all cases, the latest change first", async () => {
  const { reviewer, cases } = desk();
  for (const state of closedStates) {
    const { rows } = await listQueue(reviewer, { ...whole, filters: { state } }, 2000);
    expect(rows).toHaveLength(cases.filter((one) => one.state === state).length);
    expect(byTime(rows.map(({ since }) => since).reverse())).toBe(true);
  }
});

test("the count of each view is exact up to 99, and that of the current list up to 1,000", async () => {
  const { reviewer, practices } = desk();
  const counts = await countQueue(reviewer);
  for (const view of queueViews) expect([view, counts[view]]).toEqual([view, Math.min(idsIn(view).size, 100)]);
  const busy = await aPractice(store);
  const many = Array.from({ length: 1100 }, () => ({ practiceId: busy, state: "transmitted" }) as const);
  await listedCases(store, many);
  const both = await aPerson(store, { practices: [busy, ...practices] });
  expect(await countQueue(both)).toMatchObject({ "at-payer": 100, all: 100, decided: counts.decided });
  for (const view of ["at-payer", "all"] as const) {
    expect(await countMatches(both, { ...whole, view })).toBe(1001);
    expect(await countQueue(both, view)).toMatchObject({ "at-payer": 100, all: 100, [view]: 1001 });
  }
  for (const view of queueViews) {
    expect([view, await countMatches(reviewer, { ...whole, view })]).toEqual([view, idsIn(view).size]);
    expect([view, (await countQueue(reviewer, view))[view]]).toEqual([view, idsIn(view).size]);
  }
});

test("each number of the home page is the number of cases that its list shows", async () => {
  const { reviewer, stranger, cases } = desk();
  const found = await whatIsAtRisk(reviewer);
  for (const view of atRiskViews) {
    expect([view, found?.counts[view]]).toEqual([view, idsIn(view).size]);
    expect([view, (await listQueue(reviewer, { ...whole, view }, 2000)).rows.length]).toEqual([view, idsIn(view).size]);
  }
  const failed = cases.filter(({ state }) => state === "failed");
  for (const payerId of new Set(failed.map((one) => one.payerId))) {
    const count = failed.filter((one) => one.payerId === payerId).length;
    expect(found?.failed.find((one) => one.payerId === payerId)?.count).toBe(count);
    expect(await countMatches(reviewer, { ...whole, view: "failed", filters: { payer: payerId } })).toBe(count);
  }
  const elsewhere = await whatIsAtRisk(stranger);
  expect(elsewhere?.counts["past-target"]).toBeGreaterThan(0);
  expect(elsewhere?.counts["past-target"]).toBeLessThan(idsIn("past-target").size);
});

describe("another practice", () => {
  test("is neither listed, counted, filtered for nor found", async () => {
    const { reviewer, stranger, foreign, cases } = desk();
    const known = new Set(cases.map(({ id }) => id));
    for (const view of views) {
      for (const sort of queueSorts) {
        const { rows } = await listQueue(reviewer, { ...whole, view, sort }, 2000);
        expect(rows.filter(({ taskId, practice }) => !known.has(taskId) || practice.id === foreign)).toEqual([]);
      }
    }
    expect((await listQueue(reviewer, { ...whole, filters: { practice: foreign } })).rows).toEqual([]);
    expect(await countMatches(reviewer, { ...whole, filters: { practice: foreign } })).toBe(0);
    const [one] = cases;
    expect((await listQueue(stranger, { ...whole, text: one?.id.slice(-8) })).rows).toEqual([]);
    const place = (await listQueue(reviewer, whole, 3)).after;
    const strange = await listQueue(stranger, { ...whole, place }, 2000);
    expect(strange.rows.filter(({ taskId }) => known.has(taskId))).toEqual([]);
  });

  test("shows nothing to an admin who reviews for none", async () => {
    const admin = await aPerson(store, { practices: desk().practices, roles: ["admin"] });
    expect((await listQueue(admin, whole)).rows).toEqual([]);
    expect(Object.values(await countQueue(admin)).every((count) => count === 0)).toBe(true);
  });
});

test("an invalid cursor gives the first page", async () => {
  const { reviewer } = desk();
  const first = await listQueue(reviewer, whole, 5);
  const valid = first.after ?? "";
  const forged = (text: string) => Buffer.from(text).toString("base64url");
  const [id] = desk().cases.map((one) => one.id);
  const places = [
    "",
    "a",
    "'",
    "%00",
    valid.slice(1),
    forged("a~9~1~x"),
    forged(`a~0~${"9".repeat(30)}~${id}`),
    forged(`c~0~1~${id}`),
  ];
  for (const place of places) expect((await listQueue(reviewer, { ...whole, place }, 5)).rows).toEqual(first.rows);
  await fc.assert(
    fc.asyncProperty(fc.string(), fc.constantFrom(...queueViews), async (place, view) => {
      await listQueue(reviewer, { ...whole, view, place }, 2);
    }),
    { numRuns: 50 },
  );
  const beyond = forged(`a~1~~ffffffff-ffff-7fff-bfff-ffffffffffff`);
  expect((await listQueue(reviewer, { ...whole, place: beyond }, 5)).rows).toEqual(first.rows);
  const keyless = forged(`b~0~~${id}`);
  expect((await listQueue(reviewer, { ...whole, place: keyless }, 5)).rows).toEqual(first.rows);
});

/** A store that notes how each statement is carried out, as Postgres plans it when it may not read whole tables. */
function explaining(plans: string[]): Store {
  const query = async (statement: { name?: string; text: string; values: unknown[] }) => {
    const client = await unscoped(store).pool.connect();
    try {
      await client.query("BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL app.practices = '{*}'");
      const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${statement.text}`, statement.values);
      plans.push(JSON.stringify(rows));
      await client.query("ROLLBACK");
      return await store.pool.query(statement.text, statement.values);
    } finally {
      client.release();
    }
  };
  // Safe because lists use nothing of the pool but this one way to ask.
  return { ...store, pool: { query } as unknown as Store["pool"] };
}

const wholeTable = /"Seq Scan"[^{}]*"Relation Name":"(task|gate|case_token)"/;

test("no view, sort, filter or count reads the whole table; each uses an index", async () => {
  const { reviewer } = desk();
  await store.pool.query("ANALYZE task, gate");
  const plans: string[] = [];
  const named = new Set<string>();
  const ctx = { ...reviewer, store: explaining(plans) };
  for (const [view, sort] of all) {
    const page = await listQueue(ctx, { ...whole, view, sort }, 10);
    await listQueue(ctx, { ...whole, view, sort, place: page.after }, 10);
    await listQueue(ctx, { ...whole, view, sort, filters: { payer: "87042", code: "J1100", age: "7-" } }, 10);
    await listQueue(ctx, { ...whole, view, sort, filters: { assignee: "me" } }, 10);
    await listQueue(ctx, { ...whole, view, sort, filters: { urgent: "yes", assignee: "none" } }, 10);
    await listQueue(ctx, { ...whole, view, sort, filters: { environment: "live" } }, 10);
    await queueFacets(ctx, { ...whole, view, sort });
  }
  await listQueue(ctx, { ...whole, filters: { state: "declined" } }, 10);
  await listQueue(ctx, { ...whole, view: "decided", filters: { environment: "live" } }, 10);
  await listQueue(ctx, { ...whole, view: "decided", filters: { channel: busyChannel } }, 10);
  await listQueue(ctx, { ...whole, text: "REF-1" }, 10);
  await listQueue(ctx, { ...whole, text: "0a1b2c3d" }, 10);
  const search = await searchCases(reviewer, "Okafor Adaeze 1971-05-19");
  await listQueue(ctx, { ...whole, ...(search.ok ? search.value : {}) }, 10);
  await countQueue(ctx);
  for (const plan of plans) {
    expect(plan).not.toMatch(wholeTable);
    for (const [, name] of plan.matchAll(/"Index Name":"((?:task|gate|case_token)_[a-z_0-9]+)"/g))
      named.add(name ?? "");
  }
  const serving = [
    "task_open_idx",
    "task_open_by_environment_idx",
    "task_closed_at_idx",
    "task_closed_at_payer_idx",
    "task_closed_at_environment_idx",
    "task_closed_at_channel_idx",
    "task_urgent_idx",
    "task_urgent_state_idx",
    "task_assignee_idx",
    "task_needs_person_idx",
  ];
  const others = [
    "task_payer_due_idx",
    "task_reference_idx",
    "task_short_id_idx",
    "gate_open_expires_at_idx",
    "case_token_pkey",
  ];
  expect([...named]).toEqual(expect.arrayContaining([...serving, ...others]));
});

test("every state is either open or closed", () => {
  const both: State[] = [...openStates, ...closedStates];
  expect(both.sort()).toEqual([...states].sort());
});
