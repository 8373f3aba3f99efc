import { afterAll, expect, test } from "vitest";
import { disablePerson } from "#lib/person/disable-person";
import { done, entriesOf, operator } from "#test/support/people/admin";
import { aPerson, aPractice, aRoute, aStore } from "#test/support/cases/cases";
import { listedCases } from "#test/support/cases/listed-cases";
import { savedViewsMax } from "#lib/queue/model/saved-view";
import { countSavedViews, dropView, nameView, savedViews, saveView } from "./saved-views.ts";

const store = aStore();
afterAll(() => store.close());

async function twoPractices() {
  const [here, there] = [await aPractice(store), await aPractice(store)];
  return {
    ...{ here, there },
    dana: await aPerson(store, { practices: [here] }),
    priya: await aPerson(store, { practices: [here, there], name: "Priya Raman" }),
    stranger: await aPerson(store, { practices: [there], name: "Sam Ortega" }),
    admin: await aPerson(store, { practices: [here], roles: ["admin"], name: "Lee Chan" }),
  };
}

type People = Awaited<ReturnType<typeof twoPractices>>;
const namesOf = async (person: People["dana"]) => (await savedViews(person)).map(({ name }) => name);

test("a view of one's own keeps view, filters and order, and nobody else sees, renames or deletes it", async () => {
  const { dana, priya, admin } = await twoPractices();
  const saved = await saveView(dana, {
    name: "  My   late ones ",
    query: "view=at-payer&sort=due&payer=87042&urgent=yes&place=abc&unknown=1",
  });
  expect(saved).toEqual({ ok: true, value: { query: "view=at-payer&sort=due&payer=87042&urgent=yes" } });
  const [view] = await savedViews(dana);
  expect(view).toMatchObject({ name: "My late ones", practice: undefined });
  expect(view?.query).toBe("view=at-payer&sort=due&payer=87042&urgent=yes");
  const id = view?.id ?? "";
  for (const other of [priya, admin]) {
    expect(await namesOf(other)).toEqual([]);
    expect(await nameView(other, { id, name: "Theirs" })).toEqual({ ok: false, refusal: { type: "not-found" } });
    expect(await dropView(other, { id })).toEqual({ ok: false, refusal: { type: "not-found" } });
  }
  await done(nameView(dana, { id, name: "Late" }));
  expect(await namesOf(dana)).toEqual(["Late"]);
  await done(dropView(dana, { id }));
  expect(await namesOf(dana)).toEqual([]);
});

test("each saved view is counted as its list is, for whoever reads it", async () => {
  const { here, there, dana, priya } = await twoPractices();
  await listedCases(store, [
    { practiceId: here, state: "transmit-held", urgent: true, dueAt: new Date() },
    { practiceId: here, state: "transmit-held", dueAt: new Date() },
    { practiceId: there, state: "transmit-held", urgent: true, dueAt: new Date() },
  ]);
  await done(saveView(dana, { name: "Urgent", query: "view=release&urgent=yes", practiceId: here }));
  await done(saveView(dana, { name: "Everything", query: "view=all&sort=due", practiceId: here }));
  const views = await savedViews(priya);
  const counts = async (person: People["dana"]) => {
    const found = await countSavedViews(person, views);
    return views.map(({ id, name }) => [name, found.get(id)]);
  };
  expect(await counts(dana)).toEqual([
    ["Everything", 2],
    ["Urgent", 1],
  ]);
  expect(await counts(priya)).toEqual([
    ["Everything", 3],
    ["Urgent", 2],
  ]);
});

test("a shared view is seen, renamed and deleted by whoever reviews for its practice, on record by its id alone", async () => {
  const { here, dana, priya, stranger, admin } = await twoPractices();
  await done(saveView(dana, { name: "Urgent here", query: "view=urgent", practiceId: here }));
  expect(await savedViews(priya)).toMatchObject([{ name: "Urgent here", practice: { id: here } }]);
  for (const other of [stranger, admin]) expect(await namesOf(other)).toEqual([]);
  const id = (await savedViews(priya))[0]?.id ?? "";
  for (const other of [stranger, admin]) {
    expect(await nameView(other, { id, name: "Theirs" })).toEqual({ ok: false, refusal: { type: "not-found" } });
    expect(await dropView(other, { id })).toEqual({ ok: false, refusal: { type: "not-found" } });
  }
  await done(nameView(priya, { id, name: "What is urgent" }));
  expect(await namesOf(dana)).toEqual(["What is urgent"]);
  await done(dropView(priya, { id }));
  expect(await namesOf(dana)).toEqual([]);
  const entries = (await entriesOf({ store }, here)).filter(({ act }) => act.startsWith("view."));
  expect(entries.map(({ act, detail }) => [act, detail])).toEqual([
    ["view.shared", { view: id }],
    ["view.renamed", { view: id }],
    ["view.deleted", { view: id }],
  ]);
});

test("a view is shared only by who reviews for the practice, and only if it is not of another practice", async () => {
  const { here, there, dana, stranger, admin } = await twoPractices();
  const view = { name: "Urgent", query: "view=urgent", practiceId: here };
  expect(await saveView(stranger, view)).toEqual({ ok: false, refusal: { type: "not-able" } });
  expect(await saveView(admin, view)).toEqual({ ok: false, refusal: { type: "not-found" } });
  const elsewhere = { ...view, query: `view=urgent&practice=${there}` };
  expect(await saveView(dana, elsewhere)).toEqual({ ok: false, refusal: { type: "not-able" } });
  await disablePerson({ actor: operator, store }, { id: dana.actor.id });
  expect(await saveView(dana, view)).toEqual({ ok: false, refusal: { type: "not-able" } });
});

test.each(["q=0a1b2c3d", "search=01a1fbb2-0000-7000-8000-000000000001", "view=urgent&q=Okafor"])(
  "what was searched for is never kept: %s",
  async (query) => {
    const { dana } = await twoPractices();
    expect(await saveView(dana, { name: "Found", query })).toEqual({ ok: false, refusal: { type: "search" } });
    expect(await namesOf(dana)).toEqual([]);
  },
);

test("a code that is none may be a name, and is not kept", async () => {
  const { dana } = await twoPractices();
  const save = (code: string) => saveView(dana, { name: "By code", query: new URLSearchParams({ code }).toString() });
  for (const code of ["okafor", "Okafor, Adaeze", "72148 OKAFOR", "X".repeat(40)])
    expect(await save(code)).toEqual({ ok: false, refusal: { type: "not-a-code" } });
  for (const code of ["72148", "j1745", "99.84"]) expect(await save(code)).toMatchObject({ ok: true });
});

test("a practice or a payer that is none of the reader's may be a name, and is not kept", async () => {
  const { here, there, dana } = await twoPractices();
  await aRoute(store, { practiceId: here, payerId: "LAKEVIEW" });
  await aRoute(store, { practiceId: there, payerId: "HILLTOP" });
  const save = (members: Record<string, string>) =>
    saveView(dana, { name: "Kept", query: new URLSearchParams(members).toString() });
  for (const filter of [
    { payer: "Okafor" },
    { payer: "Okafor, Adaeze 1980" },
    { payer: "HILLTOP" },
    { practice: "Okafor" },
    { practice: there },
  ])
    expect([filter, await save(filter)]).toEqual([filter, { ok: false, refusal: { type: "not-a-place" } }]);
  for (const filter of [{ payer: "LAKEVIEW" }, { payer: "87042" }, { practice: here }])
    expect([filter, await save(filter)]).toMatchObject([filter, { ok: true }]);
});

test.each(["", "   ", "x".repeat(41), "two\u0000lines", "hidden\u200bsign"])(
  "a name that is none is refused: %j",
  async (name) => {
    const { dana } = await twoPractices();
    expect(await saveView(dana, { name, query: "" })).toEqual({ ok: false, refusal: { type: "invalid" } });
  },
);

test("nobody keeps more than twenty, however many are saved at once", async () => {
  const { here, dana } = await twoPractices();
  for (const practiceId of [undefined, here]) {
    const all = Array.from({ length: savedViewsMax + 5 }, (_, index) =>
      saveView(dana, { name: `View ${index}`, query: "view=urgent", practiceId }),
    );
    const refused = (await Promise.all(all)).filter(({ ok }) => !ok);
    expect(refused).toHaveLength(5);
    expect(refused[0]).toEqual({ ok: false, refusal: { type: "too-many", max: savedViewsMax } });
  }
  expect(await savedViews(dana)).toHaveLength(2 * savedViewsMax);
});
