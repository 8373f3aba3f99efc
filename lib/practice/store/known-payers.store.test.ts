import { afterAll, expect, test } from "vitest";
import { forPractices } from "#lib/db/for-practices";
import { setPayer } from "#lib/practice/directory/set-payer";
import { done, operator } from "#test/support/admin";
import { aPractice, aStore } from "#test/support/cases";
import { knownPayers } from "./payers.ts";

const store = aStore();
const admin = { actor: operator, store };
afterAll(() => store.close());

async function aListingPractice(number: number) {
  const practiceId = await aPractice(store);
  const payer = { payerId: "60054", name: `Lakeview Mutual ${number}`, aliases: [`LVM ${number}`] };
  await done(setPayer(admin, { practiceId, ...payer }));
  return { practiceId, payer };
}

test("asked at once for many practices, each learns the payers of its own, also where they share an id", async () => {
  const practices = await Promise.all(Array.from({ length: 12 }, (_, number) => aListingPractice(number)));
  const answers = await Promise.all(
    practices.map(({ practiceId }) => knownPayers(forPractices(store, [practiceId]), practiceId)),
  );
  expect(answers).toEqual(practices.map(({ payer }) => [payer]));
});

test("whoever asks about a practice that they may not see learns nothing, even together with somebody who may", async () => {
  const [own, other] = await Promise.all([aListingPractice(1), aListingPractice(2)]);
  const [seen, unseen] = await Promise.all([
    knownPayers(forPractices(store, [other.practiceId]), other.practiceId),
    knownPayers(forPractices(store, [own.practiceId]), other.practiceId),
  ]);
  expect(seen).toEqual([other.payer]);
  expect(unseen).toEqual([]);
});
