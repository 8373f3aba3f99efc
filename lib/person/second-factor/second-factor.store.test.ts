import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Store, unscoped } from "#lib/db/db";
import { sessionActor } from "#lib/person/shared/live-session";
import { loadSecondFactors } from "#lib/person/store/second-factors";
import { done, entriesOf, operator } from "#test/support/people/admin";
import { aPerson, aPractice, aStore } from "#test/support/cases/cases";
import { codeNow, showingCode } from "#test/support/people/totp";
import { changeOwnPassword } from "#lib/person/choose-password";
import { endOwnSessions } from "#lib/person/end-sessions";
import { revokeSession } from "#lib/person/store/people";
import { renewLink } from "#lib/person/renew-link";
import { sweepSignIns } from "#lib/person/sweep-sign-ins";
import { beginSession, beginSignIn } from "#lib/person/session/begin-session";
import { finishSignIn } from "#lib/person/sign-in/finish-sign-in";
import type { Self } from "./own-factors.ts";
import { remakeRecoveryCodes } from "./own-recovery-codes.ts";
import { beginTotp, confirmTotp, offeredTotp, removeTotp } from "./own-totp.ts";
import { rememberDevice } from "#lib/person/sign-in/known-device";
import { hashPassword } from "#lib/person/sign-in/password";
import { proveSession } from "#lib/person/sign-in/prove-session";
import { issueTicket, secondStep } from "#lib/person/sign-in/sign-in-ticket";

const password = "correct horse battery";

let store: Store;
/** As another process sees it. */
let other: Store;
let passwordHash: string;
beforeAll(async () => {
  [store, other] = [aStore(), aStore()];
  passwordHash = await hashPassword(password);
});
afterAll(() => Promise.all([store.close(), other.close()]));

/** Somebody who has just signed in with the password they have. */
async function somebody() {
  const { actor } = await aPerson(store, { practices: [await aPractice(store)] });
  const email = `${actor.id}@example.org`;
  await store.prisma.person.update({ where: { id: actor.id }, data: { passwordHash } });
  const sessionId = (await beginSession(store, { email, password }))?.sessionId ?? "";
  return { email, self: await selfIn(sessionId) };
}

async function selfIn(sessionId: string): Promise<Self> {
  const actor = await sessionActor(store, sessionId);
  if (!actor) throw new Error("the session is over");
  return { actor, store, sessionId };
}

/** Somebody with an app whose present code is not spent: its secret, what else they have, and a fresh ticket whenever one is wanted. */
async function withApp() {
  const { email, self } = await somebody();
  const { secret } = await done(beginTotp(self));
  const { recoveryCodes } = await done(confirmTotp(self, { code: await codeNow(secret) }));
  await store.prisma.totp.update({ where: { personId: self.actor.id }, data: { lastTimeStep: { decrement: 1 } } });
  const aTicket = async () => issueTicket(store, await done(beginSignIn(store, { email, password })));
  return { email, self, secret, recoveryCodes, aTicket };
}

const at = (index: number) => (index % 2 === 0 ? store : other);

const begun = (results: readonly { ok: boolean }[]) => results.filter(({ ok }) => ok).length;

test("with a second factor, the password alone opens no session, and a code of the app does", async () => {
  const { email, self, secret, aTicket } = await withApp();
  expect(await beginSession(store, { email, password })).toBeUndefined();
  const sessions = await store.prisma.session.count({ where: { personId: self.actor.id } });
  const ticket = await aTicket();
  expect(await store.prisma.session.count({ where: { personId: self.actor.id } })).toBe(sessions);
  expect(await secondStep(unscoped(store), ticket)).toMatchObject({ totp: true });
  const { sessionId } = await done(finishSignIn(store, { ticket, code: await codeNow(secret) }));
  expect(await sessionActor(store, sessionId)).toMatchObject({ id: self.actor.id });
  const { secondFactorAt } = await store.prisma.session.findUniqueOrThrow({ where: { id: sessionId } });
  expect(secondFactorAt).toBeInstanceOf(Date);
});

test("a code shown ten times at once, with a ticket each, opens one session, and none afterwards", async () => {
  const { secret, aTicket } = await withApp();
  const tickets = [await aTicket(), await aTicket(), await aTicket(), await aTicket()];
  const code = await codeNow(secret);
  expect(begun(await Promise.all(tickets.map((ticket, index) => finishSignIn(at(index), { ticket, code }))))).toBe(1);
  expect(await finishSignIn(other, { ticket: await aTicket(), code })).toEqual({ ok: false, refusal: "wrong" });
  expect(await finishSignIn(store, { ticket: await aTicket(), code })).toEqual({ ok: false, refusal: "wrong" });
});

test("a ticket opens one session, however many right codes are shown with it at once", async () => {
  const { secret, recoveryCodes, aTicket } = await withApp();
  const ticket = await aTicket();
  const codes = [await codeNow(secret), ...recoveryCodes.slice(0, 3)];
  expect(begun(await Promise.all(codes.map((code, index) => finishSignIn(at(index), { ticket, code }))))).toBe(1);
  expect(await finishSignIn(store, { ticket, code: recoveryCodes[4] ?? "" })).toEqual({ ok: false, refusal: "over" });
});

test("the code that turned the app on is spent", async () => {
  const { self, email } = await somebody();
  const { secret } = await done(beginTotp(self));
  const code = await codeNow(secret);
  await done(confirmTotp(self, { code }));
  const ticket = await issueTicket(store, await done(beginSignIn(store, { email, password })));
  expect(await finishSignIn(store, { ticket, code })).toEqual({ ok: false, refusal: "wrong" });
});

test("a recovery code works once, however it is typed and however often at once; new ones void the old", async () => {
  const { self, recoveryCodes, aTicket } = await withApp();
  const [first = "", second = ""] = recoveryCodes;
  expect(recoveryCodes).toHaveLength(10);
  const typed = [first, first.toUpperCase(), first.replaceAll("-", " "), first];
  const tickets = [await aTicket(), await aTicket(), await aTicket(), await aTicket()];
  const shown = typed.map((code, index) => finishSignIn(at(index), { ticket: tickets[index] ?? "", code }));
  expect(begun(await Promise.all(shown))).toBe(1);
  expect((await loadSecondFactors(store, self.actor.id)).recoveryCodesLeft).toBe(9);
  const { recoveryCodes: fresh } = await done(remakeRecoveryCodes(self));
  expect(await finishSignIn(store, { ticket: await aTicket(), code: second })).toMatchObject({ ok: false });
  expect(await finishSignIn(store, { ticket: await aTicket(), code: fresh[0] ?? "" })).toMatchObject({ ok: true });
});

test("a ticket is over after five minutes, for a disabled person, and never was in a browser without it", async () => {
  const { self, secret, aTicket } = await withApp();
  const code = await codeNow(secret);
  const over = { ok: false, refusal: "over" };
  expect(await finishSignIn(store, { ticket: "", code })).toEqual(over);
  const old = await aTicket();
  const past = new Date(Date.now() - 1_000);
  await store.prisma.signInTicket.updateMany({ where: { personId: self.actor.id }, data: { expiresAt: past } });
  expect(await finishSignIn(store, { ticket: old, code })).toEqual(over);
  expect(await secondStep(unscoped(store), old)).toBeUndefined();
  const ticket = await aTicket();
  await store.prisma.person.update({ where: { id: self.actor.id }, data: { status: "disabled" } });
  expect(await finishSignIn(store, { ticket, code })).toEqual(over);
});

test.each<[string, (self: Self) => Promise<unknown>]>([
  ["all sessions are ended", (self) => endOwnSessions(self, {})],
  ["all sessions but one are ended", (self) => endOwnSessions(self, { except: self.sessionId })],
  ["an admin withdraws the password", ({ actor }) => done(renewLink({ actor: operator, store }, { id: actor.id }))],
])("a ticket is over where %s", async (_, end) => {
  const { self, secret, aTicket } = await withApp();
  const ticket = await aTicket();
  await end(self);
  expect(await finishSignIn(store, { ticket, code: await codeNow(secret) })).toEqual({ ok: false, refusal: "over" });
});

test("of many wrong codes at once five are checked; then a correct one waits, but still proves in a session", async () => {
  const { self, secret, recoveryCodes, aTicket } = await withApp();
  const ticket = await aTicket();
  const right = await codeNow(secret);
  const guesses = Array.from({ length: 12 }, (_, index) => String(index).padStart(6, "7"));
  await Promise.all(guesses.map((code, index) => finishSignIn(at(index), { ticket, code })));
  const subject = `CODES ${self.actor.id}`;
  const { count } = await store.prisma.signInFailure.findUniqueOrThrow({ where: { subject } });
  expect(count).toBe(5);
  expect(await finishSignIn(store, { ticket, code: right })).toEqual({ ok: false, refusal: "wrong" });
  const session = { personId: self.actor.id, sessionId: self.sessionId };
  expect(await proveSession(store, session, { typed: recoveryCodes[0] ?? "" })).toBeInstanceOf(Date);
  const device = await rememberDevice(store, self.actor.id, undefined);
  const from = { device };
  expect(await finishSignIn(store, { ticket: await aTicket(), code: recoveryCodes[1] ?? "", from })).toMatchObject({
    ok: true,
  });
  const aMinuteAgo = new Date(Date.now() - 61_000);
  await store.prisma.signInFailure.update({ where: { subject }, data: { lastAt: aMinuteAgo } });
  expect(await finishSignIn(store, { ticket, code: right })).toMatchObject({ ok: true });
  expect(await store.prisma.signInFailure.findUnique({ where: { subject } })).toBeNull();
});

test("wrong codes in a session make that session wait, and the next one not", async () => {
  const { self, recoveryCodes, aTicket } = await withApp();
  const session = { personId: self.actor.id, sessionId: self.sessionId };
  for (let n = 0; n < 5; n += 1) expect(await proveSession(store, session, { typed: "000001" })).toBeUndefined();
  expect(await proveSession(store, session, { typed: recoveryCodes[0] ?? "" })).toBeUndefined();
  expect(await finishSignIn(store, { ticket: await aTicket(), code: recoveryCodes[0] ?? "" })).toMatchObject({
    ok: true,
  });
});

test("wrong passwords of strangers never delay the second step", async () => {
  const { email, secret, aTicket } = await withApp();
  const ticket = await aTicket();
  for (let n = 0; n < 12; n += 1) await beginSession(store, { email, password: "guess" });
  expect(await finishSignIn(store, { ticket, code: await codeNow(secret) })).toMatchObject({ ok: true });
});

test("a correct password takes back no wrong code: guessing goes on being counted", async () => {
  const { self, aTicket } = await withApp();
  const ticket = await aTicket();
  for (const code of ["000001", "000002", "000003"]) await finishSignIn(store, { ticket, code });
  await aTicket();
  const subject = `CODES ${self.actor.id}`;
  expect((await store.prisma.signInFailure.findUnique({ where: { subject } }))?.count).toBe(3);
});

test("with a second factor, the password is no new proof, and a code is one once", async () => {
  const { self, secret } = await withApp();
  const session = { personId: self.actor.id, sessionId: self.sessionId };
  expect(await proveSession(store, session, { typed: password })).toBeUndefined();
  const code = await codeNow(secret);
  const proved = await Promise.all([0, 1, 2, 3].map((index) => proveSession(at(index), session, { typed: code })));
  expect(proved.filter((each) => each !== undefined)).toHaveLength(1);
  expect(await proveSession(store, session, { typed: code })).toBeUndefined();
});

test("factors change only with a proof of the last ten minutes, and end no session", async () => {
  const { self, email, aTicket } = await withApp();
  const stale = { ...self, actor: { ...self.actor, provedAt: new Date(Date.now() - 11 * 60_000) } };
  const needed = { ok: false, refusal: "proof-needed" };
  expect(await beginTotp(stale)).toEqual(needed);
  expect(await confirmTotp(stale, { code: "123456" })).toEqual(needed);
  expect(await removeTotp(stale)).toEqual(needed);
  expect(await remakeRecoveryCodes(stale)).toEqual(needed);
  await aTicket();
  await done(removeTotp(self));
  expect(await sessionActor(store, self.sessionId)).toBeDefined();
  expect(await loadSecondFactors(store, self.actor.id)).toEqual({ passkeys: [], recoveryCodesLeft: 0 });
  expect(await beginSession(store, { email, password })).toBeDefined();
});

test("the first factor removes from other sessions what a password alone had proved there", async () => {
  const { self, email } = await somebody();
  const other = await selfIn((await beginSession(store, { email, password }))?.sessionId ?? "");
  const { secret } = await done(beginTotp(self));
  await done(confirmTotp(self, { code: await codeNow(secret) }));
  expect(await removeTotp(await selfIn(other.sessionId))).toEqual({ ok: false, refusal: "proof-needed" });
  expect(await remakeRecoveryCodes(await selfIn(self.sessionId))).toMatchObject({ ok: true });
});

test("a secret is sealed, counts only after a correct code, and is never shown again after that", async () => {
  const { self } = await somebody();
  const { secret, uri } = await done(beginTotp(self));
  const { secret: kept } = await store.prisma.totp.findUniqueOrThrow({ where: { personId: self.actor.id } });
  expect(Buffer.from(kept).includes(secret)).toBe(false);
  expect(new URL(uri).searchParams.get("secret")).toBe(secret);
  for (const code of ["", "12345", "abcdef", "1234567"])
    expect(await confirmTotp(self, { code })).toEqual({ ok: false, refusal: "wrong-code" });
  expect(await offeredTotp(self)).toEqual({ secret, uri });
  const code = await codeNow(secret);
  const both = await Promise.all([confirmTotp(self, { code }), confirmTotp(self, { code })]);
  expect(begun(both)).toBe(1);
  expect(await offeredTotp(self)).toBeUndefined();
  expect(await beginTotp(self)).toEqual({ ok: false, refusal: "not-found" });
});

test("a new secret is shown to and confirmed by the session that made it alone, for a quarter of an hour", async () => {
  const { self, email } = await somebody();
  const elsewhere = await selfIn((await beginSession(store, { email, password }))?.sessionId ?? "");
  const { secret } = await done(beginTotp(self));
  expect(await offeredTotp(elsewhere)).toBeUndefined();
  expect(await confirmTotp(elsewhere, { code: await codeNow(secret) })).toEqual({ ok: false, refusal: "not-found" });
  const createdAt = new Date(Date.now() - 16 * 60_000);
  await store.prisma.totp.update({ where: { personId: self.actor.id }, data: { createdAt } });
  expect(await offeredTotp(self)).toBeUndefined();
  expect(await confirmTotp(self, { code: await codeNow(secret) })).toEqual({ ok: false, refusal: "not-found" });
  await sweepSignIns(store);
  expect(await store.prisma.totp.count({ where: { personId: self.actor.id } })).toBe(0);
});

test.each<[string, (self: Self) => Promise<unknown>]>([
  ["its session is signed out", ({ sessionId }) => revokeSession(store, sessionId)],
  ["its session is ended", (self) => endOwnSessions(self, { only: self.sessionId })],
  ["all sessions are ended", (self) => endOwnSessions(self, {})],
  [
    "the password is changed",
    async (self) =>
      done(
        changeOwnPassword(self, { sessionId: self.sessionId, present: password, password: "another kettle 4 tulips" }),
      ),
  ],
])("a new secret is dropped where %s, and no later session finds it", async (_, end) => {
  const { self } = await somebody();
  await done(beginTotp(self));
  await end(self);
  expect(await store.prisma.totp.count({ where: { personId: self.actor.id } })).toBe(0);
});

test("a new secret stays where another session is ended, and so does an app that counts", async () => {
  const { self, email } = await somebody();
  const elsewhere = await selfIn((await beginSession(store, { email, password }))?.sessionId ?? "");
  const { secret } = await done(beginTotp(self));
  await endOwnSessions(self, { only: elsewhere.sessionId });
  await endOwnSessions(self, { except: self.sessionId });
  await done(showingCode(secret, (code) => confirmTotp(self, { code })));
  await endOwnSessions(self, {});
  expect((await loadSecondFactors(store, self.actor.id)).totpSince).toBeInstanceOf(Date);
});

test("the audit log has who added, removed or failed to show which factor, and no code", async () => {
  const { self, secret, aTicket } = await withApp();
  await finishSignIn(store, { ticket: await aTicket(), code: "000000" });
  await done(remakeRecoveryCodes(self));
  await done(removeTotp(self));
  const mine = (await entriesOf({ store }, "people")).filter(({ actor }) => actor === `person:${self.actor.id}`);
  expect(mine.map(({ act }) => act)).toEqual([
    "person.signed-in",
    "person.second-factor-added",
    "person.second-factor-failed",
    "person.recovery-codes-made",
    "person.second-factor-removed",
  ]);
  expect(mine[1]?.detail).toEqual({ person: self.actor.id, kind: "totp" });
  expect(JSON.stringify(mine)).not.toContain(secret);
});

test("another person's proof reaches no session by a malformed or unknown id", async () => {
  const { self } = await withApp();
  const stranger = { personId: uuidv7(), sessionId: self.sessionId };
  expect(await proveSession(store, stranger, { typed: password })).toBeUndefined();
});
