import { afterAll, expect, test } from "vitest";
import { queueSorts, queueViews, riskViews } from "#lib/queue/model/queue";
import { aPerson, aPractice, aStore } from "#test/support/cases/cases";
import { listedCases, type ListedCase } from "#test/support/cases/listed-cases";
import { at, belongs, busyChannel, lastPlace, oneDesk, pagesOf, whole } from "#test/support/cases/queue-desk";
import { countMatches, listQueue, type QueueQuestion } from "./list-queue.ts";
import { nextToDecide } from "./walk.ts";

const store = aStore();
afterAll(() => store.close());

const desk = oneDesk(store, 23);

const views = [...queueViews, ...riskViews];
const all = views.flatMap((view) => queueSorts.map((sort) => [view, sort] as const));

const narrowings: readonly [string, QueueQuestion["filters"], (one: ListedCase) => boolean][] = [
  ["a payer", { payer: "87042" }, ({ payerId }) => payerId === "87042"],
  ["a procedure code", { code: "J1100" }, ({ procedureCodes }) => procedureCodes?.includes("J1100") === true],
  ["a channel", { channel: busyChannel }, ({ channelId }) => channelId === busyChannel],
  ["the action void", { action: "void" }, ({ state }) => state.startsWith("void-") || state === "voiding"],
  ["a state", { state: "transmit-held" }, ({ state }) => state === "transmit-held"],
  ["one to three days", { age: "1-3" }, ({ createdAt = at(0) }) => createdAt <= at(-24) && createdAt > at(-72)],
  ["over seven days", { age: "7-" }, ({ createdAt = at(0) }) => createdAt <= at(-24 * 7)],
  [
    "a payer, a code and an age together",
    { payer: "87042", code: "J1100", age: "7-" },
    ({ payerId, procedureCodes, createdAt = at(0) }) =>
      payerId === "87042" && procedureCodes?.includes("J1100") === true && createdAt <= at(-24 * 7),
  ],
  ["urgency", { urgent: "yes" }, ({ urgent }) => urgent === true],
  ["what reaches a real payer", { environment: "live" }, ({ environment }) => environment === "live"],
  [
    "a test environment and a payer together",
    { environment: "test", payer: "87042" },
    ({ environment, payerId }) => environment === "test" && payerId === "87042",
  ],
  ["having no assignee", { assignee: "none" }, ({ assigneeId }) => assigneeId === undefined],
  [
    "urgency, a payer and having no assignee together",
    { urgent: "yes", payer: "87042", assignee: "none" },
    ({ urgent, payerId, assigneeId }) => urgent === true && payerId === "87042" && assigneeId === undefined,
  ],
  ["urgency and a code together", { urgent: "yes", code: "J1100" }, isUrgentWithCode],
  ["a code nothing has", { code: "J1101" }, () => false],
];

function isUrgentWithCode({ urgent, procedureCodes }: ListedCase): boolean {
  return urgent === true && procedureCodes?.includes("J1100") === true;
}

test.each(narrowings)("%s narrows every view to exactly its cases, and the count with it", async (_, filters, keep) => {
  const { reviewer, cases } = desk();
  for (const view of views) {
    const { rows } = await listQueue(reviewer, { ...whole, view, filters }, 2000);
    const expected = cases.filter((one) => belongs(view, one, reviewer.actor.id) && keep(one));
    expect(new Set(rows.map(({ taskId }) => taskId))).toEqual(new Set(expected.map(({ id }) => id)));
    expect(await countMatches(reviewer, { ...whole, view, filters })).toBe(expected.length);
  }
});

test.each([{}, { payer: "87042" }, { code: "J1100" }, { urgent: "yes" }] as const)(
  "the reader's own cases narrow every view, sort and page to exactly them, also beside %o",
  async (others) => {
    const { reviewer, cases } = desk();
    const filters = { ...others, assignee: "me" } as const;
    const me = reviewer.actor.id;
    const mine = new Set(cases.filter(({ assigneeId }) => assigneeId === me).map(({ id }) => id));
    for (const [view, sort] of all) {
      const [beside = []] = await pagesOf(reviewer, { ...whole, view, sort, filters: others }, 2000);
      const expected = beside.filter((id) => mine.has(id));
      expect((await pagesOf(reviewer, { ...whole, view, sort, filters }, 19)).flat()).toEqual(expected);
      expect(await countMatches(reviewer, { ...whole, view, filters })).toBe(expected.length);
    }
  },
);

test("a practice narrows every view to its own cases, and the count with it", async () => {
  const { reviewer, cases, practices } = desk();
  const [practice] = practices;
  const filters = { practice };
  for (const view of views) {
    const { rows } = await listQueue(reviewer, { ...whole, view, filters }, 2000);
    const own = cases.filter((one) => belongs(view, one, reviewer.actor.id) && one.practiceId === practice);
    expect(new Set(rows.map(({ taskId }) => taskId))).toEqual(new Set(own.map(({ id }) => id)));
    expect(await countMatches(reviewer, { ...whole, view, filters })).toBe(own.length);
  }
});

const paged = narrowings.filter(([, { payer, code, environment }]) =>
  [payer, code, environment].some((one) => one !== undefined),
);

test.each(paged)("%s leaves the order and the pages of every view as they are", async (_, filters, keep) => {
  const { reviewer, cases } = desk();
  const kept = new Set(cases.filter(keep).map(({ id }) => id));
  for (const [view, sort] of all) {
    const [everything = []] = await pagesOf(reviewer, { ...whole, view, sort }, 2000);
    const expected = everything.filter((id) => kept.has(id));
    const question = { ...whole, view, sort, filters };
    expect((await pagesOf(reviewer, question, 19)).flat()).toEqual(expected);
    const back: string[] = [];
    let place = await lastPlace(reviewer, question, 19);
    while (place !== undefined) {
      const page = await listQueue(reviewer, { ...question, place }, 19);
      back.unshift(...page.rows.map(({ taskId }) => taskId));
      place = page.before;
    }
    expect(back).toEqual(expected.slice(0, back.length));
  }
});

test("a filtered list with many cases is paged to its end, and counted up to 1,000", async () => {
  const busy = await aPractice(store);
  const one = { practiceId: busy, state: "transmitted", procedureCodes: ["J1745"] } as const;
  const made = await listedCases(
    store,
    Array.from({ length: 1300 }, (_, index) => ({ ...one, dueAt: index % 2 === 0 ? at(index % 50) : undefined })),
  );
  const reviewer = await aPerson(store, { practices: [busy] });
  for (const filters of [{ code: "J1745" }, { environment: "test" }] as const) {
    const question = { ...whole, filters };
    expect(await countMatches(reviewer, question)).toBe(1001);
    const pages = await pagesOf(reviewer, question, 200);
    expect(pages.flat()).toHaveLength(1300);
    expect(new Set(pages.flat())).toEqual(new Set(made.map(({ id }) => id)));
  }
});

test("the few live cases among many of a test environment are listed in the order of every view, and walked along", async () => {
  const practiceId = await aPractice(store);
  const reviewer = await aPerson(store, { practices: [practiceId] });
  const one = { practiceId, state: "transmit-held" } as const;
  const made = await listedCases(
    store,
    Array.from({ length: 60 }, (_, index) => ({
      ...{ ...one, urgent: index % 4 === 0, dueAt: at((index * 7) % 60) },
      environment: index % 12 === 0 ? ("live" as const) : ("test" as const),
    })),
  );
  const live = new Set(made.filter(({ environment }) => environment === "live").map(({ id }) => id));
  for (const sort of queueSorts) {
    const question = { ...whole, view: "release", sort } as const;
    const expected = (await listQueue(reviewer, question, 100)).rows
      .map(({ taskId }) => taskId)
      .filter((id) => live.has(id));
    const narrowed = { ...question, filters: { environment: "live" } } as const;
    expect((await pagesOf(reviewer, narrowed, 2)).flat()).toEqual(expected);
    expect(await nextToDecide(reviewer, narrowed, { but: expected[0] })).toEqual({ taskId: expected[1] });
  }
});
