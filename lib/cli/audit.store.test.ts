import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPractice } from "#lib/practice/create-practice";
import { resumePractice, suspendPractice } from "#lib/practice/suspend-practice";
import { verifyAuditLog } from "#lib/audit/verify-audit-log";
import { readHeadFiles } from "#lib/audit/head-files";
import { openSigningKey } from "#lib/platform/signing-keys";
import { type Store, unscoped } from "#lib/db/db";
import { openWholeStore } from "#test/support/database/whole-store";
import { findBadGuards } from "#lib/audit/shared/audit-guards";
import { auditRounds } from "#lib/audit/audit-rounds";
import { dropClone, freshDatabase, superuserUrl, type TestDatabase } from "#test/support/database/fresh-database";
import { commandLine, jsonOf, sealingKey, type Pa } from "#test/support/processes/pa";

let database: TestDatabase;
let store: Store;
let pa: Pa;
let superuser: pg.Client;
const folder = mkdtempSync(join(tmpdir(), "heads-"));
const seed = Buffer.alloc(32, 5);
const log = pino({ level: "silent" });
const signer = openSigningKey(seed);
const keyFile = join(folder, "keys.json");
writeFileSync(keyFile, JSON.stringify({ keys: [signer.key] }));

beforeAll(async () => {
  database = await freshDatabase();
  pa = commandLine(database);
  store = openWholeStore({ url: database.appUrl, sealingKey, connectionsMax: 4 });
  superuser = new pg.Client({ connectionString: superuserUrl(database) });
  await superuser.connect();
});
afterAll(async () => {
  await superuser.end();
  await store.close();
  await dropClone(database);
  rmSync(folder, { recursive: true });
});

type PrintedEntry = { readonly chain?: string; readonly seq?: number; readonly act?: string };

const ctx = () => ({ actor: { kind: "operator" }, store }) as const;
const numbered = (from: number, to: number) => `UPDATE audit_entry SET seq = ${to} WHERE chain = $1 AND seq = ${from}`;

/** Recomputes the hashes of an entry over its current content, as a skilled attacker would. */
const rehashed = (seq: number) => [
  `UPDATE audit_entry a SET prev_hash = coalesce((SELECT hash FROM audit_entry b WHERE b.chain = a.chain AND b.seq = a.seq - 1), ''),
          content_hash = audit_content_hash(salt, at, actor, act, task_id, detail) WHERE chain = $1 AND seq = ${seq}`,
  `UPDATE audit_entry SET hash = audit_link_hash(prev_hash, chain, seq, content_hash) WHERE chain = $1 AND seq = ${seq}`,
];
const edited = (seq: number) => `UPDATE audit_entry SET detail = '{"x":1}' WHERE chain = $1 AND seq = ${seq}`;
const emptied = (seq: number) =>
  `UPDATE audit_entry SET actor = '', act = 'purged', detail = '{}', salt = NULL WHERE chain = $1 AND seq = ${seq}`;

/** What the owner of the tables may append, as the worker does after a purge. */
const purged = (through: number, days: number) =>
  `SELECT audit_append($1, 'worker', 'audit.purged', NULL, '{"days":${days},"from":1,"through":${through}}')`;
/** The stored time of an emptied entry is covered by no hash. */
const aged = (seq: number, days: number) =>
  `UPDATE audit_entry SET at = at - interval '${days} days' WHERE chain = $1 AND seq = ${seq}`;

type Tampering = readonly [what: string, statements: readonly string[], seq: number, problem: string];

/** What a superuser could do to the audit log, and where it is found. */
const tampering: readonly Tampering[] = [
  ["an edited entry", [edited(3)], 3, "edited"],
  ["an edited time", ["UPDATE audit_entry SET at = at + interval '1 h' WHERE chain = $1 AND seq = 2"], 2, "edited"],
  ["another actor", ["UPDATE audit_entry SET actor = 'worker' WHERE chain = $1 AND seq = 4"], 4, "edited"],
  ["another salt", ["UPDATE audit_entry SET salt = gen_random_uuid() WHERE chain = $1 AND seq = 1"], 1, "edited"],
  ["an edited entry with its own hashes made anew", [edited(2), ...rehashed(2)], 2, "edited"],
  ["a removed entry", ["DELETE FROM audit_entry WHERE chain = $1 AND seq = 2"], 2, "missing"],
  ["a removed first entry", ["DELETE FROM audit_entry WHERE chain = $1 AND seq = 1"], 1, "missing"],
  [
    "a removed entry, the rest moved up",
    ["DELETE FROM audit_entry WHERE chain = $1 AND seq = 2", numbered(3, 2), numbered(4, 3)],
    2,
    "edited",
  ],
  ["a reordered pair", [numbered(2, 99), numbered(3, 2), numbered(99, 3)], 2, "reordered"],
  ["an entry emptied against the policy", [emptied(2)], 2, "emptied"],
  ["entries emptied under a recorded purge, too young for any", [emptied(1), emptied(2), purged(2, 365)], 1, "emptied"],
  ["entries that a purge took before a year", [aged(1, 40), emptied(1), purged(1, 30)], 1, "emptied"],
  ["an entry emptied after one that was not", [aged(2, 400), emptied(2), purged(2, 365)], 2, "emptied"],
];

/** Tampering that only an earlier signed head reveals. */
const tamperingWithTheEnd: readonly Tampering[] = [
  ["a cut end", ["DELETE FROM audit_entry WHERE chain = $1 AND seq > 2"], 3, "cut"],
  ["a chain removed as a whole", ["DELETE FROM audit_entry WHERE chain = $1"], 1, "cut"],
  ["an end made anew, hashes and all", [edited(3), ...rehashed(3), ...rehashed(4)], 3, "rewritten"],
];

test("an untouched audit log is intact, and the head of each chain is shown", async () => {
  const chain = await aChainOfFour();
  const ran = await pa(["audit", "verify"]);
  expect(ran).toMatchObject({ code: 0, err: "" });
  const head = new RegExp(`^${chain} +4 +0 +0 +([0-9a-f]{64}) +whole$`, "m").exec(ran.out)?.[1];
  expect(await jsonOf(pa, ["audit", "verify", "--chain", chain])).toEqual({
    ok: true,
    chains: [{ chain, entries: 4, purged: 0, heads: 0, head }],
    guards: [],
    replay: { tasks: 0, before: 0, faults: [] },
  });
});

test.each(tampering)("%s is found and named", async (_, statements, seq, problem) => {
  const chain = await aChainOfFour();
  await tamper(statements, chain);
  expect(await brokenOf(chain)).toMatchObject({ seq, problem });
});

describe("with signed heads kept elsewhere", () => {
  test.each(tamperingWithTheEnd)("%s is found and named", async (_, statements, seq, problem) => {
    const own = mkdtempSync(join(folder, "own-"));
    const chain = await aChainOfFour({ afterTwo: () => round(own) });
    await round(own);
    expect(await brokenOf(chain, own)).toBeUndefined();
    await tamper(statements, chain);
    expect(await brokenOf(chain, own)).toMatchObject({ seq, problem, through: 4 });
  });

  test("an entry emptied under an earlier time than its own is found by the head before it", async () => {
    const own = mkdtempSync(join(folder, "own-"));
    const chain = await aChainOfFour({ afterTwo: () => round(own) });
    const statements = [1, 2, 3].flatMap((seq) => [aged(seq, 400), emptied(seq)]);
    await tamper([...statements, purged(3, 365)], chain);
    expect(await brokenOf(chain, own)).toMatchObject({ seq: 3, problem: "emptied", through: 3 });
  });

  test("the command names it too, and an altered head, and its exit code is 1", async () => {
    const own = mkdtempSync(join(folder, "own-"));
    const chain = await aChainOfFour();
    await round(own);
    const args = ["audit", "verify", "--chain", chain, "--heads", own, "--key", keyFile];
    expect(await jsonOf(pa, args)).toMatchObject({
      ok: true,
      chains: [{ chain, heads: 1 }],
      heads: { files: 1, bad: [] },
    });
    await tamper(["DELETE FROM audit_entry WHERE chain = $1 AND seq = 4"], chain);
    const ran = await pa(args);
    expect(ran.code).toBe(1);
    expect(ran.out).toMatch(
      new RegExp(`^${chain} +3 +0 +0 +[0-9a-f]{64} +cut off from entry 4 on; a signed head names 4$`, "m"),
    );
    expect(ran.out).toContain("The audit log was tampered with");
    const [name = ""] = readdirSync(own);
    writeFileSync(join(own, name), readFileSync(join(own, name), "utf8").replaceAll('"seq":4', '"seq":3'));
    expect((await pa(args)).out).toMatch(new RegExp(`^${name}:\\d was changed: its signature doesn't match\\.$`, "m"));
  });

  test("the command prints no key where it has none, and checks no heads by none", async () => {
    expect(await pa(["audit", "key"])).toEqual({
      ...{ code: 1, out: "" },
      err: "AUDIT_SIGNING_KEY is not set here: run this with the settings of a worker.\n",
    });
    const printed = await pa(["audit", "key"], "", { AUDIT_SIGNING_KEY: seed.toString("base64") });
    expect(JSON.parse(printed.out)).toEqual({ keys: [signer.key] });
    const unkeyed = await pa(["audit", "verify", "--heads", folder]);
    expect(unkeyed).toMatchObject({ code: 1, out: "", err: expect.stringContaining("--key") });
  });

  test("the command names every kind of tampering by a superuser at its first bad entry, in one run over all chains", async () => {
    const own = mkdtempSync(join(folder, "own-"));
    const [edit, gone, moved, cut, removed] = [
      await aChainOfFour(),
      await aChainOfFour(),
      await aChainOfFour(),
      await aChainOfFour(),
      await aChainOfFour(),
    ];
    await round(own);
    await tamper([edited(2), edited(3)], edit);
    await tamper(["DELETE FROM audit_entry WHERE chain = $1 AND seq IN (2, 3)"], gone);
    await tamper([numbered(2, 99), numbered(3, 2), numbered(99, 3)], moved);
    await tamper(["DELETE FROM audit_entry WHERE chain = $1 AND seq > 2"], cut);
    await tamper(["DELETE FROM audit_entry WHERE chain = $1"], removed);
    await superuser.query("ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_no_change");
    const ran = await pa(["audit", "verify", "--heads", own, "--key", keyFile]);
    await superuser.query("ALTER TABLE audit_entry ENABLE TRIGGER audit_entry_no_change");
    expect(ran.code).toBe(1);
    const lineOf = (chain: string) => new RegExp(`^${chain} .*$`, "m").exec(ran.out)?.[0] ?? "";
    expect(lineOf(edit)).toMatch(/entry 2 was edited$/);
    expect(lineOf(gone)).toMatch(/entry 2 is missing$/);
    expect(lineOf(moved)).toMatch(/entry 2 was moved$/);
    expect(lineOf(cut)).toMatch(/cut off from entry 3 on; a signed head names 4$/);
    expect(lineOf(removed)).toMatch(/cut off from entry 1 on; a signed head names 4$/);
    expect(ran.out).toMatch(/audit_entry_no_change is switched off\.$/m);
  });

  test("a broken chain never gets another signed head", async () => {
    const own = mkdtempSync(join(folder, "own-"));
    const chain = await aChainOfFour();
    await tamper([edited(2)], chain);
    const rounds = auditRounds({ store: unscoped(store), log: log, heads: { folder: own, signer } });
    for (let n = 0; n < 2; n += 1) await rounds(new AbortController().signal);
    expect((await readHeadFiles(own, [signer.key])).places.get(chain)).toBeUndefined();
    expect(await store.prisma.auditChain.findUnique({ where: { chain } })).toMatchObject({
      badSeq: 2n,
      problem: "edited",
    });
  });

  test("with a log collector each entry is logged once, and of a broken chain the entries before the break", async () => {
    const lines: string[] = [];
    const response = pino({ base: null }, { write: (line) => void lines.push(line) });
    const rounds = auditRounds({ store: unscoped(store), log: response, logsEntries: true });
    const [chain, broken] = [await aChainOfFour(), await aChainOfFour()];
    await tamper([edited(3)], broken);
    for (let n = 0; n < 2; n += 1) await rounds(new AbortController().signal);
    const printedOf = (of: string) =>
      lines
        .map((line) => JSON.parse(line) as PrintedEntry)
        .filter((line) => line.chain === of && line.act !== undefined);
    expect(printedOf(chain).map(({ seq, act }) => `${seq} ${act}`)).toEqual([
      "1 practice.created",
      "2 practice.suspended",
      "3 practice.resumed",
      "4 practice.suspended",
    ]);
    expect(printedOf(chain)[0]).toMatchObject({
      actor: "operator",
      hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
    expect(printedOf(broken).map(({ seq }) => seq)).toEqual([1, 2]);
  });

  test("a chain is verified from its first entry once a day, also where each worker lives shorter than that", async () => {
    const own = mkdtempSync(join(folder, "own-"));
    const chain = await aChainOfFour();
    await round(own);
    await tamper([edited(2)], chain);
    await round(own);
    expect(await store.prisma.auditChain.findUnique({ where: { chain } })).toMatchObject({ badSeq: null });
    await store.prisma.auditChain.update({ where: { chain }, data: { wholeAt: new Date(Date.now() - 86_400_000) } });
    await round(own);
    expect(await store.prisma.auditChain.findUnique({ where: { chain } })).toMatchObject({ badSeq: 2n });
  });

  test("a round without new entries writes no file", async () => {
    const own = mkdtempSync(join(folder, "own-"));
    await aChainOfFour();
    const rounds = auditRounds({ store: unscoped(store), log: log, heads: { folder: own, signer } });
    for (let n = 0; n < 3; n += 1) await rounds(new AbortController().signal);
    expect(readdirSync(own)).toHaveLength(1);
  });
});

const weakenings = [
  [
    "a disabled trigger",
    "ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_no_change",
    "audit_entry_no_change",
    "disabled",
  ],
  ["a dropped trigger", "DROP TRIGGER audit_entry_no_truncate ON audit_entry", "audit_entry_no_truncate", "missing"],
  [
    "a trigger that lets pass",
    "CREATE OR REPLACE FUNCTION audit_refuse() RETURNS TRIGGER LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
    "audit_refuse",
    "changed",
  ],
  [
    "triggers passed by",
    `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET session_replication_role = replica', current_database()); END $$`,
    "session_replication_role",
    "changed",
  ],
] as const;

test.each(weakenings)("%s is found and named", async (_, sql, guard, problem) => {
  await superuser.query("BEGIN");
  try {
    await superuser.query(sql);
    const seen = { ...store, pool: superuser } as unknown as Store;
    const bad = await findBadGuards(seen);
    expect(bad.filter((one) => one.guard !== "the application's rights")).toEqual([{ guard, problem }]);
  } finally {
    await superuser.query("ROLLBACK");
  }
});

async function aChainOfFour({ afterTwo = async () => {} }: { afterTwo?: () => Promise<void> } = {}): Promise<string> {
  const practiceId = `chain-${crypto.randomUUID().slice(0, 8)}`;
  await createPractice(ctx(), { id: practiceId, name: "Chain" });
  await suspendPractice(ctx(), { practiceId });
  await afterTwo();
  await resumePractice(ctx(), { practiceId });
  await suspendPractice(ctx(), { practiceId });
  return practiceId;
}

async function round(own: string): Promise<void> {
  await auditRounds({ store: unscoped(store), log: log, heads: { folder: own, signer } })(new AbortController().signal);
}

async function brokenOf(chain: string, own?: string) {
  const heads = own === undefined ? undefined : (await readHeadFiles(own, [signer.key])).places;
  const found = await verifyAuditLog(ctx(), { chain, heads });
  if (!found.ok) throw new Error("The operator may verify.");
  expect(found.value.guards).toEqual([]);
  return found.value.chains[0]?.broken;
}

/** Runs a statement as a superuser, with the triggers disabled. */
async function tamper(statements: readonly string[], chain: string): Promise<void> {
  await superuser.query("ALTER TABLE audit_entry DISABLE TRIGGER USER");
  for (const sql of statements) await superuser.query(sql, [chain]);
  await superuser.query("ALTER TABLE audit_entry ENABLE TRIGGER USER");
}
