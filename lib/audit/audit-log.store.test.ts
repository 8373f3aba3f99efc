import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import pg from "pg";
import { pino } from "pino";
import type { PersonActor } from "#lib/access/model/actor";
import { appendAudit } from "#lib/audit/shared/append-audit";
import { inTransaction, type Store, unscoped } from "#lib/db/db";
import { openWholeStore } from "#test/support/database/whole-store";
import { openSigningKey } from "#lib/platform/signing-keys";
import { auditRounds } from "./audit-rounds.ts";
import { ageEntries } from "#test/support/audit/aged-entries";
import { verifiedExport } from "#test/support/audit/verified-export";
import { aHeldTask, aPerson, aPractice, keyPepper, receiptKey, sealingKey } from "#test/support/cases/cases";
import { dropClone, freshDatabase, superuserUrl, type TestDatabase } from "#test/support/database/fresh-database";
import { done, entriesOf, operator } from "#test/support/people/admin";
import { browseAuditLog, type AuditFilters, type AuditPage } from "./browse-audit-log.ts";
import { changeChannelAccess } from "#lib/channel/change-channel-access";
import { createChannel } from "#lib/channel/create-channel";
import { createPerson } from "#lib/person/create-person";
import { exportAuditLog } from "./export-audit-log.ts";
import { setRetention } from "./set-retention.ts";
import { verifyAuditLog } from "./verify-audit-log.ts";

let database: TestDatabase;
let store: Store;
let superuser: pg.Client;
const folder = mkdtempSync(join(tmpdir(), "export-"));
const signer = openSigningKey(Buffer.alloc(32, 3));

beforeAll(async () => {
  database = await freshDatabase();
  store = openWholeStore({ url: database.appUrl, sealingKey, receiptKey, keyPepper, connectionsMax: 4 });
  superuser = new pg.Client({ connectionString: superuserUrl(database) });
  await superuser.connect();
});
afterAll(async () => {
  await superuser.end();
  await store.close();
  await dropClone(database);
  rmSync(folder, { recursive: true });
});

const admin = () => ({ actor: operator, store });
const actsOf = ({ rows }: AuditPage) => rows.map(({ act }) => act);

/** Two practices with people and channels of their own and in common, and an auditor of the first. */
async function twoPractices() {
  const [here, there] = [await aPractice(store), await aPractice(store)];
  const auditor = (await aPerson(store, { practices: [here], roles: ["auditor"], name: "Ada" })).actor;
  const person = async (practices: readonly string[]) => {
    const email = `${crypto.randomUUID()}@example.org`;
    return (
      await done(createPerson(admin(), { email, roles: ["reviewer"], practices, password: "a long enough phrase 9" }))
    ).id;
  };
  const channel = async (practices: readonly string[]) => {
    const name = `Agent ${crypto.randomUUID()}`;
    return (await done(createChannel(admin(), { name, practices, atoms: ["tasks_get"] }))).id;
  };
  const people = { here: await person([here]), there: await person([there]), both: await person([here, there]) };
  const channels = { here: await channel([here]), there: await channel([there]), both: await channel([here, there]) };
  await note(here, 3);
  await note(there, 3);
  return { here, there, auditor: { actor: auditor, store }, people, channels };
}

/** Entries such as any act writes. */
async function note(chain: string, count: number, actor: PersonActor | typeof operator = operator): Promise<void> {
  for (let n = 0; n < count; n += 1)
    await inTransaction(store, (tx) =>
      appendAudit(tx, { chain, actor, act: "practice.settings-changed", detail: { n } }),
    );
}

describe("an auditor of one practice", () => {
  test("sees its entries, and of the shared chains only the entries that concern no other practice", async () => {
    const { here, there, auditor, people, channels } = await twoPractices();
    const { rows, practices } = await done(browseAuditLog(auditor, { practiceId: here }));
    expect(practices.map(({ id }) => id)).toEqual([here]);
    const text = JSON.stringify(rows);
    expect(text).toContain(people.here);
    expect(text).toContain(`channel:${channels.here}`);
    expect(text).not.toContain(there);
    for (const hidden of [people.there, people.both, channels.there]) expect(text).not.toContain(hidden);
    // The key of a channel both share is told; which practices it reaches is not.
    expect(rows.filter(({ chain }) => chain === `channel:${channels.both}`).map(({ act }) => act)).toEqual([
      "channel.key-created",
    ]);
  });

  test("does not see what one of its people did about somebody of another practice alone", async () => {
    const { here, there, auditor, people } = await twoPractices();
    const { actor } = await aPerson(store, { practices: [here] });
    const doing = async (act: "person.disabled" | "person.changed", detail: Record<string, unknown>) =>
      inTransaction(store, (tx) => appendAudit(tx, { chain: "people", actor, act, detail }));
    await doing("person.disabled", { person: people.there });
    await doing("person.disabled", { person: people.both, practices: [there] });
    for (const person of [people.here, crypto.randomUUID()]) await doing("person.disabled", { person });
    await doing("person.changed", { person: people.there, practices: [here] });
    const page = await done(browseAuditLog(auditor, { practiceId: here, person: actor.id }));
    expect(actsOf(page)).toEqual(["person.changed", "person.disabled", "person.disabled"]);
    expect(
      page.rows
        .filter(({ act }) => act === "person.disabled")
        .map(({ detail }) => detail)
        .join(),
    ).not.toContain(people.there);
  });

  test("finds nothing under another practice, by no filter, and exports nothing of it", async () => {
    const { here, there, auditor, people, channels } = await twoPractices();
    const other = await browseAuditLog(auditor, { practiceId: there });
    expect(other).toEqual({ ok: false, refusal: { type: "not-found", what: "practice" } });
    expect(await exportAuditLog(auditor, { practiceId: there })).toEqual(other);
    for (const filter of [{ person: people.there }, { person: people.both }, { channel: channels.there }])
      expect(
        (await done(browseAuditLog(auditor, { practiceId: here, ...filter }))).rows,
        JSON.stringify(filter),
      ).toEqual([]);
    const lines = (await exported(auditor, { practiceId: here })).join("\n");
    for (const hidden of [there, people.there, people.both, channels.there]) expect(lines).not.toContain(hidden);
  });

  test("is refused with another role: a reviewer and a worker see nothing", async () => {
    const practice = await aPractice(store);
    const reviewer = await aPerson(store, { practices: [practice] });
    expect(await browseAuditLog(reviewer, {})).toEqual({ ok: false, refusal: { type: "not-authorised" } });
    expect(await browseAuditLog({ actor: { kind: "worker" }, store }, {})).toMatchObject({ ok: false });
  });
});

test("an auditor of two practices sees both without choosing one, with the channels and people of either", async () => {
  const { here, there, people, channels } = await twoPractices();
  const other = await aPractice(store);
  await note(other, 1);
  const { actor } = await aPerson(store, { practices: [here, there], roles: ["auditor"] });
  const auditor = { actor, store };
  const all = await done(browseAuditLog(auditor, {}));
  expect(all).toMatchObject({ isOverall: false, practice: undefined });
  const chains = new Set(all.rows.map(({ chain }) => chain));
  expect([here, there, `channel:${channels.there}`, "people"].every((chain) => chains.has(chain))).toBe(true);
  expect(JSON.stringify(all.rows)).not.toContain(other);
  expect(actsOf(await done(browseAuditLog(auditor, { channel: channels.there })))).toEqual([
    "channel.key-created",
    "channel.created",
  ]);
  expect(actsOf(await done(browseAuditLog(auditor, { person: people.there })))).toEqual(["person.created"]);
  expect((await exported(auditor, {})).join("\n")).not.toContain(other);
  for (const chain of [here, there])
    expect((await entriesOf(auditor, chain)).map(({ act }) => act)).toContain("audit.exported");
  // The auditors of one practice do not read which channel of the other was looked for; those of all do.
  await exported(auditor, { channel: channels.there });
  expect((await entriesOf(auditor, here)).at(-1)?.detail).toEqual({ chains: expect.any(Number) });
  expect((await entriesOf(auditor, "service:all")).at(-1)).toMatchObject({
    act: "audit.exported",
    detail: { channel: channels.there, practices: [here, there].sort() },
  });
});

test("an administrator sees the whole service, and a practice's share of it", async () => {
  const { here, people, channels } = await twoPractices();
  await changeChannelAccess(admin(), { channelId: channels.both, practices: [here], atoms: ["tasks_get"] });
  const page = await done(browseAuditLog(admin(), { practiceId: here }));
  expect(JSON.stringify(page.rows)).toContain(people.both);
  expect(JSON.stringify(page.rows)).not.toContain(people.there);
  expect((await done(browseAuditLog(admin(), { person: people.there }))).rows).toHaveLength(1);
  expect(actsOf(await done(browseAuditLog(admin(), { practiceId: here, kind: "keys" })))).toEqual([
    "channel.key-created",
    "channel.key-created",
  ]);
});

test("pages go back and forth without a gap or a repetition, over several chains", async () => {
  const { here } = await twoPractices();
  await note(here, 120);
  await note("people", 5);
  const all: string[] = [];
  const seqOf = ({ rows }: AuditPage) => rows.map(({ chain, seq }) => `${chain} ${seq}`);
  let page = await done(browseAuditLog(admin(), { practiceId: here }));
  const pages = [seqOf(page)];
  for (; page.older; pages.push(seqOf(page)))
    page = await done(browseAuditLog(admin(), { practiceId: here, before: page.older }));
  all.push(...pages.flat());
  expect(new Set(all).size).toBe(all.length);
  expect(all.filter((row) => row.startsWith(here))).toHaveLength(123);
  for (let back = pages.length - 2; back >= 0; back -= 1) {
    page = await done(browseAuditLog(admin(), { practiceId: here, after: page.newer }));
    expect(seqOf(page)).toEqual(pages[back]);
  }
  expect(page.newer).toBeUndefined();
});

test("a case's entries are found by its id or short id, however many entries follow, and are exported", async () => {
  const { here, auditor } = await twoPractices();
  const [{ taskId, practiceId }, other] = [await aHeldTask(store), await aHeldTask(store)];
  // More than are looked through for a page that names no case.
  await store.pool.query(
    "SELECT audit_append($1, 'operator', 'practice.renamed', NULL, '{}') FROM generate_series(1, 5100)",
    [practiceId],
  );
  const called = taskId.slice(-8).toUpperCase();
  for (const task of [taskId, called]) {
    const page = await done(browseAuditLog(admin(), { task }));
    expect(page.rows.map((row) => [row.taskId, row.act])).toEqual([[taskId, "task.opened"]]);
    expect(page).toMatchObject({ isPartial: false, older: undefined });
  }
  expect((await done(browseAuditLog(admin(), { task: "00000000" }))).rows).toEqual([]);
  expect((await done(browseAuditLog(admin(), { task: called, practiceId: other.practiceId }))).rows).toEqual([]);
  for (const practice of [here, undefined])
    expect((await done(browseAuditLog(auditor, { practiceId: practice, task: called }))).rows).toEqual([]);
  const lines = (await exported(admin(), { practiceId, task: called })).filter((line) =>
    line.includes('"type":"entry"'),
  );
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(taskId);
});

test("a filter by time finds exactly the entries of that time", async () => {
  const practiceId = await aPractice(store);
  await note(practiceId, 2);
  nextMillisecond();
  const from = new Date();
  await note(practiceId, 3);
  nextMillisecond();
  const to = new Date();
  nextMillisecond();
  await note(practiceId, 4);
  expect((await done(browseAuditLog(admin(), { practiceId, from, to }))).rows).toHaveLength(3);
  expect((await done(browseAuditLog(admin(), { practiceId, to }))).rows).toHaveLength(5);
  expect((await done(browseAuditLog(admin(), { practiceId, from }))).rows).toHaveLength(7);
});

describe("an export", () => {
  test("verifies by itself with plain Node, against the signed head, though it shows a part alone", async () => {
    const { here, auditor } = await twoPractices();
    await round();
    const lines = await exported(auditor, { practiceId: here, kind: "settings" });
    expect(verified(lines)).toMatchObject({ code: 0, out: expect.stringContaining(`${here}: entries 1 to`) as string });
    const entry = lines.findIndex((line) => line.includes('"type":"entry"') && line.includes(here));
    const altered = lines.map((line, n) => (n === entry ? line.replace('\\"n\\":0', '\\"n\\":7') : line));
    expect(altered).not.toEqual(lines);
    expect(verified(altered)).toMatchObject({ code: 1, err: expect.stringContaining("was edited") as string });
    expect(verified(lines.toSpliced(entry, 1)).err).toContain("is missing");
    expect(verified(lines.slice(0, -1)).err).toContain("cut off");
    expect(verified(lines.map((line) => line.replace('"audit-head","seq":', '"audit-head","seq":1'))).err).toContain(
      "signature",
    );
  });

  test("that was made up with heads of another key, or with none, does not pass where a key is given", async () => {
    const { here, auditor } = await twoPractices();
    await round();
    const lines = await exported(auditor, { practiceId: here });
    const another = openSigningKey(Buffer.alloc(32, 4)).key;
    const foreign = verifiedExport(lines, { folder, publicKey: another.x });
    expect(foreign).toMatchObject({ code: 2, err: expect.stringContaining(signer.key.kid) as string });
    expect(foreign.err).toContain(here);
    const bare = verified(lines.filter((line) => !line.includes('"audit-head"')));
    expect(bare).toMatchObject({ code: 2, err: expect.stringContaining("signed no head within") as string });
  });

  test("is on record before its first line, and a refused one is not", async () => {
    const { here, auditor } = await twoPractices();
    await exported(auditor, { practiceId: here });
    const { rows } = await done(browseAuditLog(admin(), { practiceId: here, kind: "record" }));
    expect(rows).toMatchObject([{ act: "audit.exported", actor: `person:${auditor.actor.id}` }]);
  });
});

describe("retention", () => {
  test("empties what is older than the policy, and the chain and an export still verify", async () => {
    const practiceId = await aPractice(store);
    await note(practiceId, 5);
    await ageEntries(superuser, { chain: practiceId, count: 3, days: 400 });
    await done(setRetention(admin(), { practiceId, days: 365 }));
    await round();
    const found = await done(browseAuditLog(admin(), { practiceId }));
    expect(actsOf(found).slice(-3)).toEqual(["purged", "purged", "purged"]);
    expect(actsOf(found)).toContain("audit.purged");
    expect(found.keptDays).toBe(365);
    const report = await done(verifyAuditLog(admin(), { chain: practiceId }));
    expect(report.chains).toMatchObject([{ purged: 3 }]);
    expect(report.chains[0]?.broken).toBeUndefined();
    expect(verified(await exported(admin(), { practiceId }))).toMatchObject({ code: 0 });
    const { rows } = await store.pool.query(
      "SELECT * FROM audit_entry WHERE chain = $1 AND seq <= 3 AND (salt IS NOT NULL OR detail <> '{}')",
      [practiceId],
    );
    expect(rows).toEqual([]);
  });

  test("touches nothing younger, nothing without a policy, and refuses less than a year", async () => {
    const [kept, young] = [await aPractice(store), await aPractice(store)];
    await note(kept, 3);
    await ageEntries(superuser, { chain: kept, count: 3, days: 4_000 });
    await note(young, 3);
    await done(setRetention(admin(), { practiceId: young, days: 365 }));
    await round();
    for (const practiceId of [kept, young])
      expect((await done(verifyAuditLog(admin(), { chain: practiceId }))).chains[0]?.purged).toBe(0);
    expect(await setRetention(admin(), { practiceId: young, days: 30 })).toMatchObject({
      ok: false,
      refusal: { type: "invalid" },
    });
    await done(setRetention(admin(), { practiceId: young }));
    expect(await store.prisma.auditRetention.count({ where: { scope: young } })).toBe(0);
  });
});

const verified = (lines: readonly string[]) => verifiedExport(lines, { folder, publicKey: signer.key.x });

/** A date has milliseconds, an entry has microseconds. */
function nextMillisecond(): void {
  const now = Date.now();
  while (Date.now() === now);
}

async function round(): Promise<void> {
  await auditRounds({ store: unscoped(store), log: pino({ level: "silent" }), heads: { folder, signer } })(
    new AbortController().signal,
  );
}

async function exported(ctx: Parameters<typeof exportAuditLog>[0], filters: AuditFilters): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of await done(exportAuditLog(ctx, filters))) lines.push(line);
  return lines;
}
