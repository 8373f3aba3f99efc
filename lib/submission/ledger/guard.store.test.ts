import { afterAll, beforeAll, expect, test } from "vitest";
import pg from "pg";
import { pino } from "pino";
import type { SignedHead } from "#lib/audit/heads";
import { inTransaction, type Store, unscoped } from "#lib/db/db";
import { forPractices } from "#lib/db/for-practices";
import { readDatabaseIdentity } from "#lib/db/fence";
import { aHeldTask, aPractice, aStore, keyPepper, receiptKey, sealingKey } from "#test/support/cases/cases";
import { dropClone, freshDatabase, superuserUrl, type TestDatabase } from "#test/support/database/fresh-database";
import { aLedger } from "#test/support/database/ledgers";
import { openWholeStore } from "#test/support/database/whole-store";
import { openGuard } from "./guard.ts";
import { openWriter } from "./ledger-files.ts";

let database: TestDatabase;
let store: Store;
const elsewhere = aStore();

beforeAll(async () => {
  database = await freshDatabase();
  store = openWholeStore({ url: database.appUrl, sealingKey, receiptKey, keyPepper, connectionsMax: 8 });
});
afterAll(async () => {
  await Promise.all([store.close(), elsewhere.close()]);
  await dropClone(database);
});

async function aGuard(folder: string, heads: readonly SignedHead[] = []) {
  const guard = await openGuard({ store: unscoped(store), log: pino({ level: "silent" }), folder, heads });
  await guard.check();
  return guard;
}

/** What the fence of a guard says in a transaction of this database. */
function fenced(guard: Awaited<ReturnType<typeof aGuard>>, practiceId: string, on = store) {
  return inTransaction(forPractices(on, [practiceId]), (tx) => guard.fence(tx, practiceId));
}

test("a copy of the cluster's files from before holds again what was released in it; the same database does not", async () => {
  const { practiceId } = await aHeldTask(store);
  const { identity, lsn } = await readDatabaseIdentity(store);
  const noted = async (seenLsn: bigint) => {
    const folder = await aLedger(store);
    const writer = await openWriter(folder, "places");
    const at = Date.now() + 1_000;
    await writer.write([{ kind: "database", at, identity, lsn: String(seenLsn), since: 5 }]);
    await writer.close();
    const guard = await aGuard(folder);
    const says = await fenced(guard, practiceId);
    await guard.close();
    return says;
  };
  const began = Date.now();
  expect(await noted(lsn)).toEqual({ isTrusted: true, heldBefore: new Date(5) });
  const behind = await noted(lsn + 1_000_000_000_000n);
  expect(behind.isTrusted && behind.heldBefore.getTime()).toBeGreaterThan(began - 1_000);
});

test("in the transaction of a submission, a database that has lost the last entry since it was compared is not trusted", async () => {
  const { practiceId } = await aHeldTask(store);
  const guard = await aGuard(await aLedger(store));
  expect(await fenced(guard, practiceId)).toMatchObject({ isTrusted: true });
  const superuser = new pg.Client({ connectionString: superuserUrl(database) });
  await superuser.connect();
  await superuser.query("ALTER TABLE audit_entry DISABLE TRIGGER USER");
  await superuser.query("DELETE FROM audit_entry WHERE chain = $1", [practiceId]);
  await superuser.query("ALTER TABLE audit_entry ENABLE TRIGGER USER");
  await superuser.end();
  expect(await fenced(guard, practiceId)).toEqual({ isTrusted: false });
  await guard.close();
});

test("in the transaction of a submission, another database than the one compared is not trusted, whatever it has", async () => {
  const guard = await aGuard(await aLedger(store));
  const practiceId = await aPractice(elsewhere);
  expect(await fenced(guard, practiceId)).toMatchObject({ isTrusted: true });
  expect(await fenced(guard, practiceId, elsewhere)).toEqual({ isTrusted: false });
  await guard.close();
});

test("a signed head of an entry that the database lacks stops its chain, though the ledger has not seen it", async () => {
  const practiceId = await aPractice(store);
  const head = { chain: practiceId, seq: 99, hash: "f".repeat(64), at: new Date().toISOString() };
  // Safe because signatures are checked where heads are read, before the guard.
  const guard = await aGuard(await aLedger(store), [head as SignedHead]);
  expect(guard.isStopped(practiceId)).toBe(true);
  expect(await fenced(guard, practiceId)).toEqual({ isTrusted: false });
  await guard.close();
});

test("a head signed before its chain was recovered stops nothing any more", async () => {
  const practiceId = await aPractice(store);
  const folder = await aLedger(store);
  const writer = await openWriter(folder, "recovered");
  await writer.write([{ kind: "recovered", at: Date.now(), chain: practiceId }]);
  await writer.close();
  const head = { chain: practiceId, seq: 99, hash: "f".repeat(64), at: new Date(Date.now() - 60_000).toISOString() };
  // Safe as above.
  const guard = await aGuard(folder, [head as SignedHead]);
  expect(guard.isStopped(practiceId)).toBe(false);
  await guard.close();
});
