import { afterAll, beforeAll, expect, test } from "vitest";
import { unlinkOwnAccount } from "#lib/person/sso/own-link";
import { type Store } from "#lib/db/db";
import { openWholeStore } from "#test/support/database/whole-store";
import type { PersonActor } from "#lib/access/model/actor";
import { powersOf, type Grant } from "#lib/access/model/grant";
import { issuerName } from "#lib/person/model/identity";
import { done, fresh, linkOf, operator, proved } from "#test/support/people/admin";
import { aPerson, aPractice, sealingKey } from "#test/support/cases/cases";
import { dropClone, freshDatabase, type TestDatabase } from "#test/support/database/fresh-database";
import { changeGrants } from "./change-grants.ts";
import { disablePerson } from "./disable-person.ts";
import { invitePerson } from "./invite-person.ts";
import { linkPerson, unlinkPerson } from "./link-person.ts";
import { renewLink } from "./renew-link.ts";
import { resetSecondFactor } from "./reset-second-factor.ts";
import { setSsoOnly } from "#lib/practice/set-sso-only";

// A database of this file's own, where nobody else administers anything.
let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await freshDatabase();
  store = openWholeStore({ url: database.appUrl, sealingKey, connectionsMax: 6 });
});
afterAll(async () => {
  await store.close();
  await dropClone(database);
});

const issuer = issuerName("https://idp.example");
const lastAdmin = { ok: false, refusal: { type: "last-admin" } };
const ctx = () => ({ actor: operator, store });
const holding = (grants: readonly Grant[], more: Partial<PersonActor> = {}) => ({
  actor: proved({ kind: "person", id: crypto.randomUUID(), name: "Somebody", ...powersOf(grants), ...more }),
  store,
});
const everywhere = holding.bind(undefined, [{ role: "admin" }]);
const anAdmin = async () => (await aPerson(store, { practices: [], roles: ["admin"] })).actor.id;

/** Everything an admin could do that leaves this one unable to sign in and administer. */
const takings = (id: string, by: ReturnType<typeof everywhere>) => [
  () => changeGrants(by, { id, remove: [{ role: "admin" }] }),
  () => disablePerson(by, { id }),
  () => renewLink(by, { id }),
];

/** Leaves nobody who administers everything. */
async function nobodyLeft() {
  await store.prisma.person.updateMany({ data: { everywhere: [] } });
}

test("the last person who can sign in and administer every practice cannot be removed by anyone signed in, themselves included", async () => {
  await nobodyLeft();
  const id = await anAdmin();
  for (const by of [everywhere(), everywhere({ id })])
    for (const take of takings(id, by)) expect(await take()).toEqual(lastAdmin);
  await anAdmin();
  expect(await done(changeGrants(everywhere({ id }), { id, remove: [{ role: "admin" }] }))).toMatchObject({
    grants: [],
  });
});

test("an administrator who was only invited, is deactivated, or cannot sign in does not count as another", async () => {
  await nobodyLeft();
  const id = await anAdmin();
  await linkOf(invitePerson(ctx(), { email: `${fresh("x")}@clinic.example`, roles: [{ role: "admin" }] }));
  await done(disablePerson(ctx(), { id: await anAdmin() }));
  await done(renewLink(ctx(), { id: await anAdmin() }));
  for (const take of takings(id, everywhere())) expect(await take()).toEqual(lastAdmin);
});

test("no practice requires single sign-on while no administrator of every practice can use it", async () => {
  await nobodyLeft();
  const [practiceId, id, other] = [await aPractice(store), await anAdmin(), await anAdmin()];
  const local = holding([{ role: "admin", practiceId }], { issuer });
  const set = () => setSsoOnly(local, { practiceId, on: true });
  expect(await set()).toEqual({ ok: false, refusal: { type: "admins-unlinked" } });
  await done(linkPerson(ctx(), { id, issuer, subject: fresh("subject") }));
  expect(await set()).toMatchObject({ ok: true });
  // The other has a password alone, which opens nothing now.
  for (const take of takings(id, everywhere())) expect(await take()).toEqual(lastAdmin);
  expect(await unlinkPerson(everywhere(), { id, issuer })).toEqual(lastAdmin);
  await done(linkPerson(ctx(), { id: other, issuer, subject: fresh("subject") }));
  expect(await unlinkPerson(everywhere(), { id, issuer })).toMatchObject({ ok: true });
  await done(setSsoOnly(ctx(), { practiceId, on: false }));
});

test("requiring single sign-on and unlinking the last linked administrator at once leaves one who can sign in", async () => {
  await nobodyLeft();
  const [practiceId, id] = [await aPractice(store), await anAdmin()];
  await done(linkPerson(ctx(), { id, issuer, subject: fresh("subject") }));
  const local = holding([{ role: "admin", practiceId }], { issuer });
  await anAdmin();
  const [set, unlinked] = await Promise.all([
    setSsoOnly(local, { practiceId, on: true }),
    unlinkPerson(everywhere(), { id, issuer }),
  ]);
  expect([set.ok, unlinked.ok].filter(Boolean)).toHaveLength(1);
  await done(setSsoOnly(ctx(), { practiceId, on: false }));
});

test("requiring single sign-on reports everyone it locks out, people with a role over every practice included", async () => {
  await nobodyLeft();
  const [practiceId, id] = [await aPractice(store), await anAdmin()];
  await anAdmin();
  await aPerson(store, { practices: [practiceId] });
  await aPerson(store, { practices: [await aPractice(store)] });
  await done(linkPerson(ctx(), { id, issuer, subject: fresh("subject") }));
  const set = (on: boolean) => done(setSsoOnly(ctx(), { practiceId, on, hasProvider: true }));
  expect(await set(true)).toEqual({ unlinked: 2 });
  await set(false);
});

test("an account of another provider does not count as single sign-on", async () => {
  await nobodyLeft();
  const [practiceId, id, other] = [await aPractice(store), await anAdmin(), await anAdmin()];
  await done(linkPerson(ctx(), { id, issuer, subject: fresh("subject") }));
  await done(linkPerson(ctx(), { id: other, issuer: "https://gone.example", subject: fresh("subject") }));
  await done(setSsoOnly({ actor: operator, store }, { practiceId, on: true, hasProvider: true }));
  for (const by of [everywhere({ issuer }), everywhere()])
    expect(await unlinkPerson(by, { id, issuer })).toEqual(lastAdmin);
  for (const take of takings(id, everywhere({ issuer }))) expect(await take()).toEqual(lastAdmin);
  expect(await unlinkPerson(everywhere({ issuer }), { id: other, issuer: "https://gone.example" })).toMatchObject({
    ok: true,
  });
  await done(setSsoOnly(ctx(), { practiceId, on: false }));
});

test("unlinking one's own account under single sign-on leaves an administrator who can sign in", async () => {
  const practiceId = await aPractice(store);
  const local = holding([{ role: "admin", practiceId }], { issuer });
  for (let round = 0; round < 5; round += 1) {
    await nobodyLeft();
    const id = await anAdmin();
    await done(linkPerson(ctx(), { id, issuer, subject: fresh("subject") }));
    const self = { ...everywhere({ id, issuer }), sessionId: crypto.randomUUID() };
    const outcomes = await Promise.all([setSsoOnly(local, { practiceId, on: true }), unlinkOwnAccount(self, issuer)]);
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    await done(setSsoOnly(ctx(), { practiceId, on: false }));
  }
});

test("the last administrator's only passkey is not reset where they have no password", async () => {
  await nobodyLeft();
  const id = await anAdmin();
  await store.prisma.person.update({ where: { id }, data: { passwordHash: null } });
  const passkey = { id: fresh("passkey"), personId: id, name: "Key", publicKey: Buffer.alloc(1), counter: 0n };
  await store.prisma.passkey.create({ data: { ...passkey, transports: [] } });
  expect(await resetSecondFactor(everywhere(), { id })).toEqual(lastAdmin);
  await anAdmin();
  expect(await resetSecondFactor(everywhere(), { id })).toMatchObject({ ok: true });
});

test("the operator can remove even the last administrator", async () => {
  await nobodyLeft();
  const id = await anAdmin();
  expect(await disablePerson(ctx(), { id })).toMatchObject({ ok: true });
});
