import { v7 as uuidv7 } from "uuid";
import { afterAll, expect, test } from "vitest";
import { verifyAudit } from "./audit-chain.ts";
import { aStore } from "#test/support/cases/cases";

const store = aStore();
afterAll(() => store.close());

type NewEntry = { readonly chain: string; readonly actor: string; readonly taskId: string; readonly detail: string };

const aChain = () => `append-${uuidv7()}`;

function anEntry(chain: string, number: number): NewEntry {
  return { chain, actor: `channel:${number}`, taskId: uuidv7(), detail: `{"n":${number},"text":"é \\" \\\\"}` };
}

async function appendEach(given: readonly NewEntry[]): Promise<unknown> {
  const text = "SELECT audit_append_each($1, $2, 'task.opened', $3, $4) AS count";
  const columns = (["chain", "actor", "taskId", "detail"] as const).map((name) => given.map((entry) => entry[name]));
  return (await store.pool.query<{ count: number }>(text, columns)).rows[0]?.count;
}

async function appendOne({ chain, actor, taskId, detail }: NewEntry): Promise<void> {
  await store.pool.query("SELECT audit_append($1, $2, 'task.opened', $3, $4)", [chain, actor, taskId, detail]);
}

async function expectChain(chain: string, given: readonly NewEntry[]): Promise<void> {
  const entries = await store.prisma.auditEntry.findMany({ where: { chain }, orderBy: { seq: "asc" } });
  expect(entries.map(({ actor, taskId, detail }) => ({ chain, actor, taskId: taskId ?? "", detail }))).toEqual(given);
  expect(entries.map(({ seq }) => Number(seq))).toEqual(given.map((_, index) => index + 1));
  expect(new Set(entries.map(({ salt }) => salt)).size).toBe(given.length);
  expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).sort((a, b) => a.getTime() - b.getTime()));
  const [report] = await verifyAudit(store, chain);
  expect(report).toMatchObject({ entries: given.length });
  expect(report?.broken).toBeUndefined();
}

test("entries of many chains appended together follow each from the one before, in the order given", async () => {
  const [one, two, three] = [aChain(), aChain(), aChain()];
  const before = anEntry(one, 0);
  await appendOne(before);
  const given = [two, one, three, one, two, one].map((chain, index) => anEntry(chain, index + 1));
  expect(await appendEach(given)).toBe(6);
  const after = anEntry(two, 7);
  await appendOne(after);
  const of = (wanted: string) => given.filter(({ chain }) => chain === wanted);
  await expectChain(one, [before, ...of(one)]);
  await expectChain(two, [...of(two), after]);
  await expectChain(three, of(three));
});

test("no entries are none", async () => {
  expect(await appendEach([])).toBe(0);
});

test("chains appended to one by one and together at once, in opposite orders, hold and lose nothing", async () => {
  const chains = [aChain(), aChain(), aChain()];
  const entries = (round: number) => chains.map((chain) => anEntry(chain, round));
  await Promise.all(
    Array.from({ length: 12 }, async (_, round) => {
      if (round % 3 === 0) return Promise.all(entries(round).map(appendOne));
      return appendEach(round % 3 === 1 ? entries(round) : entries(round).toReversed());
    }),
  );
  for (const [report] of await Promise.all(chains.map((chain) => verifyAudit(store, chain)))) {
    expect(report).toMatchObject({ entries: 12 });
    expect(report?.broken).toBeUndefined();
  }
});
