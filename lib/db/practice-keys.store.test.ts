import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { aHeldTask, aPractice, keyPepper } from "#test/support/cases/cases";
import { dropClone, freshDatabase, type TestDatabase } from "#test/support/database/fresh-database";
import { type Store } from "./db.ts";
import { openWholeStore } from "#test/support/database/whole-store";
import { assert } from "#lib/platform/result";
import { createKeyRing, KeyRingError } from "#lib/platform/key-ring";
import { sealText } from "./seal.ts";
import { sealedColumns } from "./sealed-columns.ts";

const [first, second] = [randomBytes(32), randomBytes(32)];
const opened: Store[] = [];
let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(async () => {
  await Promise.all(opened.map((store) => store.close()));
  await dropClone(database);
});

function storeWith(...keys: readonly Uint8Array[]): Store {
  return storeOf(database, keys);
}

function storeOf({ appUrl }: TestDatabase, keys: readonly Uint8Array[]): Store {
  const store = openWholeStore({ url: appUrl, sealingKey: createKeyRing(keys), connectionsMax: 4 });
  opened.push(store);
  return store;
}

const place = (practiceId: string) => ({ table: "task", column: "patient", row: "r1", practiceId });

test("each practice has a key of its own, which is in the database only wrapped", async () => {
  const store = storeWith(first);
  const [elm, oak] = [await aPractice(store), await aPractice(store)];
  const sealed = sealText(store.sealer, "Okafor", place(elm));
  const keys = await store.prisma.practiceKey.findMany({ where: { practiceId: { in: [elm, oak] } } });
  expect(keys.map(({ use, version }) => `${use} ${version}`).sort()).toEqual(["find 1", "find 1", "seal 1", "seal 1"]);
  expect(new Set(keys.map(({ wrapped }) => Buffer.from(wrapped).toString("hex"))).size).toBe(4);
  expect(() => store.sealer.open(sealed, place(oak))).toThrow("authenticate");
  expect(store.sealer.memberHash("W1", elm)).not.toEqual(store.sealer.memberHash("W1", oak));
});

test("what one process sealed opens in every other, however many first needed the practice's key at once", async () => {
  const stores = Array.from({ length: 6 }, () => storeWith(first));
  const id = `race-${randomBytes(4).toString("hex")}`;
  await stores[0]?.prisma.practice.create({ data: { id, name: "Race" } });
  await Promise.all(stores.map(async (store) => store.keys.ready([id])));
  for (const { sealer } of stores) {
    const sealed = sealText(sealer, "Okafor", place(id));
    for (const other of stores) expect(Buffer.from(other.sealer.open(sealed, place(id))).toString()).toBe("Okafor");
  }
  expect(new Set(stores.map(({ sealer }) => Buffer.from(sealer.memberHash("W1", id)).toString("hex"))).size).toBe(1);
});

test("documents are compressed with the dictionary from the time on that the database names, and before so that the release before opens them", async () => {
  const formats = async () => {
    const store = storeWith(first);
    const practiceId = await aPractice(store);
    const at = { table: "revision", column: "service_review", row: "r1", practiceId };
    const document = JSON.stringify(Array.from({ length: 100 }, (_, line) => ({ line, code: "72148" })));
    return [document, "short"].map((text) => sealText(store.sealer, text, at)[0]);
  };
  const owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  onTestFinished(() => owner.end());
  expect(await formats()).toEqual([4, 2]);
  await owner.query("UPDATE seal_format SET written_from = clock_timestamp() + interval '1 day'");
  expect(await formats()).toEqual([3, 2]);
  await owner.query("UPDATE seal_format SET written_from = clock_timestamp()");
  expect(await formats()).toEqual([4, 2]);
});

test("a start without this database's key is refused, and says so without any key", async () => {
  await storeWith(first).keys.prove();
  const wrong = storeWith(second);
  const refused = await wrong.keys.prove().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(KeyRingError);
  expect(String(refused)).toBe(
    "Error: The sealing key is not this database's: set SEALING_KEY, or the file in SEALING_KEY_FILE, to the key it was made with. A database restored from before `pa key wrap` needs the key that led the ring then.",
  );
  await expect(storeWith(second, first).keys.prove()).resolves.toBeUndefined();
});

test("server, worker and command line end at once, with a sentence and no key, where the key is another database's or missing", async () => {
  await storeWith(first).keys.prove();
  const secret = () => randomBytes(32).toString("base64");
  const { SEALING_KEY: _, SEALING_KEY_FILE: __, ...rest } = process.env;
  const env = {
    ...rest,
    ...{ NODE_ENV: "production", APP_DATABASE_URL: database.appUrl, PORT: "1", PUBLIC_URL: "http://localhost:1" },
    ...{ NEXTAUTH_SECRET: secret(), RECEIPT_SIGNING_KEY: secret(), CHANNEL_KEY_PEPPER: secret() },
  } as NodeJS.ProcessEnv;
  const wrong = second.toString("base64");
  const another = "The sealing key is not this database's";
  const starts = [
    { args: ["server.ts"], given: { SEALING_KEY: wrong }, expected: another },
    { args: ["lib/worker/main.ts"], given: { SEALING_KEY: wrong }, expected: another },
    { args: ["lib/cli/main.ts", "practice", "list"], given: {}, expected: "SEALING_KEY must be set" },
  ];
  await Promise.all(
    starts.map(async ({ args, given, expected }) => {
      const { code, text } = await ended(args, { ...env, ...given });
      expect(code, `${args[0]}: ${text}`).toBe(1);
      expect(text, args[0]).toContain(expected);
      expect(text).not.toContain(wrong);
    }),
  );
}, 60_000);

/** What a program of ours ends with, and all it wrote. */
async function ended(args: readonly string[], env: NodeJS.ProcessEnv): Promise<{ code: number | null; text: string }> {
  const child = spawn(process.execPath, ["--conditions=react-server", ...args], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const written: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => written.push(String(chunk)));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, text: written.join("") };
}

test("a running process whose ring lacks the key that a practice's new key is wrapped by fails for that key alone", async () => {
  const own = await freshDatabase();
  const [earlier, later, late] = [[first], [second, first], [first]].map((keys) => storeOf(own, keys));
  assert(earlier && later && late, "as many stores as rings");
  const [elm, oak] = [await aPractice(earlier), `new-${randomBytes(4).toString("hex")}`];
  await earlier.keys.prove();
  await later.prisma.practice.create({ data: { id: oak, name: "Oak" } });
  await later.keys.ready([oak]);
  const sealed = sealText(later.sealer, "Okafor", place(oak));
  await earlier.keys.reload();
  await earlier.keys.ready([elm, oak]);
  expect(Buffer.from(earlier.sealer.open(sealText(later.sealer, "Reyes", place(elm)), place(elm))).toString()).toBe(
    "Reyes",
  );
  expect(() => earlier.sealer.open(sealed, place(oak))).toThrow("does not open with SEALING_KEY");
  expect(() => sealText(earlier.sealer, "Okafor", place(oak))).toThrow("does not open with SEALING_KEY");
  await expect(late.keys.prove()).rejects.toThrow("not this database's");
});

test("a wrapped key moved to another practice, or changed, opens nothing", async () => {
  const store = storeWith(first);
  const [elm, oak] = [await aPractice(store), await aPractice(store)];
  const { prisma } = store;
  const sealing = (practiceId: string) => ({ practiceId_use_version: { practiceId, use: "seal", version: 1 } });
  const { wrapped: own } = await prisma.practiceKey.findUniqueOrThrow({ where: sealing(oak) });
  const { wrapped } = await prisma.practiceKey.findUniqueOrThrow({ where: sealing(elm) });
  await prisma.practiceKey.update({ where: sealing(oak), data: { wrapped } });
  await expect(storeWith(first).keys.prove()).rejects.toThrow("changed or moved");
  await prisma.practiceKey.update({ where: sealing(oak), data: { wrapped: own } });
  await expect(storeWith(first).keys.prove()).resolves.toBeUndefined();
});

test("ciphertext copied over another row's, column's or practice's does not open", async () => {
  const store = openWholeStore({ url: database.appUrl, sealingKey: first, keyPepper, connectionsMax: 4 });
  opened.push(store);
  const [one, other] = [await aHeldTask(store), await aHeldTask(store)];
  const review = (taskId: string) => ({ taskId_number: { taskId, number: 1 } });
  const { serviceReview } = await store.prisma.revision.findUniqueOrThrow({ where: review(one.taskId) });
  const at = { table: "revision", column: "service_review", row: `${one.taskId}/1`, practiceId: one.practiceId };
  expect(store.sealer.open(serviceReview, at).length).toBeGreaterThan(0);
  for (const moved of [
    { row: `${other.taskId}/1` },
    { column: "calls", table: "gate" },
    { practiceId: other.practiceId },
  ])
    expect(() => store.sealer.open(serviceReview, { ...at, ...moved })).toThrow("authenticate");
});

test("every column of bytes in a practice's tables is one that is sealed, a hash, or a receipt, which names no patient", async () => {
  const { rows } = await storeWith(first).pool.query<{ name: string }>(
    `SELECT c.table_name || '.' || c.column_name AS name FROM information_schema.columns c
       JOIN information_schema.columns p ON p.table_name = c.table_name AND p.column_name = 'practice_id'
      WHERE c.table_schema = 'public' AND c.data_type = 'bytea' AND c.table_name <> 'practice_key'`,
  );
  const others = new Set(["task.member_hash", "case_token.token", "decision_receipt.packed"]);
  const names = rows.map(({ name }) => name).filter((name) => !others.has(name));
  expect(names.sort()).toEqual(sealedColumns.map(({ table, column }) => `${table}.${column}`).sort());
});
