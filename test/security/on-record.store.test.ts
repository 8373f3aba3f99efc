import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditActText } from "#lib/messages/admin/audit";
import { auditKinds } from "#lib/audit/audit-kinds";
import { setRetention } from "#lib/audit/set-retention";
import { type Store } from "#lib/db/db";
import { openWholeStore } from "#test/support/database/whole-store";
import { createKeyRing } from "#lib/platform/key-ring";
import { operator } from "#test/support/people/admin";
import { aPractice, keyPepper, receiptKey } from "#test/support/cases/cases";
import { dropClone, freshDatabase, superuserUrl, type TestDatabase } from "#test/support/database/fresh-database";
import { channelActs, practiceActs } from "./on-record/admin-acts.ts";
import { caseActs } from "./on-record/case-acts.ts";
import type { Preparation } from "./on-record/given.ts";
import { otherActs } from "./on-record/other-acts.ts";
import { peopleActs } from "./on-record/people-acts.ts";
import { recordActs } from "./on-record/record-acts.ts";
import { alsoWritten, reads, slight } from "./on-record/quiet-verbs.ts";
import { verbActs } from "./on-record/verb-acts.ts";
import { listenForCalls, verbs } from "./on-record/verbs.ts";
import { watchWrites, type Watch } from "./on-record/watch.ts";

let database: TestDatabase;
let superuser: pg.Client;
let store: Store;
let watch: Watch;
let calls: Awaited<ReturnType<typeof listenForCalls>>;

/** Every verb that was run while what it writes was watched. */
const run = new Set<string>();

beforeAll(async () => {
  database = await freshDatabase();
  const sealingKey = createKeyRing([randomBytes(32), randomBytes(32)]);
  store = openWholeStore({ url: database.appUrl, sealingKey, receiptKey, keyPepper, connectionsMax: 16 });
  superuser = new pg.Client({ connectionString: superuserUrl(database) });
  await superuser.connect();
  watch = await watchWrites(superuser);
  calls = await listenForCalls();
});
afterAll(async () => {
  await calls.close();
  await superuser.end();
  await store.close();
  await dropClone(database);
});

/** A practice's chain whose one entry is older than its policy keeps. */
async function aged(): Promise<string> {
  const practiceId = await aPractice(store);
  await setRetention({ actor: operator, store }, { practiceId, days: 365 });
  const old = "UPDATE audit_entry SET at = at - interval '400 days' WHERE chain = $1";
  await superuser.query("SET session_replication_role = replica");
  await superuser.query(old, [practiceId]);
  await superuser.query("SET session_replication_role = origin");
  return practiceId;
}

/** Every act of the product that has a name in the record, by its name. */
const acts: Readonly<Record<string, Preparation>> = {
  ...caseActs,
  ...practiceActs,
  ...channelActs,
  ...peopleActs,
  ...recordActs(aged),
};
const all = Object.entries({ ...acts, ...otherActs, ...verbActs });

/** Makes everything ready at first, so that what is watched are the acts alone. */
async function ready() {
  return inTurns(all, async ([name, given]) => [name, await given(store)] as const);
}

/** Some at once and the rest after them, so that none waits too long for a connection. */
async function inTurns<Item, Outcome>(list: readonly Item[], run: (item: Item) => Promise<Outcome>) {
  const outcomes: Outcome[] = [];
  for (let from = 0; from < list.length; from += 16)
    outcomes.push(...(await Promise.all(list.slice(from, from + 16).map(run))));
  return outcomes;
}

/**
 * What is written without an entry, and why. Whatever else a transaction writes stands in the record with it, or this
 * test fails; so does a table nobody thought of.
 */
const unrecorded: Readonly<Record<string, string>> = {
  "person.single_keys": "how somebody's own keyboard works",
  "person.opens_next": "what somebody's own page opens after a decision",
  "session.seen_at": "when it was last used",
  next_inquiry: "when the payer is asked next, and how often it was",
  subscription: "the secret made before a payer is asked to push, and what came of it; `route.subscribed` says it does",
  ended_subscription: "what a payer is yet to be told; `route.subscription-ended` says that it ended",
  saved_view: "which lists somebody keeps for themselves; those of a practice have entries",
  gate_opened: "follows `case.opened`, which is committed before the case is shown",
  presence: "who has a case on their screen just now",
  sign_in_failure: "how long an account waits; each failure has its entry",
  sign_in_ticket: "half of a sign-in; the whole of it has its entry",
  known_device: "which browsers somebody signed in on; each sign-in has its entry",
  person_denial: "how often somebody was refused; the first of an hour have their entries",
  used_passkey_challenge: "that what a device signed is used up; what it signed for has its entry",
  totp: "offered, and good for nothing until `person.second-factor-added`",
  client_assertion: "that an assertion is used up",
  call_allowance: "a count within a second",
  call_room: "a count of calls under way",
  channel_minute: "statistics; what was denied has entries",
  channel_denial: "statistics; what was denied has entries",
  channel_call: "statistics; what a call changed has its entries",
  "channel_key.last_used_at": "when it was last used",
  ...Object.fromEntries(
    [
      ...["progress", "intake_day", "review_day", "reason_day", "reviewer_day", "payer_day", "submission_day"],
      "denial_day",
      "payer_year",
    ].map((name) => [`report_${name}`, "statistics of what stands in the record"]),
  ),
  route_draft: "counts for nothing until it is tested or becomes active, which have their entries",
  mail: "told after the act that has its entry",
  case_token: "what a case is found by, made from its revision and determinations",
  search_progress: "how far cases were made findable",
  mail_cursor: "how far mail was told",
  account_mail_cursor: "the same, of the record of people",
  submission_ledger: "which ledgers workers keep outside the database",
  record_stop: "what a worker found lacking; `audit.recovered` says what was",
  audit_chain: "how far the record was verified",
  practice_key: "comes with `practice.created`; what changes it later has its entry",
  readiness: "that a row could be written",
  payer_outage: "which payer hosts answer no worker just now",
  gate_trace: "which trace a gate belongs to",
  worker_heartbeat: "that a worker is at work",
  archive_progress: "how far closed cases were archived, which changes no value",
  archive_failure: "which closed cases could not be archived, which changes no value",
  secret_fingerprint: "the first pepper a process has; `keys.pepper-replaced` says when another is taken",
};

test("every act that is on record leaves its entry, and nothing it writes is committed without one", async () => {
  const deeds = await ready();
  await calls.called();
  await watch.begin();
  const outcomes = await inTurns(deeds, async ([name, deed]) => [name, await deed()] as const);
  for (const verb of await calls.called()) run.add(verb);
  const written = await watch.end();
  expect(outcomes.filter(([, outcome]) => isRefused(outcome) && !isDenial(outcome))).toEqual([]);
  const recorded = new Set(written.flatMap(({ acts: left }) => left));
  expect(Object.keys(acts).filter((act) => !recorded.has(act))).toEqual([]);
  expect([...recorded].filter((act) => !(act in acts))).toEqual([]);
  const alone = written.filter(({ acts: left }) => left.length === 0).flatMap(({ places }) => places);
  expect(alone.filter((place) => !isKnown(place))).toEqual([]);
});

test("where the record takes no entry, nothing is changed and nothing is shown", async () => {
  const deeds = await ready();
  await superuser.query("REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA public FROM PUBLIC");
  const { rows } = await superuser.query<{ sql: string }>(
    "SELECT format('%s ON FUNCTION %s', 'EXECUTE', oid::regprocedure) AS sql FROM pg_proc WHERE proname IN ('audit_append', 'audit_append_each', 'audit_purge')",
  );
  const role = pg.escapeIdentifier(decodeURIComponent(new URL(database.appUrl).username));
  for (const { sql } of rows) await superuser.query(`REVOKE ${sql} FROM ${role}`);
  await watch.begin();
  const went = await inTurns(deeds, async ([name, deed]) =>
    deed().then(
      () => [name],
      () => [],
    ),
  );
  const written = await watch.end();
  for (const { sql } of rows) await superuser.query(`GRANT ${sql} TO ${role}`);
  expect(went.flat()).toEqual([]);
  expect(written.flatMap(({ places }) => places).filter((place) => !isKnown(place))).toEqual([]);
});

/** Runs one verb alone: whether it was itself called, what it put on record and what it wrote without an entry. */
async function alone([verb, given]: readonly [string, Preparation]) {
  const deed = await given(store);
  await calls.called();
  await watch.begin();
  await deed();
  const called = await calls.called();
  for (const each of called) run.add(each);
  const written = await watch.end();
  const unentered = written.filter(({ acts: left }) => left.length === 0).flatMap(({ places }) => places);
  return { verb, isRun: called.has(verb), entries: written.flatMap(({ acts: left }) => left).length, unentered };
}

describe("a verb that is run alone", () => {
  test.each(Object.entries(verbActs))("%s leaves its entry on record", async (...named) => {
    const { isRun, entries, unentered } = await alone(named);
    expect({ isRun, isRecorded: entries > 0 }).toEqual({ isRun: true, isRecorded: true });
    expect(unentered.filter((place) => !isKnown(place))).toEqual([]);
  });

  test.each(Object.entries(reads))("%s reads, and writes nothing at all", async (...named) => {
    expect(await alone(named)).toMatchObject({ isRun: true, entries: 0, unentered: [] });
  });

  test.each(Object.entries(slight))("%s writes what needs no entry, and nothing else", async (...named) => {
    const { isRun, entries, unentered } = await alone(named);
    expect({ isRun, entries, isWriting: unentered.length > 0 }).toEqual({ isRun: true, entries: 0, isWriting: true });
    const also = alsoWritten[named[0]] ?? [];
    expect(unentered.filter((place) => !isKnown(place) && !also.includes(place))).toEqual([]);
  });
});

test("every verb of the product was run here, with its entry or without writing what needs one", () => {
  expect(verbs.length).toBeGreaterThan(150);
  expect(verbs.filter((verb) => !run.has(verb))).toEqual([]);
});

test("every table the application may write was written here with an entry, or stands in the list of what needs none", async () => {
  const { rows } = await superuser.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND has_table_privilege($1, oid, 'INSERT') ORDER BY 1`,
    [decodeURIComponent(new URL(database.appUrl).username)],
  );
  const seen = new Set(watch.seen().map((place) => place.split(".")[0]));
  const missing = rows.filter(({ name }) => !seen.has(name) && !(name in unrecorded));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

test("every act has its words on the page, and belongs to a kind that can be asked for", () => {
  const patterns: readonly string[] = Object.values(auditKinds).flat();
  const fits = (act: string) => (pattern: string) =>
    new RegExp(`^${pattern.replaceAll(".", "[.]").replaceAll("%", ".*")}$`).test(act);
  expect(Object.keys(acts).filter((act) => auditActText(act) === act)).toEqual([]);
  expect(Object.keys(acts).filter((act) => !patterns.some(fits(act)))).toEqual([]);
});

const isKnown = (place: string) => place in unrecorded || (place.split(".")[0] ?? "") in unrecorded;

function isRefused(outcome: unknown): boolean {
  return [outcome].flat().some((one) => one !== null && typeof one === "object" && "ok" in one && one.ok === false);
}

const isDenial = (outcome: unknown) =>
  JSON.stringify(outcome).includes("not-authorised") || JSON.stringify(outcome).includes('"wrong"');
