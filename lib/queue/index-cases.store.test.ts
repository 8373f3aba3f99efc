import { afterAll, expect, test } from "vitest";
import { sendMessage } from "#lib/task/send-message";
import { aChannel, anIntake, aPerson, aPractice, aStore, fullReview } from "#test/support/cases/cases";
import { anAnsweredTask, approved } from "#test/support/cases/sent-cases";
import { rotatePracticeKey } from "#lib/practice/turn-keys";
import { indexNewCases } from "./index-cases.ts";
import { listQueue, type QueueQuestion } from "./list-queue.ts";
import { searchCases } from "./search-cases.ts";

const store = aStore();
afterAll(() => store.close());

const whole: QueueQuestion = { view: "all", sort: "due", filters: {} };

type Asker = Awaited<ReturnType<typeof aPerson>>;

/** The cases that somebody finds by what they type, which never becomes an address. */
async function foundBy(reviewer: Asker, typed: string): Promise<readonly string[]> {
  const found = await searchCases(reviewer, typed);
  const search = found.ok && "search" in found.value ? found.value.search : undefined;
  expect(search).toBeDefined();
  return (await listQueue(reviewer, { ...whole, search })).rows.map(({ taskId }) => taskId);
}

const named = (lastName: string, firstName: string, birthDate: string) => ({
  ...fullReview,
  patient: { ...fullReview.patient, lastName, firstName, birthDate },
});

/** Two patients of the same family name in one practice, and one of exactly the same name in another. */
async function aFamily() {
  const practices = [await aPractice(store), await aPractice(store)] as const;
  const channel = await aChannel(store, { practices });
  const send = async (practiceId: string, review: object) => {
    const sent = await sendMessage(channel, anIntake({ practiceId, review }));
    if (!sent.ok) throw new Error(sent.refusal.type);
    return sent.value.id;
  };
  const [jose, ana, elsewhere] = [
    await send(practices[0], named("Álvarez-Núñez", "José", "1971-05-09")),
    await send(practices[0], named("Alvarez", "Ana Maria", "2001-12-31")),
    await send(practices[1], named("Álvarez-Núñez", "José", "1971-05-09")),
  ];
  await indexNewCases(store);
  const reviewer = await aPerson(store, { practices: [practices[0]] });
  return { practices, channel, reviewer, jose, ana, elsewhere };
}

test("a case is found by whole words of its patient's name, by the birth date, and by both, and in no other practice", async () => {
  const { practices, reviewer, jose, ana, elsewhere } = await aFamily();
  const both = [jose, ana].toSorted();
  expect((await foundBy(reviewer, "alvarez")).toSorted()).toEqual(both);
  expect((await foundBy(reviewer, "ALVÁREZ")).toSorted()).toEqual(both);
  expect(await foundBy(reviewer, "jose alvarez")).toEqual([jose]);
  expect(await foundBy(reviewer, "Nunez, José")).toEqual([jose]);
  expect(await foundBy(reviewer, "5/9/1971")).toEqual([jose]);
  expect(await foundBy(reviewer, "Alvarez 2001-12-31")).toEqual([ana]);
  expect(await foundBy(reviewer, "maria")).toEqual([ana]);
  expect(await foundBy(reviewer, "Alvarez 1971-05-10")).toEqual([]);
  expect(await foundBy(reviewer, "alv")).toEqual([]);
  const ofBoth = await aPerson(store, { practices });
  expect((await foundBy(ofBoth, "jose alvarez nunez")).toSorted()).toEqual([jose, elsewhere].toSorted());
});

test("once it is amended, a case is found by what its patient is called now, and after another amendment again", async () => {
  const { practices, channel, reviewer, jose } = await aFamily();
  const amended = await sendMessage(
    channel,
    anIntake({ practiceId: practices[0], taskId: jose, review: named("Quintero", "José", "1971-05-09") }),
  );
  expect(amended.ok).toBe(true);
  await indexNewCases(store);
  expect(await foundBy(reviewer, "nunez")).toEqual([]);
  expect(await foundBy(reviewer, "quintero")).toEqual([jose]);
  const back = anIntake({ practiceId: practices[0], taskId: jose, review: named("Núñez", "José", "1971-05-19") });
  expect((await sendMessage(channel, back)).ok).toBe(true);
  await indexNewCases(store);
  for (const gone of ["quintero", "1971-05-09"]) expect(await foundBy(reviewer, gone)).toEqual([]);
  for (const now of ["nunez jose", "1971-05-19"]) expect(await foundBy(reviewer, now)).toContain(jose);
});

test("a case is found by its authorization number, with or without hyphens", async () => {
  const authorizationNumber = "PA-77 4410";
  const { taskId, practiceId } = await anAnsweredTask(store, {
    type: "decided",
    determination: { ...approved, authorizationNumber },
  });
  await indexNewCases(store);
  const reviewer = await aPerson(store, { practices: [practiceId] });
  for (const typed of ["PA-77 4410", "pa774410"]) expect(await foundBy(reviewer, typed)).toEqual([taskId]);
});

test("tokens say nothing: they hold no letter of a name, differ between practices, and outlive a rotation of the key", async () => {
  const { practices, reviewer, jose, elsewhere } = await aFamily();
  const tokensOf = async (taskId: string) => {
    const rows = await store.prisma.caseToken.findMany({ where: { taskId } });
    return rows.map(({ token }) => Buffer.from(token).toString("hex"));
  };
  const [here, there] = [await tokensOf(jose), await tokensOf(elsewhere)];
  expect(here).toHaveLength(4);
  expect(there).toHaveLength(4);
  expect(new Set([...here, ...there]).size).toBe(8);
  expect(here.every((token) => token.length === 32)).toBe(true);
  await rotatePracticeKey({ actor: { kind: "operator" }, store }, { practiceId: practices[0], inSeconds: 0 });
  await store.keys.reload();
  expect(await foundBy(reviewer, "nunez")).toEqual([jose]);
});

test("cases of before are made findable from the audit log, and a round that was cut short is gone on with", async () => {
  const { practices, reviewer, jose } = await aFamily();
  const ofPractice = { where: { practiceId: practices[0] } };
  await store.prisma.caseToken.deleteMany(ofPractice);
  await store.prisma.searchProgress.deleteMany(ofPractice);
  expect(await foundBy(reviewer, "nunez")).toEqual([]);
  await indexNewCases(store, AbortSignal.abort());
  expect(await foundBy(reviewer, "nunez")).toEqual([]);
  await Promise.all([indexNewCases(store), indexNewCases(store)]);
  await indexNewCases(store);
  expect(await foundBy(reviewer, "nunez")).toEqual([jose]);
});

test("a practice with a case that cannot be opened keeps no other practice's cases from being found", async () => {
  const { practices, reviewer, jose, elsewhere } = await aFamily();
  const where = { practiceId: { in: [...practices] } };
  await store.prisma.caseToken.deleteMany({ where });
  await store.prisma.searchProgress.deleteMany({ where });
  const ofElsewhere = { where: { taskId_number: { taskId: elsewhere, number: 1 } } };
  const { serviceReview } = await store.prisma.revision.findUniqueOrThrow(ofElsewhere);
  await store.prisma.revision.update({ ...ofElsewhere, data: { serviceReview: Buffer.from([9, 9]) } });
  await expect(indexNewCases(store)).rejects.toThrow("unknown version");
  expect(await foundBy(reviewer, "nunez")).toEqual([jose]);
  await store.prisma.revision.update({ ...ofElsewhere, data: { serviceReview } });
  await indexNewCases(store);
  const other = await aPerson(store, { practices: [practices[1]] });
  expect(await foundBy(other, "nunez")).toEqual([elsewhere]);
});

test("of many practices each has its cases found after one round, also where it has more of them than are read at once", async () => {
  const many = await Promise.all(Array.from({ length: 40 }, () => aPractice(store)));
  const [busy = ""] = many;
  const channel = await aChannel(store, { practices: many });
  const send = (practiceId: string, number: number) =>
    sendMessage(channel, anIntake({ practiceId, review: named(`Quillfeather${number}`, "Ana", "1971-05-09") }));
  const sent = await Promise.all([
    ...many.map((practiceId) => send(practiceId, 1)),
    ...Array.from({ length: 30 }, () => send(busy, 2)),
  ]);
  expect(sent.every(({ ok }) => ok)).toBe(true);
  await indexNewCases(store);
  expect(await foundBy(await aPerson(store, { practices: many }), "quillfeather1")).toHaveLength(40);
  expect(await foundBy(await aPerson(store, { practices: [busy] }), "quillfeather2")).toHaveLength(30);
});
