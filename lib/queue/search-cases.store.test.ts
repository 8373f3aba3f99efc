import { v7 as uuidv7 } from "uuid";
import { afterAll, describe, expect, test } from "vitest";
import { aPerson, aPractice, aStore } from "#test/support/cases/cases";
import { listedCases } from "#test/support/cases/listed-cases";
import { listQueue, type QueueQuestion } from "./list-queue.ts";
import { searchCases } from "./search-cases.ts";

const store = aStore();
afterAll(() => store.close());

const whole: QueueQuestion = { view: "all", sort: "due", filters: {} };

/** Members with a case in each of the reviewer's practices and in one that is not. */
async function aDesk() {
  const practices = [await aPractice(store), await aPractice(store)];
  const foreign = await aPractice(store);
  const made = [...practices, foreign].flatMap((practiceId) =>
    [1, 2, 3].flatMap((n) => [
      { practiceId, state: "determined", reference: `REF-${n}`, memberId: `W-${n}` } as const,
      { practiceId, state: "transmit-held", memberId: `W-${n}` } as const,
    ]),
  );
  const cases = await listedCases(store, made);
  return {
    practices,
    reviewer: await aPerson(store, { practices }),
    stranger: await aPerson(store, { practices: [foreign] }),
    cases: cases.filter((one) => one.practiceId !== foreign),
  };
}

describe("a search", () => {
  test("by short id, whole id or the payer's reference is an address of its own", async () => {
    const { reviewer, cases } = await aDesk();
    const one = cases.find(({ state }) => state === "determined");
    const id = one?.id ?? "";
    for (const typed of [id.slice(-8).toUpperCase(), ` ${id} `]) {
      expect(await searchCases(reviewer, typed)).toEqual({ ok: true, value: { text: typed.trim() } });
      expect((await listQueue(reviewer, { ...whole, text: typed.trim() })).rows).toMatchObject([{ taskId: id }]);
    }
    const { rows } = await listQueue(reviewer, { ...whole, text: one?.reference });
    expect(rows.map(({ taskId }) => taskId)).toContain(id);
  });

  test("is taken whole where it is as long as a name may be, and refused where it is longer", async () => {
    const reviewer = await aPerson(store, { practices: [await aPractice(store)] });
    const name = "x".repeat(200);
    const found = await searchCases(reviewer, name);
    const search = found.ok && "search" in found.value ? found.value.search : "";
    expect((await listQueue(reviewer, { ...whole, search })).searchedFor).toBe(name);
    expect(await searchCases(reviewer, `${name}x`)).toMatchObject({ refusal: { type: "invalid" } });
  });

  test("for a member is found in every practice of the reviewer's, and only they can open it", async () => {
    const { reviewer, stranger, cases } = await aDesk();
    const found = await searchCases(reviewer, "w 3");
    const search = found.ok && "search" in found.value ? found.value.search : "";
    expect(search).not.toBe("");
    const { rows, searchedFor } = await listQueue(reviewer, { ...whole, search }, 2000);
    expect(searchedFor).toBe("w 3");
    expect(rows).toHaveLength(cases.filter(({ memberId }) => memberId === "W-3").length);
    for (const [who, id] of [
      [stranger, search],
      [reviewer, uuidv7()],
      [reviewer, "'"],
    ] as const) {
      expect(await listQueue(who, { ...whole, search: id })).toEqual({ rows: [], searchHasEnded: true });
    }
    await store.prisma.caseSearch.update({ where: { id: search }, data: { expiresAt: new Date(0) } });
    expect(await listQueue(reviewer, { ...whole, search })).toEqual({ rows: [], searchHasEnded: true });
  });

  test("is recorded in each practice's chain without its text, and stored only encrypted", async () => {
    const { reviewer, practices } = await aDesk();
    await searchCases(reviewer, "NOBODY-7731");
    const where = { chain: { in: practices }, act: "cases.searched", actor: `person:${reviewer.actor.id}` };
    const entries = await store.prisma.auditEntry.findMany({ where });
    expect(new Set(entries.map(({ chain }) => chain))).toEqual(new Set(practices));
    const kept = await store.prisma.caseSearch.findMany({ where: { personId: reviewer.actor.id } });
    const written = JSON.stringify([
      entries.map(({ detail }) => detail),
      kept.map(({ text }) => Buffer.from(text).toString("latin1")),
    ]);
    expect(written).not.toMatch(/NOBODY|7731/);
  });

  test.each([
    ["nothing", "  "],
    ["too much", "1".repeat(201)],
    ["control characters", "a\u0007b"],
  ])("for %s is refused", async (_, typed) => {
    expect(await searchCases((await aDesk()).reviewer, typed)).toMatchObject({
      ok: false,
      refusal: { type: "invalid" },
    });
  });
});

test("by an admin who reviews for no practice is refused", async () => {
  const admin = await aPerson(store, { practices: [], roles: ["admin"] });
  expect(await searchCases(admin, "W-1")).toEqual({ ok: false, refusal: { type: "not-authorised" } });
});
