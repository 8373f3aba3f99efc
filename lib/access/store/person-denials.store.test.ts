import { afterAll, expect, test } from "vitest";
import type { PersonActor } from "#lib/access/model/actor";
import { aHeldTask, aPerson, aPractice, aStore } from "#test/support/cases/cases";
import { recordCaseDenials, recordEndedDenials, recordPersonDenial } from "#lib/access/shared/person-denials";

const store = aStore();
afterAll(() => store.close());

async function aStranger(): Promise<PersonActor> {
  return (await aPerson(store, { practices: [await aPractice(store)] })).actor;
}

type Entry = { readonly requested?: string; readonly count?: number; readonly first?: string; readonly last?: string };

async function entriesOn({ id }: PersonActor): Promise<readonly Entry[]> {
  const { rows } = await store.pool.query<{ detail: string }>(
    "SELECT detail FROM audit_entry WHERE chain = 'people' AND act = 'person.denied' AND actor = $1 ORDER BY seq",
    [`person:${id}`],
  );
  return rows.map(({ detail }) => JSON.parse(detail) as Entry);
}

const countsOf = (entries: readonly Entry[]) => entries.flatMap(({ count }) => count ?? []);

test("beyond a hundred in an hour there is one entry at each doubling, however many come at once", async () => {
  const actor = await aStranger();
  const ask = () => recordPersonDenial(store, actor, { requested: "people" });
  await ask();
  await store.pool.query("UPDATE person_denial SET count = 90 WHERE person_id = $1", [actor.id]);
  await Promise.all(Array.from({ length: 30 }, ask));
  const entries = await entriesOn(actor);
  expect(entries.filter(({ requested }) => requested === "people")).toHaveLength(11);
  expect(countsOf(entries)).toEqual([101, 102, 104, 108, 116]);
  const { first = "", last = "" } = entries.at(-1) ?? {};
  expect(Date.parse(first)).toBeLessThan(Date.parse(last));
});

test("a later hour says how many the one before it came to, and has entries in full again", async () => {
  const [actor, { taskId }] = [await aStranger(), await aHeldTask(store)];
  await recordPersonDenial(store, actor, { requested: "people" });
  await store.pool.query("UPDATE person_denial SET count = 111 WHERE person_id = $1", [actor.id]);
  const oneCase = { taskIds: [taskId, crypto.randomUUID(), "no id"], practices: [] };
  await recordCaseDenials(store, actor, oneCase);
  expect(countsOf(await entriesOn(actor))).toEqual([]);
  await store.pool.query("UPDATE person_denial SET first_at = first_at - interval '61 minutes' WHERE person_id = $1", [
    actor.id,
  ]);
  await recordCaseDenials(store, actor, oneCase);
  expect((await entriesOn(actor)).slice(1)).toMatchObject([{ count: 112 }, { requested: "case", case: taskId }]);
});

test("an hour that is over is counted without another refusal, once, and a running one is left alone", async () => {
  const [over, few, running] = [await aStranger(), await aStranger(), await aStranger()];
  for (const [actor, count, minutes] of [
    [over, 140, 61],
    [few, 90, 61],
    [running, 140, 10],
  ] as const) {
    await recordPersonDenial(store, actor, { requested: "people" });
    await store.pool.query(
      "UPDATE person_denial SET count = $2, first_at = first_at - make_interval(mins => $3) WHERE person_id = $1",
      [actor.id, count, minutes],
    );
  }
  await Promise.all([recordEndedDenials(store), recordEndedDenials(store)]);
  const counts = await Promise.all([over, few, running].map(async (actor) => countsOf(await entriesOn(actor))));
  expect(counts).toEqual([[140], [], []]);
});

test("what one person asks leaves another's entries in full", async () => {
  const [loud, quiet] = [await aStranger(), await aStranger()];
  await recordPersonDenial(store, loud, { requested: "people" });
  await store.pool.query("UPDATE person_denial SET count = 5000 WHERE person_id = $1", [loud.id]);
  for (const actor of [loud, quiet]) await recordPersonDenial(store, actor, { requested: "record" });
  expect((await entriesOn(loud)).map(({ requested }) => requested)).toEqual(["people"]);
  expect((await entriesOn(quiet)).map(({ requested }) => requested)).toEqual(["record"]);
});
