import { afterAll, beforeAll, expect, test } from "vitest";
import pg from "pg";
import { createPractice } from "#lib/admin/create-practice";
import { resumePractice, suspendPractice } from "#lib/admin/suspend-practice";
import { openStore, type Store } from "#lib/store/db";
import { dropClone, freshDatabase, type TestDatabase } from "#test/database";
import { commandLine, jsonOf, sealingKey, type Pa } from "#test/pa";

let database: TestDatabase;
let store: Store;
let pa: Pa;

beforeAll(async () => {
  database = await freshDatabase();
  pa = commandLine(database);
  store = openStore({ url: database.appUrl, sealingKey, connectionsMax: 4 });
});
afterAll(async () => {
  await store.close();
  await dropClone(database);
});

const numbered = (from: number, to: number) => `UPDATE audit_entry SET seq = ${to} WHERE chain = $1 AND seq = ${from}`;

/** What somebody with the owner's rights could do to the record, and where it shows. */
const tampering = [
  ["an edited entry", [`UPDATE audit_entry SET detail = '{"x":1}' WHERE chain = $1 AND seq = 3`], 3, "edited"],
  ["an edited time", ["UPDATE audit_entry SET at = at + interval '1 h' WHERE chain = $1 AND seq = 2"], 2, "edited"],
  ["another actor", ["UPDATE audit_entry SET actor = 'worker' WHERE chain = $1 AND seq = 4"], 4, "edited"],
  ["a removed entry", ["DELETE FROM audit_entry WHERE chain = $1 AND seq = 2"], 2, "missing"],
  ["a removed first entry", ["DELETE FROM audit_entry WHERE chain = $1 AND seq = 1"], 1, "missing"],
  ["a reordered pair", [numbered(2, 99), numbered(3, 2), numbered(99, 3)], 2, "reordered"],
] as const;

test("a record nobody touched is whole, and each chain's head is told", async () => {
  const chain = await aChainOfFour();
  const ran = await pa(["audit", "verify"]);
  expect(ran).toMatchObject({ code: 0, err: "" });
  const head = new RegExp(`^${chain} +4 +([0-9a-f]{64}) +whole$`, "m").exec(ran.out)?.[1];
  expect(await jsonOf(pa, ["audit", "verify", "--chain", chain])).toEqual({
    ok: true,
    chains: [{ chain, entries: 4, head }],
  });
});

test("what was tampered with is told to people too", async () => {
  const chain = await aChainOfFour();
  await tamper(["DELETE FROM audit_entry WHERE chain = $1 AND seq = 2"], chain);
  const ran = await pa(["audit", "verify"]);
  expect(ran.out).toMatch(new RegExp(`^${chain} +3 +[0-9a-f]{64} +entry 2 is missing$`, "m"));
  expect(ran.out).toContain("The record was tampered with");
});

test.each(tampering)("%s is found and named, and the exit code is 1", async (_, statements, seq, problem) => {
  const chain = await aChainOfFour();
  await tamper(statements, chain);
  const ran = await pa(["audit", "verify", "--chain", chain, "--json"]);
  expect(ran.code).toBe(1);
  expect(JSON.parse(ran.out)).toMatchObject({ ok: false, chains: [{ chain, broken: { seq, problem } }] });
});

async function aChainOfFour(): Promise<string> {
  const ctx = { actor: { kind: "operator" }, store } as const;
  const practiceId = `chain-${crypto.randomUUID().slice(0, 8)}`;
  await createPractice(ctx, { id: practiceId, name: "Chain" });
  await suspendPractice(ctx, { practiceId });
  await resumePractice(ctx, { practiceId });
  await suspendPractice(ctx, { practiceId });
  return practiceId;
}

/** As the owner, with the trigger out of the way. */
async function tamper(statements: readonly string[], chain: string): Promise<void> {
  const owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  try {
    await owner.query("ALTER TABLE audit_entry DISABLE TRIGGER USER");
    for (const sql of statements) await owner.query(sql, [chain]);
    await owner.query("ALTER TABLE audit_entry ENABLE TRIGGER USER");
  } finally {
    await owner.end();
  }
}
