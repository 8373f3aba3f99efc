import { afterAll, beforeAll, expect, test } from "vitest";
import { beginTotp, confirmTotp } from "#lib/person/second-factor/own-totp";
import { type Store, unscoped } from "#lib/db/db";
import { openWholeStore } from "#test/support/database/whole-store";
import { createSession } from "#lib/person/store/people";
import { liveSession } from "#lib/person/shared/live-session";
import { storeForPerson } from "#lib/db/for-practices";
import { releaseGate } from "#lib/gate/release-gate";
import { done, entriesOf, operator } from "#test/support/people/admin";
import { aChannel, aHeldTask, aPerson, aStore, keyPepper, sealingKey } from "#test/support/cases/cases";
import { testDatabase } from "#test/support/database/fresh-database";
import { showingCode } from "#test/support/people/totp";
import { changeChannelAccess } from "#lib/channel/change-channel-access";
import { createPractice } from "./create-practice.ts";
import { listPeople } from "#lib/person/list-people";
import { resetSecondFactor } from "#lib/person/reset-second-factor";
import { rotateKey } from "#lib/channel/rotate-key";
import { setSecondFactor } from "./set-second-factor.ts";

let store: Store;
/** As a process sees it whose operator set SECOND_FACTOR=required. */
let strict: Store;
beforeAll(() => {
  store = aStore();
  strict = openWholeStore({
    url: testDatabase.appUrl,
    sealingKey,
    keyPepper,
    adminsSecondFactor: true,
    connectionsMax: 4,
  });
});
afterAll(() => Promise.all([store.close(), strict.close()]));

/** Who somebody is in a session of theirs, as each request of it reads it anew. */
async function inSession(over: Store, sessionId: string) {
  const session = await liveSession(unscoped(over), sessionId);
  if (!session) throw new Error("the session is over");
  const { actor, lacksSecondFactor } = session;
  return { actor, lacksSecondFactor, sessionId, store: storeForPerson(over, actor) };
}

async function enrol(over: Store, sessionId: string): Promise<void> {
  const self = await inSession(over, sessionId);
  const { secret } = await done(beginTotp(self));
  await done(showingCode(secret, (code) => confirmTotp(self, { code })));
}

test("where a practice requires it, a reviewer without a second factor decides nothing until they have one", async () => {
  const { practiceId, reviewer, taskId, seen } = await aHeldTask(store);
  const { id: sessionId } = await createSession(store, { personId: reviewer.actor.id });
  expect(await inSession(store, sessionId)).toMatchObject({
    lacksSecondFactor: false,
    actor: { practices: [practiceId] },
  });
  const ctx = { actor: operator, store };
  await done(setSecondFactor(ctx, { practiceId, required: true }));
  const closed = await inSession(store, sessionId);
  expect(closed).toMatchObject({ lacksSecondFactor: true, actor: { practices: [], roles: [] } });
  expect(await releaseGate(closed, { taskId, seen })).toEqual({ ok: false, refusal: { type: "not-found" } });
  await enrol(store, sessionId);
  expect(await releaseGate(await inSession(store, sessionId), { taskId, seen })).toMatchObject({ ok: true });
  const { id: another } = await createSession(store, { personId: reviewer.actor.id });
  expect(await inSession(store, another)).toMatchObject({ lacksSecondFactor: true });
  await done(setSecondFactor(ctx, { practiceId, required: false }));
  expect(await inSession(store, another)).toMatchObject({ lacksSecondFactor: false });
  const acts = (await entriesOf({ store }, practiceId)).filter(({ act }) => act === "practice.second-factor-set");
  expect(acts.map(({ detail }) => detail)).toEqual([{ required: true }, { required: false }]);
});

test.each(["admin", "auditor"] as const)("where the operator requires it, an %s has no power without", async (role) => {
  const { actor } = await aPerson(store, { practices: [], roles: [role] });
  const { id: sessionId } = await createSession(store, { personId: actor.id });
  expect(await inSession(store, sessionId)).toMatchObject({ lacksSecondFactor: false, actor: { roles: [role] } });
  const closed = await inSession(strict, sessionId);
  expect(closed.actor).toMatchObject({ roles: [], administers: [], audits: [] });
  const practice = { id: `never-${actor.id}`, name: "Never", environment: "test" } as const;
  const notAuthorised = { ok: false, refusal: { type: "not-authorised" } };
  expect(await createPractice(closed, practice)).toEqual(notAuthorised);
  expect(await listPeople(closed)).toEqual(notAuthorised);
  await enrol(strict, sessionId);
  expect(await inSession(strict, sessionId)).toMatchObject({ lacksSecondFactor: false, actor: { roles: [role] } });
});

test("a reset removes every factor and ends the sessions; an administrator of another practice may not do it", async () => {
  const { reviewer, practiceId } = await aHeldTask(store);
  const { id: sessionId } = await createSession(store, { personId: reviewer.actor.id });
  await enrol(store, sessionId);
  const other = await aPerson(store, { practices: [(await aHeldTask(store)).practiceId], roles: ["admin"] });
  const by = (actor: typeof other.actor) => ({ store, actor: { ...actor, provedAt: new Date() } });
  const { id } = reviewer.actor;
  expect(await resetSecondFactor(by(other.actor), { id })).toMatchObject({ refusal: { type: "not-found" } });
  const admin = await aPerson(store, { practices: [practiceId], roles: ["admin"] });
  expect(await resetSecondFactor(admin, { id })).toEqual({ ok: false, refusal: { type: "proof-needed" } });
  expect(await resetSecondFactor(by(admin.actor), { id })).toEqual({ ok: true, value: { id, sessionsEnded: 1 } });
  expect(await liveSession(unscoped(store), sessionId)).toBeUndefined();
  expect(await store.prisma.totp.count({ where: { personId: id } })).toBe(0);
  expect(await store.prisma.recoveryCode.count({ where: { personId: id } })).toBe(0);
  const last = (await entriesOf({ store }, "people")).findLast(({ act }) => act === "person.second-factors-reset");
  expect(last).toMatchObject({
    actor: `person:${admin.actor.id}`,
    detail: { person: id, totp: 1, recoveryCodes: 10, sessionsEnded: 1 },
  });
});

test("a new key, and more permissions for a channel, need a new proof; fewer permissions need none", async () => {
  const { practiceId } = await aHeldTask(store);
  const channel = await aChannel(store, { practices: [practiceId], atoms: ["tasks_get"] });
  const { actor } = await aPerson(store, { practices: [practiceId], roles: ["admin"] });
  const needed = { ok: false, refusal: { type: "proof-needed" } };
  const stale = { store, actor: { ...actor, provedAt: new Date(Date.now() - 11 * 60_000) } };
  const fresh = { store, actor: { ...actor, provedAt: new Date() } };
  const channelId = channel.actor.id;
  const wide = { channelId, practices: [practiceId], atoms: ["tasks_get", "prior_auth_intake"] };
  expect(await rotateKey(stale, { channelId })).toEqual(needed);
  expect(await changeChannelAccess(stale, wide)).toEqual(needed);
  expect(await rotateKey(fresh, { channelId })).toMatchObject({ ok: true });
  expect(await changeChannelAccess(fresh, wide)).toMatchObject({ ok: true });
  expect(await changeChannelAccess(stale, { ...wide, atoms: ["tasks_get"] })).toMatchObject({ ok: true });
});
