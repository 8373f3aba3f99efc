import { afterAll, expect, test } from "vitest";
import { queueViews, riskViews } from "#lib/queue/model/queue";
import { aPerson, aPractice, aStore } from "#test/support/cases/cases";
import { listedCases } from "#test/support/cases/listed-cases";
import { oneDesk, whole } from "#test/support/cases/queue-desk";
import { countMatches } from "./list-queue.ts";
import { queueFacets } from "./queue-facets.ts";

const store = aStore();
afterAll(() => store.close());

const desk = oneDesk(store, 23);

test.each([...queueViews, ...riskViews])(
  "each chip of the view %s says how many cases are left once it is chosen, and none leaves nothing",
  async (view) => {
    const { reviewer } = desk();
    for (const filters of [{}, { urgent: "yes" }, { payer: "87042" }, { code: "J1100" }] as const) {
      const facets = await queueFacets(reviewer, { ...whole, view, filters });
      for (const { name, value, count } of facets) {
        expect(filters).not.toHaveProperty(name);
        const left = await countMatches(reviewer, { ...whole, view, filters: { ...filters, [name]: value } });
        expect([name, value, count]).toEqual([name, value, Math.min(left, 100)]);
        expect(count).toBeGreaterThan(0);
      }
    }
  },
);

test("chips offer what there is: urgency, the reader's own, what has no assignee, practices, payers and environments", async () => {
  const { reviewer, practices } = desk();
  const facets = await queueFacets(reviewer, { ...whole, view: "release" });
  expect(facets.map(({ name, value }) => `${name} ${value}`).toSorted()).toEqual(
    [
      ...["urgent yes", "assignee me", "assignee none", "payer 60054", "payer 87042", "environment live"],
      "environment test",
      ...practices.map((id) => `practice ${id}`),
    ].toSorted(),
  );
  expect((await queueFacets(reviewer, { ...whole, view: "decided" })).map(({ name }) => name)).not.toContain("urgent");
  for (const [view, name] of [
    ["urgent", "urgent"],
    ["mine", "assignee"],
    ["unassigned", "assignee"],
  ] as const)
    expect((await queueFacets(reviewer, { ...whole, view })).map((one) => one.name)).not.toContain(name);
});

test("beyond a few hundred cases a rare value is still counted exactly, and a frequent one up to 99", async () => {
  const busy = await aPractice(store);
  const many = Array.from({ length: 1200 }, () => ({ practiceId: busy, state: "transmit-held" }) as const);
  const few = Array.from({ length: 3 }, () => ({ practiceId: busy, state: "transmit-held", urgent: true }) as const);
  await listedCases(store, [...many, ...few]);
  const reviewer = await aPerson(store, { practices: [busy] });
  expect(await queueFacets(reviewer, { ...whole, view: "release" })).toEqual([
    { name: "urgent", value: "yes", count: 3 },
    { name: "assignee", value: "none", count: 100 },
  ]);
});

test("a chip counts no case of another practice, and offers nothing to who reviews for none", async () => {
  const { stranger, foreign } = desk();
  const facets = await queueFacets(stranger, { ...whole, view: "all" });
  expect(facets.length).toBeGreaterThan(0);
  expect(facets.filter(({ name, value }) => name === "practice" && value !== foreign)).toEqual([]);
  const admin = await aPerson(store, { practices: desk().practices, roles: ["admin"] });
  expect(await queueFacets(admin, whole)).toEqual([]);
});
