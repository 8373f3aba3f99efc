import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { beginSession } from "#lib/person/session/begin-session";
import type { Role } from "#lib/access/model/actor";
import { sessionActor } from "#lib/person/shared/live-session";
import { done, entriesOf, fresh, linkOf, operator, proved } from "#test/support/people/admin";
import { aChannel, aPerson, aPractice, aStore } from "#test/support/cases/cases";
import { acceptLink, changeOwnPassword, openLink } from "./choose-password.ts";
import { changeGrants } from "./change-grants.ts";
import { disablePerson } from "./disable-person.ts";
import { enablePerson } from "./enable-person.ts";
import { endOwnSessions, endSessions, listOwnSessions } from "./end-sessions.ts";
import { setChannelOwner } from "#lib/channel/set-channel-owner";
import { linkPerson } from "./link-person.ts";
import { invitePerson } from "./invite-person.ts";
import { renewLink } from "./renew-link.ts";
import { showPerson } from "./show-person.ts";
import { withdrawInvitation } from "./withdraw-invitation.ts";

const store = aStore();
const ctx = { actor: operator, store };
const password = "wander tulip 9 kettle";
let practiceId: string;

beforeAll(async () => {
  practiceId = await aPractice(store);
});
afterAll(() => store.close());

const anInvitation = () =>
  linkOf(invitePerson(ctx, { email: `${fresh("dana")}@clinic.example`, roles: [{ role: "reviewer", practiceId }] }));

async function aMember() {
  const { token, ...rest } = await anInvitation();
  await done(acceptLink(store, { token, name: "Dana Whitfield", password }));
  return rest;
}

async function aSession(email: string, from = {}) {
  const begun = await beginSession(store, { email, password }, from);
  if (!begun) throw new Error("cannot sign in");
  return begun.sessionId;
}

const gone = { ok: false, refusal: { type: "link-gone" } };

describe("an invitation", () => {
  test("lets its person choose name and password, and gives exactly its roles", async () => {
    const { id, email, token } = await anInvitation();
    expect(await beginSession(store, { email, password: "" })).toBeUndefined();
    expect(await openLink(store, token)).toMatchObject({ ok: true, value: { email, isInvitation: true } });
    expect(await acceptLink(store, { token, name: " Dana ", password })).toMatchObject({ ok: true, value: { email } });
    expect(await sessionActor(store, await aSession(email))).toMatchObject({
      id,
      name: "Dana",
      roles: ["reviewer"],
      practices: [practiceId],
    });
  });

  test("is used once, also by two concurrent requests", async () => {
    const { email, token } = await anInvitation();
    const passwords = [`${password} one`, `${password} two`];
    const results = await Promise.all(
      passwords.map((chosen) => acceptLink(store, { token, name: "Dana", password: chosen })),
    );
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.find(({ ok }) => !ok)).toEqual(gone);
    const begun = await Promise.all(passwords.map((chosen) => beginSession(store, { email, password: chosen })));
    expect(begun.map((each) => each !== undefined)).toEqual(results.map(({ ok }) => ok));
    expect(await acceptLink(store, { token, name: "Dana", password })).toEqual(gone);
  });

  test("is not used up by opening it, nor by an invalid password", async () => {
    const { token } = await anInvitation();
    await openLink(store, token);
    const wrong = await acceptLink(store, { token, name: "Dana", password: "short" });
    expect(wrong).toMatchObject({ refusal: { type: "invalid", issues: [{ field: "password" }] } });
    const unnamed = await acceptLink(store, { token, name: " ", password });
    expect(unnamed).toMatchObject({ refusal: { type: "invalid", issues: [{ field: "name" }] } });
    expect(await acceptLink(store, { token, name: "Dana", password })).toMatchObject({ ok: true });
  });

  test("is void once a newer one is created, and expires after 72 hours", async () => {
    const first = await anInvitation();
    expect(first.endsAt.getTime() - Date.now()).toBeGreaterThan(71.9 * 3_600_000);
    const second = await done(renewLink(ctx, first));
    expect(await acceptLink(store, { token: first.token, name: "Dana", password })).toEqual(gone);
    await store.prisma.passwordLink.update({ where: { personId: first.id }, data: { expiresAt: new Date(0) } });
    const over = { ok: false, refusal: { type: "link-over" } };
    expect(await openLink(store, second.token)).toEqual(over);
    expect(await acceptLink(store, { token: second.token, name: "Dana", password })).toEqual(over);
  });

  test("is withdrawn with its roles, and the email can be invited again", async () => {
    const { id, email, token } = await anInvitation();
    await done(withdrawInvitation(ctx, { id }));
    expect(await acceptLink(store, { token, name: "Dana", password })).toEqual(gone);
    expect(await invitePerson(ctx, { email, roles: [{ role: "reviewer", practiceId }] })).toMatchObject({ ok: true });
    const member = await aMember();
    expect(await withdrawInvitation(ctx, member)).toMatchObject({ refusal: { type: "not-found" } });
  });

  test("is withdrawn with its link to a provider, which another person can have then", async () => {
    const { id } = await anInvitation();
    const identity = { issuer: "https://idp.example.org", subject: fresh("subject") };
    await done(linkPerson(ctx, { id, ...identity }));
    await done(withdrawInvitation(ctx, { id }));
    expect(await linkPerson(ctx, { id: (await anInvitation()).id, ...identity })).toMatchObject({ ok: true });
  });

  test("makes nobody the owner of a channel before it is accepted, and is not withdrawn from under one", async () => {
    const { id, email } = await anInvitation();
    const channel = await aChannel(store, { practices: [practiceId] });
    const channelId = channel.actor.id;
    const refused = { refusal: { type: "invalid", issues: [{ field: "owner" }] } };
    expect(await setChannelOwner(ctx, { channelId, email })).toMatchObject(refused);
    await store.prisma.channel.update({ where: { id: channelId }, data: { ownerId: id } });
    expect(await withdrawInvitation(ctx, { id })).toMatchObject(refused);
    await done(setChannelOwner(ctx, { channelId }));
    await done(withdrawInvitation(ctx, { id }));
  });

  test("is stored as a hash alone, and the audit log has neither token nor email", async () => {
    const { id, email, token } = await anInvitation();
    const link = await store.prisma.passwordLink.findUniqueOrThrow({ where: { personId: id } });
    expect(Buffer.from(link.tokenHash).toString("base64url")).not.toBe(token);
    expect(Buffer.from(token, "base64url")).toHaveLength(32);
    const entries = await entriesOf(ctx, "people");
    expect(entries.findLast(({ detail }) => detail.person === id)).toMatchObject({
      act: "person.invited",
      detail: { roles: [{ role: "reviewer", practices: [practiceId] }] },
    });
    expect(JSON.stringify(entries)).not.toContain(email);
    expect(JSON.stringify(entries)).not.toContain(token);
  });

  test("is created by an administrator of its practices alone, and not for an existing email", async () => {
    const { email } = await aMember();
    const roles = [{ role: "reviewer", practiceId }];
    expect(await invitePerson(ctx, { email, roles })).toEqual({ ok: false, refusal: { type: "taken", what: "email" } });
    const { actor } = await aPerson(store, { practices: [await aPractice(store)], roles: ["admin"] });
    const invited = await invitePerson(
      { actor: proved(actor), store },
      { email: `${fresh("x")}@clinic.example`, roles },
    );
    expect(invited).toMatchObject({ refusal: { type: "invalid", issues: [{ field: "practices" }] } });
  });
});

/** An admin of these practices, who has just proved who they are. */
async function anAdmin(practices: readonly string[]) {
  const { actor } = await aPerson(store, { practices, roles: ["admin"] });
  return { actor: proved(actor), store };
}

describe("a link that an admin gave", () => {
  const role = (practice: string, held: Role = "reviewer") => ({ role: held, practiceId: practice });
  const invitedBy = async (as: Awaited<ReturnType<typeof anAdmin>>, practice: string) =>
    linkOf(invitePerson(as, { email: `${fresh("sam")}@clinic.example`, roles: [role(practice)] }));
  const taken = (token: string) => acceptLink(store, { token, name: "Sam", password });

  test("ends when its person gets more roles, so that it never opens another practice to its giver", async () => {
    const [mine, theirs] = [await aPractice(store), await aPractice(store)];
    const [first, second] = [await anAdmin([mine]), await anAdmin([mine, theirs])];
    const { id, token } = await invitedBy(first, mine);
    await done(changeGrants(second, { id, add: [role(theirs)] }));
    expect(await openLink(store, token)).toEqual(gone);
    expect(await taken(token)).toEqual(gone);
    expect(await renewLink(first, { id })).toMatchObject({ refusal: { type: "beyond-reach" } });
    const { token: renewed } = await done(renewLink(second, { id }));
    await done(changeGrants(ctx, { id, add: [role(theirs, "auditor")] }));
    expect(await taken(renewed)).toEqual(gone);
    const { token: again } = await done(renewLink(second, { id }));
    await done(changeGrants(ctx, { id, remove: [role(theirs, "auditor")] }));
    expect(await taken(again)).toMatchObject({ ok: true });
  });

  test("works only while its giver administers everything it is for", async () => {
    const [mine, theirs] = [await aPractice(store), await aPractice(store)];
    const fallen = async (fall: (giverId: string) => Promise<unknown>) => {
      const giver = await anAdmin([mine, theirs]);
      const { token } = await invitedBy(giver, mine);
      await fall(giver.actor.id);
      return taken(token);
    };
    expect(await fallen((id) => done(changeGrants(ctx, { id, remove: [role(mine, "admin")] })))).toEqual(gone);
    expect(await fallen((id) => done(disablePerson(ctx, { id })))).toEqual(gone);
    expect(await fallen((id) => done(changeGrants(ctx, { id, remove: [role(theirs, "admin")] })))).toMatchObject({
      ok: true,
    });
  });

  test("that takes the place of a password ends likewise, and says by whom its person came in", async () => {
    const [mine, theirs] = [await aPractice(store), await aPractice(store)];
    const giver = await anAdmin([mine]);
    const { id, token } = await invitedBy(giver, mine);
    const letInBy = async () => (await store.prisma.person.findUniqueOrThrow({ where: { id } })).letInBy;
    expect(await letInBy()).toBeNull();
    await done(taken(token));
    expect(await letInBy()).toBe(giver.actor.id);
    const { token: other } = await done(renewLink(giver, { id }));
    await done(changeGrants(ctx, { id, add: [role(theirs)] }));
    expect(await taken(other)).toEqual(gone);
    await done(taken((await done(renewLink(ctx, { id }))).token));
    expect(await letInBy()).toBeNull();
  });
});

describe("sessions", () => {
  test("end at once when an account is deactivated, copies included, and stay ended when it is activated again", async () => {
    const { id, email } = await aMember();
    const sessions = [await aSession(email), await aSession(email)];
    expect(await done(disablePerson(ctx, { id }))).toMatchObject({ sessionsEnded: 2 });
    for (const session of sessions) expect(await sessionActor(store, session)).toBeUndefined();
    expect(await beginSession(store, { email, password })).toBeUndefined();
    await done(enablePerson(ctx, { id }));
    for (const session of sessions) expect(await sessionActor(store, session)).toBeUndefined();
    expect(await sessionActor(store, await aSession(email))).toMatchObject({ practices: [practiceId] });
  });

  test("are shown to the person's administrator with where they began, and end one by one or all", async () => {
    const { id, email } = await aMember();
    const first = await aSession(email, { address: "203.0.113.7", userAgent: `Firefox${"x".repeat(1000)}` });
    const second = await aSession(email, { address: "2001:db8::1" });
    const { actor: admin } = await aPerson(store, { practices: [practiceId], roles: ["admin"] });
    const as = { actor: admin, store };
    const { sessions } = await done(showPerson(as, { id }));
    expect(new Set(sessions.map(({ address }) => address))).toEqual(new Set(["2001:db8::1", "203.0.113.7"]));
    expect(sessions.find((session) => session.id === first)?.userAgent).toHaveLength(300);
    expect(await done(endSessions(as, { personId: id, sessionId: first }))).toBe(1);
    expect(await sessionActor(store, first)).toBeUndefined();
    expect(await sessionActor(store, second)).toBeDefined();
    expect(await done(endSessions(as, { personId: id }))).toBe(1);
    expect(await sessionActor(store, second)).toBeUndefined();
  });

  test("of a person who also works elsewhere are neither shown to nor ended by an administrator of one practice", async () => {
    const { id, email } = await aMember();
    const session = await aSession(email);
    await store.prisma.personRole.create({
      data: { personId: id, role: "reviewer", practiceId: await aPractice(store) },
    });
    const { actor } = await aPerson(store, { practices: [practiceId], roles: ["admin"] });
    const as = { actor: proved(actor), store };
    expect(await done(showPerson(as, { id }))).toMatchObject({
      isWhole: false,
      sessions: [],
      grants: [{ practiceId }],
    });
    const beyond = { ok: false, refusal: { type: "beyond-reach" } };
    expect(await endSessions(as, { personId: id })).toEqual(beyond);
    expect(await renewLink(as, { id })).toEqual(beyond);
    expect(await enablePerson(as, { id })).toEqual(beyond);
    expect(await sessionActor(store, session)).toBeDefined();
  });

  test("end for oneself alone, never for another person by their id", async () => {
    const [mine, other] = [await aMember(), await aMember()];
    const [here, elsewhere, foreign] = [
      await aSession(mine.email),
      await aSession(mine.email),
      await aSession(other.email),
    ];
    const actor = await sessionActor(store, here);
    if (!actor) throw new Error("no session");
    expect(await endOwnSessions({ actor, store }, { only: foreign })).toBe(0);
    expect(await endOwnSessions({ actor, store }, { only: "x" })).toBe(0);
    expect(await endOwnSessions({ actor, store }, { except: here })).toBe(1);
    expect((await listOwnSessions({ actor, store })).map(({ id }) => id)).toEqual([here]);
    expect(await sessionActor(store, elsewhere)).toBeUndefined();
    expect(await sessionActor(store, foreign)).toBeDefined();
  });
});

describe("a password", () => {
  test("that an administrator withdraws stops working, with every session; its person chooses another by the link", async () => {
    const { id, email } = await aMember();
    const session = await aSession(email);
    const { token } = await done(renewLink(ctx, { id }));
    expect(await sessionActor(store, session)).toBeUndefined();
    expect(await beginSession(store, { email, password })).toBeUndefined();
    expect(await openLink(store, token)).toMatchObject({ value: { isInvitation: false } });
    await done(acceptLink(store, { token, name: "ignored", password: "another kettle 12" }));
    const begun = await beginSession(store, { email, password: "another kettle 12" });
    expect(await sessionActor(store, begun?.sessionId ?? "")).toMatchObject({ name: "Dana Whitfield" });
  });

  test("is changed with the current one, and every other session ends", async () => {
    const { email } = await aMember();
    const [here, elsewhere] = [await aSession(email), await aSession(email)];
    const actor = await sessionActor(store, here);
    if (!actor) throw new Error("no session");
    const change = (present: string, chosen: string) =>
      changeOwnPassword({ actor, store }, { sessionId: here, present, password: chosen });
    expect(await change("wrong", "another kettle 12")).toMatchObject({ refusal: { issues: [{ field: "present" }] } });
    expect(await change(password, "password1234")).toMatchObject({ refusal: { issues: [{ field: "password" }] } });
    expect(await done(change(password, "another kettle 12"))).toEqual({ sessionsEnded: 1 });
    expect(await sessionActor(store, here)).toBeDefined();
    expect(await sessionActor(store, elsewhere)).toBeUndefined();
    expect(await beginSession(store, { email, password })).toBeUndefined();
  });

  test("link of a deactivated account opens nothing", async () => {
    const { id } = await aMember();
    const { token } = await done(renewLink(ctx, { id }));
    await done(disablePerson(ctx, { id }));
    expect(await openLink(store, token)).toEqual(gone);
    expect(await renewLink(ctx, { id })).toEqual({ ok: false, refusal: { type: "account-deactivated" } });
  });
});
