import { glob, readFile } from "node:fs/promises";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { readChannelKey } from "#lib/channel/channel-key";
import { cancelTask } from "#lib/task/cancel-task";
import { declineGate } from "#lib/gate/decline-gate";
import { getTask } from "#lib/task/get-task";
import { listQueue } from "#lib/queue/list-queue";
import { readAttachment } from "#lib/task/read-attachment";
import { readReleasedPacket } from "#lib/submission/read-packet";
import { releaseGate } from "#lib/gate/release-gate";
import { reviewTask } from "#lib/task/review-task";
import { sendMessage } from "#lib/task/send-message";
import { aChannel, aHeldTask, anIntake, aPractice, aStore, aVoid, fullReview } from "#test/support/cases/cases";
import { aPdf, aReceivedFile } from "#test/support/agents/files";
import { forgetPractices } from "#test/support/database/forget-practices";
import { admit } from "#lib/channel/store/admission";
import { crossings } from "./crossings.ts";
import { inTransaction, type Store, unscoped } from "./db.ts";
import { forPractices } from "./for-practices.ts";

type HeldTask = Awaited<ReturnType<typeof aHeldTask>>;

let store: Store;
let forgetful: Store;
let mine: HeldTask;
let theirs: HeldTask;

/** The files that act across practices, by the reason they give. */
const places = {
  accounts: ["lib/person/session/account-store.ts"],
  administration: ["lib/db/for-practices.ts"],
  "audit-chains": ["lib/audit/shared/chain-heads.ts", "lib/submission/store/seen-places.ts"],
  demo: ["lib/demo/main.ts"],
  "denied-calls": [
    "lib/channel/own-channel.ts",
    "lib/channel/store/call-facts.ts",
    "lib/channel/store/call-records.ts",
  ],
  "denied-cases": ["lib/access/shared/person-denials.ts", "lib/payer/inbox/store/unmatched-pushes.ts"],
  "due-work": [
    "lib/channel/webhook/store/deliveries.ts",
    "lib/gate/shared/auto-review.ts",
    "lib/payer/inbox/shared/ended-subscriptions.ts",
    "lib/payer/inbox/shared/subscriptions.ts",
    "lib/submission/shared/work.ts",
    "lib/submission/store/payer-outages.ts",
    "lib/submission/store/reserve-releases.ts",
  ],
  figures: ["lib/submission/store/figures.ts"],
  mail: [
    "lib/person/store/account-mail.ts",
    "lib/person/store/change-mail.ts",
    "lib/person/store/mail-outbox.ts",
    "lib/person/store/mail.ts",
  ],
  operator: ["lib/cli/audit.ts", "lib/cli/doctor.ts", "lib/cli/perform.ts", "lib/cli/receipt.ts"],
  "own-grants": ["lib/person/shared/live-session.ts"],
  "payer-notification": ["lib/payer/inbox/shared/subscriptions.ts"],
  archive: ["lib/db/archive-closed.ts"],
  reports: ["lib/report/roll-up-reports.ts"],
  search: ["lib/queue/index-cases.ts"],
};

/** The files that name all practices at once, by word or constant. */
const mayNameAll = [
  "lib/db/for-practices.ts",
  "lib/db/practice-keys.ts",
  "lib/db/tenant-scope.ts",
  "scripts/database/roles.ts",
];

async function sources(): Promise<readonly string[]> {
  const found: string[] = [];
  for (const root of ["app", "components", "lib", "scripts"])
    for await (const file of glob(`${root}/**/*.{ts,tsx,mjs}`))
      if (!/\.test\.ts$|\/generated\//.test(file)) found.push(file.replaceAll("\\", "/"));
  return found.sort();
}

beforeAll(async () => {
  [store, forgetful] = [aStore(), aStore()];
  unscoped(forgetful).pool.on("connect", forgetPractices);
  const files = [aReceivedFile(aPdf("notes"), "application/pdf", "notes.pdf")];
  [mine, theirs] = [
    await aHeldTask(store, { review: fullReview, files }),
    await aHeldTask(store, { review: fullReview, files }),
  ];
});
afterAll(() => Promise.all([store.close(), forgetful.close()]));

const reviewerOver = (over: Store): Context<PersonActor> => ({ actor: mine.reviewer.actor, store: over });
const walled = () => reviewerOver(forPractices(forgetful, [mine.practiceId]));

test("every table that names a practice has the wall, but the one of wrapped keys", async () => {
  const { rows } = await store.pool.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'practice_id'
      WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
        AND NOT (c.relrowsecurity AND EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polpermissive AND p.polcmd = '*'))`,
  );
  expect(rows.map(({ name }) => name).sort()).toEqual(["practice_key"]);
});

/** Every table behind the wall, as the database says it. */
const walledTables = async () =>
  (
    await store.pool.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relrowsecurity AND relnamespace = 'public'::regnamespace ORDER BY 1",
    )
  ).rows.map(({ name }) => name);

test("a store that names no practice reads no row of any walled table, alone and in a transaction, before and after others named theirs", async () => {
  const bare = unscoped(store);
  const tables = await walledTables();
  expect(tables).toEqual(expect.arrayContaining(["audit_entry", "channel_practice", "gate", "message", "task"]));
  const countIn = (table: string) => `SELECT count(*)::int AS n FROM ${table}`;
  const counted = async () => {
    for (const table of tables) {
      expect((await bare.pool.query(countIn(table))).rows, table).toEqual([{ n: 0 }]);
      const inside = await inTransaction(bare, (tx) => tx.$queryRawUnsafe(countIn(table)));
      expect(inside, table).toEqual([{ n: 0 }]);
    }
    expect(await bare.prisma.task.count()).toBe(0);
    expect(await bare.prisma.channelPractice.findMany()).toEqual([]);
  };
  await counted();
  expect(await store.prisma.task.count()).toBeGreaterThan(0);
  expect(await forPractices(store, [mine.practiceId]).prisma.task.count()).toBeGreaterThan(0);
  await counted();
});

test("a store that names no practice writes no row of a practice, and changes and removes none", async () => {
  const bare = unscoped(store);
  const written = bare.pool.query(
    "INSERT INTO reading (person_id, task_id, part, practice_id, day) VALUES ($1, $2, 'case', $3, now())",
    [mine.reviewer.actor.id, mine.taskId, mine.practiceId],
  );
  await expect(written).rejects.toThrow("row-level security");
  expect((await bare.pool.query("UPDATE task SET version = version")).rowCount).toBe(0);
  expect((await bare.pool.query("DELETE FROM message")).rowCount).toBe(0);
});

test("only the listed places act across practices", async () => {
  const found: Record<string, string[]> = {};
  for (const file of await sources()) {
    const text = await readFile(file, "utf8");
    const calls = text.matchAll(/\bacrossPractices\(\s*(?:[\w.()]+),\s*"([a-z-]+)",?\s*\)/g);
    for (const [, reason = ""] of calls) found[reason] = [...new Set([...(found[reason] ?? []), file])].sort();
    // Every call says its reason where it is, and nothing else sets all practices.
    const named = [...text.matchAll(/\bacrossPractices\(/g)].length;
    const declared = file === "lib/db/for-practices.ts" ? 1 : 0;
    const given = [...text.matchAll(/\bacrossPractices\(\s*(?:[\w.()]+),\s*"[a-z-]+"/g)].length;
    expect(named, file).toBe(given + declared);
    const names = /\{\*\}|import \{[^}]*\beveryPractice\b[^}]*\} from "[^"]*scope(?:\.ts)?"/.test(text);
    expect(names, file).toBe(mayNameAll.includes(file));
  }
  expect(found).toEqual(places);
  expect(Object.keys(places).concat("tests").sort()).toEqual(Object.keys(crossings));
});

test("where the queries ask for no practice, another's case is neither read, listed, found nor decided", async () => {
  const { taskId, seen } = theirs;
  const [file] = await store.prisma.attachment.findMany({ where: { taskId } });
  const sha256 = file?.sha256 ?? "";
  // What is forgotten is what protects: without the wall, the case comes out.
  const bare = reviewerOver(forgetful);
  expect(await reviewTask(bare, { taskId })).toMatchObject({ ok: true });
  const listed = async (ctx: Context<PersonActor>) =>
    JSON.stringify(await listQueue(ctx, { view: "all", sort: "due", filters: {} }, 50));

  const ctx = walled();
  expect(await reviewTask(ctx, { taskId })).toEqual({ ok: false, refusal: { type: "not-found" } });
  expect(await releaseGate(ctx, { taskId, seen })).toMatchObject({ ok: false });
  expect(await declineGate(ctx, { taskId, seen, reason: "No." })).toMatchObject({ ok: false });
  expect(await readAttachment(ctx, { taskId, sha256 })).toMatchObject({ ok: false });
  expect(await readReleasedPacket(ctx, { taskId })).toMatchObject({ ok: false });
  expect(await listed(ctx)).not.toContain(taskId);
  expect(await reviewTask(ctx, { taskId: mine.taskId })).toMatchObject({ ok: true });
  expect(await listed(ctx)).toContain(mine.taskId);
  expect((await store.prisma.gate.findUniqueOrThrow({ where: { id: seen.gateId } })).status).toBe("open");
});

test("where the queries ask for no practice, an agent neither finds, continues, voids nor cancels another's task", async () => {
  const { taskId, practiceId } = theirs;
  const { actor } = mine.channel;
  const { id: keyId = "", secretHash = new Uint8Array() } = readChannelKey(store, mine.channel.key) ?? {};
  const key = { keyId, secretHash, address: "192.0.2.7" };
  const bare = { actor, store: forgetful };
  expect(await getTask(bare, { taskId, historyLength: 0 })).toMatchObject({ ok: true });

  expect(await admit(forgetful, key, { taskId })).toMatchObject({
    actor: { id: actor.id },
    prefetched: { exists: true, row: undefined },
  });
  expect(await admit(forgetful, key, { taskId: uuidv7() })).toMatchObject({ prefetched: { exists: false } });
  expect(await admit(forgetful, key, { taskId: mine.taskId })).toMatchObject({
    prefetched: { row: { id: mine.taskId } },
  });
  const ctx = { actor, store: forPractices(forgetful, actor.practices) };
  const denied = { ok: false, refusal: { type: "not-authorised" } };
  expect(await getTask(ctx, { taskId, historyLength: 0 })).toEqual(denied);
  expect(await cancelTask(ctx, { taskId })).toEqual(denied);
  expect(await sendMessage(ctx, anIntake({ practiceId: mine.practiceId, taskId }))).toEqual(denied);
  expect(await sendMessage(ctx, aVoid({ practiceId: mine.practiceId, taskId }))).toEqual(denied);
  expect(await sendMessage(ctx, anIntake({ practiceId: mine.practiceId }))).toMatchObject({ ok: true });

  // A verb that forgot to look at the practice makes no task there either, and those asked for beside it are made.
  const mistaken = { ...ctx, actor: { ...actor, practices: [practiceId] } };
  const [refused, ...made] = await Promise.allSettled([
    sendMessage(mistaken, anIntake({ practiceId })),
    ...Array.from({ length: 5 }, () => sendMessage(ctx, anIntake({ practiceId: mine.practiceId }))),
  ]);
  expect(refused).toMatchObject({
    status: "rejected",
    reason: { message: expect.stringContaining("row-level security") },
  });
  for (const one of made) expect(one).toMatchObject({ value: { ok: true } });
  const file = aReceivedFile(aPdf("more notes"), "application/pdf", "more.pdf");
  await expect(sendMessage(mistaken, anIntake({ practiceId, files: [file] }))).rejects.toThrow("row-level security");
});

test("a write of several tables, which Prisma makes a transaction of, reaches the store's practices alone", async () => {
  const narrow = forPractices(store, [mine.practiceId]);
  await expect(aChannel(narrow, { practices: [theirs.practiceId] })).rejects.toThrow("row-level security");
  await aChannel(narrow, { practices: [mine.practiceId] });
});

test("a message id is known in every practice of its channel", async () => {
  const other = await aPractice(store);
  const channel = await aChannel(store, { practices: [mine.practiceId, other] });
  const callIn = (practiceId: string) => ({
    actor: { ...channel.actor, practices: [practiceId] },
    store: forPractices(store, [practiceId]),
  });
  const messageId = uuidv7();
  expect(await sendMessage(callIn(other), anIntake({ practiceId: other, messageId }))).toMatchObject({ ok: true });
  expect(await sendMessage(callIn(mine.practiceId), anIntake({ practiceId: mine.practiceId, messageId }))).toEqual({
    ok: false,
    refusal: {
      type: "invalid",
      issues: [{ path: "/message/messageId", problem: "was used before for a message with other content" }],
    },
  });
});

test("without any condition, reading, changing and removing reach the own practice alone, in and out of a transaction", async () => {
  const narrow = forPractices(store, [mine.practiceId]);
  const own = [{ practiceId: mine.practiceId }];
  const once = (rows: readonly { practiceId: string }[]) =>
    [...new Set(rows.map(({ practiceId }) => practiceId))].map((practiceId) => ({ practiceId }));
  const select = { practiceId: true } as const;
  expect(once(await narrow.prisma.task.findMany({ select }))).toEqual(own);
  expect(once(await narrow.prisma.revision.findMany({ select }))).toEqual(own);
  expect(once(await inTransaction(narrow, (tx) => tx.gate.findMany({ select })))).toEqual(own);
  const { rows } = await narrow.pool.query("SELECT DISTINCT practice_id FROM message");
  expect(rows).toEqual([{ practice_id: mine.practiceId }]);
  expect((await narrow.pool.query("SELECT DISTINCT chain FROM audit_entry")).rows).toEqual([
    { chain: mine.practiceId },
  ]);
  expect(
    (await narrow.pool.query("UPDATE task SET version = version WHERE practice_id = $1", [theirs.practiceId])).rowCount,
  ).toBe(0);
  await expect(
    narrow.prisma.gateOpened.create({
      data: {
        gateId: theirs.seen.gateId,
        personId: mine.reviewer.actor.id,
        practiceId: theirs.practiceId,
        digest: "0",
        at: new Date(),
      },
    }),
  ).rejects.toThrow(/row-level security/);
  expect(await store.prisma.task.count({ where: { practiceId: theirs.practiceId } })).toBe(1);
});

test("what one person's statement said is gone with it: the next on the same connection says its own", async () => {
  const counts = await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      const { practiceId } = index % 2 ? mine : theirs;
      const over = index % 3 ? forPractices(store, [practiceId]) : unscoped(store);
      const { rows } = await over.pool.query<{ ids: string[] }>(
        "SELECT coalesce(array_agg(DISTINCT practice_id), '{}') AS ids FROM task",
      );
      return rows[0]?.ids.join() === (index % 3 ? practiceId : "");
    }),
  );
  expect(counts.every(Boolean)).toBe(true);
});
