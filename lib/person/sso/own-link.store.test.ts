import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { mapGroup } from "#lib/person/map-group";
import { setSsoOnly } from "#lib/practice/set-sso-only";
import type { SsoIdentity } from "#lib/person/model/identity";
import { hasRecentProof } from "#lib/access/model/proof";
import { createSession } from "#lib/person/store/people";
import { sessionActor } from "#lib/person/shared/live-session";
import { proofKindOf } from "#lib/person/shared/proof-kind-of";
import { done, entriesOf, fresh, operator } from "#test/support/people/admin";
import { aPerson, aPractice, aStore } from "#test/support/cases/cases";
import type { Self } from "#lib/person/second-factor/own-factors";
import { linkOwnAccount, ownLink, proveByProvider, unlinkOwnAccount } from "./own-link.ts";
import { hashPassword } from "#lib/person/sign-in/password";
import { proveSession } from "#lib/person/sign-in/prove-session";
import { signInBySso } from "./sso-sign-in.ts";

const store = aStore();
const ctx = { actor: operator, store };
const issuer = "https://login.example/";
const password = "wander tulip 9 kettle";

let passwordHash: string;
let practiceId: string;
beforeAll(async () => {
  passwordHash = await hashPassword(password);
});
beforeEach(async () => {
  practiceId = await aPractice(store);
});
afterAll(() => store.close());

const anIdentity = (more: Partial<SsoIdentity> = {}): SsoIdentity => ({
  ...{ issuer, subject: uuidv7(), groups: [], hasSecondFactor: false, authTime: new Date() },
  ...more,
});

/** Somebody with a password, and themselves in a session of it. */
async function somebody() {
  const { actor } = await aPerson(store, { practices: [practiceId] });
  await store.prisma.person.update({ where: { id: actor.id }, data: { passwordHash } });
  const { id: sessionId } = await createSession(store, { personId: actor.id });
  return selfIn(sessionId);
}

async function selfIn(sessionId: string | undefined): Promise<Self> {
  const actor = await sessionActor(store, sessionId ?? "");
  if (!actor || sessionId === undefined) throw new Error("not signed in");
  return { actor, store, sessionId };
}

/** Somebody linked, in a session that they came to through the provider. */
async function comesBySso(more: Partial<SsoIdentity> = {}) {
  const [self, identity] = [await somebody(), anIdentity(more)];
  await done(linkOwnAccount(self, identity));
  return { identity, self: await selfIn((await signInBySso(store, identity))?.sessionId), byPassword: self };
}

const age = (sessionId: string) =>
  store.prisma.session.update({ where: { id: sessionId }, data: { provedAt: new Date(0) } });
const aged = async ({ sessionId }: Self) => {
  await age(sessionId);
  return selfIn(sessionId);
};
const proves = async ({ sessionId }: Self) => hasRecentProof((await selfIn(sessionId)).actor, new Date());
const refused = (refusal: string) => ({ ok: false, refusal });
const actsOf = async (id: string) =>
  (await entriesOf(ctx, "people")).filter(({ actor }) => actor === `person:${id}`).map(({ act }) => act);

describe("one's own account at the provider", () => {
  test("is linked for a new proof alone, signs in from then on, and linking it again changes nothing", async () => {
    const [self, identity] = [await somebody(), anIdentity()];
    expect(await linkOwnAccount(await aged(self), identity)).toEqual(refused("proof-needed"));
    expect(await ownLink(self, issuer)).toBeUndefined();
    await done(linkOwnAccount(self, identity));
    await done(linkOwnAccount(self, identity));
    expect(await ownLink(self, issuer)).toMatchObject({ subject: identity.subject, canSignInOtherwise: true });
    expect(await signInBySso(store, identity)).toMatchObject({ personId: self.actor.id });
    expect(await actsOf(self.actor.id)).toEqual(["person.signed-in", "person.linked", "person.signed-in"]);
    expect(JSON.stringify(await entriesOf(ctx, "people"))).not.toContain(identity.subject);
  });

  test("is refused where it is somebody else's, or another is linked already, and is one's alone of two at once", async () => {
    const [mine, theirs, shared] = [await somebody(), await somebody(), anIdentity()];
    const raced = await Promise.all([mine, theirs].map((self) => linkOwnAccount(self, shared)));
    expect(raced.filter(({ ok }) => ok)).toHaveLength(1);
    expect(raced.find(({ ok }) => !ok)).toEqual(refused("taken"));
    const owner = raced[0]?.ok ? mine : theirs;
    expect(await linkOwnAccount(owner, anIdentity())).toEqual(refused("another"));
  });

  test("is unlinked for a new proof, with the sessions and roles it gave, while another way in remains", async () => {
    const [group, there] = [fresh("spine"), await aPractice(store)];
    await done(mapGroup(ctx, { issuer, group, role: "reviewer", practiceId: there }));
    const { self, byPassword, identity } = await comesBySso({ groups: [group] });
    expect(self.actor.practices).toEqual([practiceId, there].toSorted());
    expect(await unlinkOwnAccount(await aged(self), issuer)).toEqual(refused("proof-needed"));
    await done(unlinkOwnAccount(byPassword, issuer));
    expect(await sessionActor(store, self.sessionId)).toBeUndefined();
    expect((await selfIn(byPassword.sessionId)).actor.practices).toEqual([practiceId]);
    expect(await signInBySso(store, identity)).toBeUndefined();
    expect(await unlinkOwnAccount(byPassword, issuer)).toEqual(refused("not-found"));
  });

  test("is not unlinked by whoever has no password or passkey, or whose practice shuts passwords out", async () => {
    const { self } = await comesBySso();
    await done(setSsoOnly(ctx, { practiceId, on: true, hasProvider: true }));
    expect(await unlinkOwnAccount(self, issuer)).toEqual(refused("last-way"));
    await done(setSsoOnly(ctx, { practiceId, on: false }));
    await store.prisma.person.update({ where: { id: self.actor.id }, data: { passwordHash: null } });
    expect(await ownLink(self, issuer)).toMatchObject({ canSignInOtherwise: false });
    expect(await unlinkOwnAccount(self, issuer)).toEqual(refused("last-way"));
    const passkey = { id: uuidv7(), name: "Laptop", publicKey: new Uint8Array(1), counter: 0, transports: [] };
    await store.prisma.passkey.create({ data: { personId: self.actor.id, ...passkey } });
    await done(unlinkOwnAccount(self, issuer));
  });
});

describe("a session begun through the provider", () => {
  test("proves who somebody is from when they showed the provider, and not at all where that is not told", async () => {
    const tenMinutesAgo = new Date(Date.now() - 600_000);
    const inAnHour = new Date(Date.now() + 3_600_000);
    const { identity } = await comesBySso();
    const proved = async (authTime: Date | undefined) =>
      proves(await selfIn((await signInBySso(store, { ...identity, authTime }))?.sessionId));
    expect([await proved(new Date()), await proved(tenMinutesAgo), await proved(undefined)]).toEqual([
      true,
      false,
      false,
    ]);
    const ahead = await selfIn((await signInBySso(store, { ...identity, authTime: inAnHour }))?.sessionId);
    expect(ahead.actor.provedAt?.getTime()).toBeLessThanOrEqual(Date.now());
  });

  test("is proved anew by the provider and not by the password, though the practice allows passwords", async () => {
    const { self, identity, byPassword } = await comesBySso();
    const [old, other] = [await aged(self), await aged(byPassword)];
    expect(await proofKindOf(store, old.actor)).toBe("provider");
    expect(await proofKindOf(store, other.actor)).toBe("password");
    const session = { personId: old.actor.id, sessionId: old.sessionId };
    expect(await proveSession(store, session, { typed: password })).toBeUndefined();
    expect(await proves(old)).toBe(false);
    await done(proveByProvider(old, identity));
    expect(await proves(old)).toBe(true);
    expect(await proves(other)).toBe(false);
    const last = (await entriesOf(ctx, "people")).findLast(({ act }) => act === "person.proved-again");
    expect(last).toMatchObject({ actor: `person:${old.actor.id}`, detail: { session: old.sessionId, issuer } });
  });

  test("is proved by nobody else's account, of nobody who was unlinked, and no session of a password is", async () => {
    const { self, identity, byPassword } = await comesBySso();
    const colleague = await comesBySso();
    const old = await aged(self);
    expect(await proveByProvider(old, colleague.identity)).toEqual(refused("not-you"));
    expect(await proveByProvider(old, anIdentity())).toEqual(refused("not-you"));
    expect(await proveByProvider(await aged(byPassword), identity)).toEqual(refused("not-you"));
    await store.prisma.personIdentity.deleteMany({ where: { personId: old.actor.id } });
    expect(await proveByProvider(old, identity)).toEqual(refused("not-you"));
    expect(await proves(old)).toBe(false);
  });

  test("of somebody with a second factor here takes that one, unless the provider says it was shown one", async () => {
    const { self, identity } = await comesBySso();
    const data = { personId: self.actor.id, secret: new Uint8Array(1), confirmedAt: new Date() };
    await store.prisma.totp.create({ data });
    const old = await aged(self);
    expect(await proofKindOf(store, old.actor)).toBe("code");
    expect(await proveByProvider(old, identity)).toEqual(refused("own-factor"));
    expect(await proves(old)).toBe(false);
    await done(proveByProvider(old, { ...identity, hasSecondFactor: true }));
    const session = await store.prisma.session.findUniqueOrThrow({ where: { id: old.sessionId } });
    expect(session.secondFactorAt).toBeInstanceOf(Date);
  });
});

test("where a practice requires single sign-on, a password is no proof in an earlier password session", async () => {
  const self = await aged(await somebody());
  const session = { personId: self.actor.id, sessionId: self.sessionId };
  await done(setSsoOnly(ctx, { practiceId, on: true, hasProvider: true }));
  expect(await proveSession(store, session, { typed: password })).toBeUndefined();
  await done(setSsoOnly(ctx, { practiceId, on: false }));
  expect(await proveSession(store, session, { typed: password })).toBeInstanceOf(Date);
});
