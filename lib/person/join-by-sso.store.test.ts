import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { beginSession } from "#lib/person/session/begin-session";
import type { SsoIdentity } from "#lib/person/model/identity";
import { sessionActor } from "#lib/person/shared/live-session";
import { done, entriesOf, everything, fresh, linkOf, operator, proved } from "#test/support/people/admin";
import { aPerson, aPractice, aStore } from "#test/support/cases/cases";
import { changeGrants } from "./change-grants.ts";
import { acceptLink, openLink } from "./choose-password.ts";
import { disablePerson } from "./disable-person.ts";
import { invitePerson } from "./invite-person.ts";
import { joinBySso } from "./join-by-sso.ts";
import { linkPerson } from "./link-person.ts";
import { mapGroup } from "./map-group.ts";
import { renewLink } from "./renew-link.ts";
import { setSsoOnly } from "#lib/practice/set-sso-only";

const store = aStore();
const ctx = { actor: operator, store };
const issuer = "https://login.example/";
const password = "wander tulip 9 kettle";

let practiceId: string;
beforeEach(async () => {
  practiceId = await aPractice(store);
});
afterAll(() => store.close());

const anInvitation = () =>
  linkOf(invitePerson(ctx, { email: `${fresh("dana")}@clinic.example`, roles: [{ role: "reviewer", practiceId }] }));
const anIdentity = (more: Partial<SsoIdentity> = {}): SsoIdentity => ({
  ...{ issuer, subject: uuidv7(), groups: [], hasSecondFactor: false },
  ...more,
});
const take = (token: string, identity: SsoIdentity, name = "Dana Whitfield") =>
  joinBySso(store, { token, name, identity });
const refused = (refusal: string) => ({ ok: false, refusal });
const linksOf = (personId: string) =>
  store.prisma.personIdentity.findMany({ where: { personId }, select: { issuer: true, subject: true } });

describe("an invitation taken up through the provider", () => {
  test("links issuer and subject, gives what it says and what groups give, and signs in, all at once", async () => {
    const [{ id, token }, identity] = [await anInvitation(), anIdentity({ groups: [fresh("spine")] })];
    const there = await aPractice(store);
    await done(mapGroup(ctx, { issuer, group: identity.groups[0] ?? "", role: "auditor", practiceId: there }));
    const { sessionId } = await done(take(token, identity, " Dana "));
    expect(await sessionActor(store, sessionId ?? "")).toMatchObject({
      ...{ id, name: "Dana", issuer },
      ...{ roles: ["reviewer", "auditor"], practices: [practiceId], audits: [there] },
    });
    expect(await linksOf(id)).toEqual([{ issuer, subject: identity.subject }]);
    const entries = (await entriesOf(ctx, "people")).filter(({ actor }) => actor === `person:${id}`);
    expect(entries.map(({ act }) => act)).toEqual(["person.joined", "person.signed-in"]);
    expect(entries[0]?.detail).toMatchObject({ person: id, issuer });
    expect(JSON.stringify(entries)).not.toContain(identity.subject);
    expect(await take(token, identity)).toEqual(refused("link-gone"));
    expect(await acceptLink(store, { token, name: "Dana", password })).toMatchObject({ ok: false });
  });

  test("by an account whose email is another person's is this person's all the same, for no email is looked at", async () => {
    const { actor: colleague } = await aPerson(store, { practices: [practiceId] });
    const { id, token } = await anInvitation();
    const identity = anIdentity({ subject: `${colleague.id}@example.org` });
    expect(await done(take(token, identity))).toMatchObject({ personId: id });
    expect(await linksOf(colleague.id)).toEqual([]);
  });

  test("is one's alone of two accounts that take it up at once, and of two invitations one links an account", async () => {
    const one = await anInvitation();
    const [first, second] = [anIdentity(), anIdentity()];
    const raced = await Promise.all([first, second].map((identity) => take(one.token, identity)));
    expect(raced.filter(({ ok }) => ok)).toHaveLength(1);
    expect(raced.find(({ ok }) => !ok)).toEqual(refused("link-gone"));
    expect(await linksOf(one.id)).toHaveLength(1);

    const [two, three, shared] = [await anInvitation(), await anInvitation(), anIdentity()];
    const both = await Promise.all([two, three].map(({ token }) => take(token, shared)));
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    expect(both.find(({ ok }) => !ok)).toEqual(refused("taken"));
  });

  test("is refused for a colleague's account, for another than the one an administrator linked, and without a name, and works on", async () => {
    const identity = anIdentity();
    const [mine, theirs] = [await anInvitation(), await aPerson(store, { practices: [practiceId] })];
    await done(linkPerson(ctx, { id: theirs.actor.id, issuer, subject: identity.subject }));
    const before = await everything(store);
    expect(await take(mine.token, identity)).toEqual(refused("taken"));
    expect(await take(mine.token, anIdentity(), " ")).toEqual(refused("name"));
    expect(await everything(store)).toEqual(before);
    const linked = anIdentity();
    await done(linkPerson(ctx, { id: mine.id, issuer, subject: linked.subject }));
    expect(await take(mine.token, anIdentity())).toEqual(refused("another"));
    expect(await openLink(store, mine.token)).toMatchObject({ ok: true });
    expect(await done(take(mine.token, linked))).toMatchObject({ personId: mine.id });
  });

  test("is gone once its person may do more, or its giver could not give it any more", async () => {
    const [wider, fallen] = [await anInvitation(), await aPractice(store)];
    const add = [{ role: "reviewer", practiceId: fallen }];
    await done(changeGrants(ctx, { id: wider.id, add }));
    expect(await take(wider.token, anIdentity())).toEqual(refused("link-gone"));
    const { actor } = await aPerson(store, { practices: [fallen], roles: ["admin"] });
    const input = { email: `${fresh("sam")}@clinic.example`, roles: add };
    const { token } = await linkOf(invitePerson({ actor: proved(actor), store }, input));
    await done(disablePerson(ctx, { id: actor.id }));
    expect(await take(token, anIdentity())).toEqual(refused("link-gone"));
  });

  test("is over after its time, gone once it was replaced, and of a disabled person nobody's", async () => {
    const [first, closed] = [await anInvitation(), await anInvitation()];
    const { token } = await done(renewLink(ctx, first));
    expect(await take(first.token, anIdentity())).toEqual(refused("link-gone"));
    await store.prisma.passwordLink.update({ where: { personId: first.id }, data: { expiresAt: new Date(0) } });
    expect(await take(token, anIdentity())).toEqual(refused("link-over"));
    await store.prisma.person.update({ where: { id: closed.id }, data: { status: "disabled" } });
    expect(await take(closed.token, anIdentity())).toEqual(refused("link-gone"));
    expect(await take("", anIdentity())).toEqual(refused("link-gone"));
  });

  test("is the only way where the practice shuts out passwords", async () => {
    const { token, email } = await anInvitation();
    await done(setSsoOnly(ctx, { practiceId, on: true, hasProvider: true }));
    expect(await openLink(store, token)).toMatchObject({ ok: true, value: { isPasswordShut: true } });
    const accepted = await acceptLink(store, { token, name: "Dana", password });
    expect(accepted).toEqual({ ok: false, refusal: { type: "password-shut" } });
    expect(await beginSession(store, { email, password })).toBeUndefined();
    const { sessionId } = await done(take(token, anIdentity()));
    expect(await sessionActor(store, sessionId ?? "")).toMatchObject({ practices: [practiceId] });
    await done(setSsoOnly(ctx, { practiceId, on: false }));
  });
});

test("a link sent in place of a password links as well, ends every session, and asks for the second factor there is", async () => {
  const { id, email, token: invitation } = await anInvitation();
  await done(acceptLink(store, { token: invitation, name: "Dana", password }));
  await store.prisma.totp.create({ data: { personId: id, secret: new Uint8Array(1), confirmedAt: new Date() } });
  const before = await store.prisma.session.create({ data: { id: uuidv7(), personId: id, expiresAt: inAnHour() } });
  const { token } = await done(renewLink(ctx, { id }));
  const identity = anIdentity();
  expect(await done(take(token, identity, ""))).toEqual({ personId: id, issuer });
  expect(await sessionActor(store, before.id)).toBeUndefined();
  expect(await linksOf(id)).toEqual([{ issuer, subject: identity.subject }]);
  expect(await store.prisma.person.findUnique({ where: { id } })).toMatchObject({ name: "Dana", passwordHash: null });
  expect(await beginSession(store, { email, password })).toBeUndefined();
});

function inAnHour(): Date {
  return new Date(Date.now() + 3_600_000);
}
