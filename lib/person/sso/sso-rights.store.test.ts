import { changePracticeSettings } from "#lib/practice/change-practice-settings";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { placeText, valueText, versionActText } from "#lib/messages/admin/versions";
import { changeGrants } from "#lib/person/change-grants";
import { disablePerson } from "#lib/person/disable-person";
import { linkPerson, unlinkPerson } from "#lib/person/link-person";
import { listGroups, mapGroup, unmapGroup } from "#lib/person/map-group";
import { setSecondFactor } from "#lib/practice/set-second-factor";
import { setSsoOnly } from "#lib/practice/set-sso-only";
import { showVersions } from "#lib/practice/show-route";
import type { Role } from "#lib/access/model/actor";
import { createSession } from "#lib/person/store/people";
import { sessionActor } from "#lib/person/shared/live-session";
import { aPerson as anActor, done, entriesOf, everything, operator, others } from "#test/support/people/admin";
import { aPerson, aPractice, aStore } from "#test/support/cases/cases";
import { beginSession } from "#lib/person/session/begin-session";
import { hashPassword } from "#lib/person/sign-in/password";
import { signInBySso } from "./sso-sign-in.ts";

const store = aStore();
const ctx = { actor: operator, store };
const issuer = "https://login.example/";
const password = "correct horse battery";

let passwordHash: string;
let [mine, other]: string[] = [];
beforeAll(async () => {
  passwordHash = await hashPassword(password);
});
beforeEach(async () => {
  [mine, other] = await Promise.all([aPractice(store), aPractice(store)]);
});
afterAll(() => store.close());

const ids = () => ({ mine: mine ?? "", other: other ?? "" });

/** Somebody who is linked, how they come through the provider, and by password. */
async function linked({ practices = [] as string[], roles = ["reviewer"] as Role[] } = {}) {
  const { actor } = await aPerson(store, { practices, roles });
  const email = `${actor.id}@example.org`;
  await store.prisma.person.update({ where: { id: actor.id }, data: { passwordHash } });
  const subject = uuidv7();
  await done(linkPerson(ctx, { id: actor.id, issuer, subject }));
  const come = async (...groups: string[]) => {
    const begun = await signInBySso(store, { issuer, subject, groups, hasSecondFactor: false, authTime: new Date() });
    if (begun?.sessionId === undefined) throw new Error("not let in");
    return begun.sessionId;
  };
  return { id: actor.id, email, come, byPassword: () => beginSession(store, { email, password }) };
}

const rightsOf = async (sessionId: string) => {
  const actor = await sessionActor(store, sessionId);
  return actor && { practices: actor.practices, administers: actor.administers, audits: actor.audits };
};
const aGroup = () => `group-${uuidv7()}`;
const none = { practices: [], administers: [], audits: [] };

describe("a group of the provider", () => {
  test("gives its roles from the next sign-in on, in place of what groups gave before; what a hand gave stays", async () => {
    const { mine: here, other: there } = ids();
    const [first, second] = [aGroup(), aGroup()];
    const who = await linked({ practices: [here] });
    expect(await rightsOf(await who.come(first))).toEqual({ ...none, practices: [here] });
    await done(mapGroup(ctx, { issuer, group: first, role: "reviewer", practiceId: there }));
    await done(mapGroup(ctx, { issuer, group: first, role: "reviewer", practiceId: here }));
    await done(mapGroup(ctx, { issuer, group: second, role: "auditor" }));
    const session = await who.come(first);
    expect(await rightsOf(session)).toEqual({ ...none, practices: [here, there].sort() });
    await who.come(second);
    expect(await rightsOf(session)).toEqual({ practices: [here], administers: [], audits: "every" });
    await who.come();
    expect(await rightsOf(session)).toEqual({ ...none, practices: [here] });
    const read = (await entriesOf(ctx, "people")).filter(
      ({ act, detail }) => act === "person.groups-read" && detail.person === who.id,
    );
    expect(read).toHaveLength(3);
    expect(read[1]).toEqual({
      actor: "worker",
      act: "person.groups-read",
      detail: {
        person: who.id,
        added: [{ role: "auditor", practices: "every" }],
        removed: [{ role: "reviewer", practices: [here, there].sort() }],
      },
    });
  });

  test("of another name, of another case or of another provider gives nothing", async () => {
    const { mine: here } = ids();
    const group = aGroup();
    await done(mapGroup(ctx, { issuer: "https://other.example", group, role: "reviewer", practiceId: here }));
    await done(mapGroup(ctx, { issuer, group: group.toUpperCase(), role: "reviewer", practiceId: here }));
    const who = await linked();
    expect(await rightsOf(await who.come(group, `${group}x`))).toEqual(none);
  });

  test("gives its roles in sessions begun through that provider alone, not by a password or another provider", async () => {
    const { mine: here, other: there } = ids();
    const group = aGroup();
    const who = await linked({ practices: [here] });
    await done(mapGroup(ctx, { issuer, group, role: "reviewer", practiceId: there }));
    await done(mapGroup(ctx, { issuer, group, role: "auditor" }));
    const bySso = await who.come(group);
    const byPassword = (await who.byPassword())?.sessionId ?? "";
    const { id: elsewhere } = await createSession(store, { personId: who.id, issuer: "https://other.example/" });
    expect(await rightsOf(bySso)).toEqual({ practices: [here, there].sort(), administers: [], audits: "every" });
    expect(await rightsOf(byPassword)).toEqual({ ...none, practices: [here] });
    expect(await rightsOf(elsewhere)).toEqual({ ...none, practices: [here] });
  });

  test("that gives a role no longer gives it up at once, unless a hand or another group gives it too", async () => {
    const { mine: here } = ids();
    const [one, two] = [aGroup(), aGroup()];
    for (const group of [one, two]) await done(mapGroup(ctx, { issuer, group, role: "reviewer", practiceId: here }));
    const [byOne, byBoth, byHand] = [await linked(), await linked(), await linked({ practices: [here] })];
    const sessions = [await byOne.come(one), await byBoth.come(one, two), await byHand.come(one)];
    const gone = await done(unmapGroup(ctx, { issuer, group: one, role: "reviewer", practiceId: here }));
    expect(gone).toEqual({ peopleChanged: 1 });
    const practices = await Promise.all(sessions.map(async (each) => (await rightsOf(each))?.practices));
    expect(practices).toEqual([[], [here], [here]]);
    await done(unmapGroup(ctx, { issuer, group: two, role: "reviewer", practiceId: here }));
    expect(await rightsOf(sessions[1] ?? "")).toEqual(none);
  });

  test("gives nothing to the admin who gave it the role, and everything it gives goes with the link", async () => {
    const { mine: here } = ids();
    const group = aGroup();
    const admin = await linked({ practices: [here], roles: ["admin"] });
    const actor = await sessionActor(store, await admin.come());
    if (!actor) throw new Error("not signed in");
    await done(mapGroup({ actor, store }, { issuer, group, role: "reviewer", practiceId: here }));
    expect(await rightsOf(await admin.come(group))).toEqual({ ...none, administers: [here] });
    const colleague = await linked();
    await colleague.come(group);
    await done(unlinkPerson(ctx, { id: colleague.id, issuer }));
    const { id: session } = await createSession(store, { personId: colleague.id });
    expect(await rightsOf(session)).toEqual(none);
  });

  test("never makes the last admin of every practice, who is one by hand and stays it", async () => {
    await store.pool.query("UPDATE person SET status = 'disabled' WHERE 'admin' = ANY (everywhere)");
    const group = aGroup();
    const grant = { role: "admin" };
    await done(mapGroup(ctx, { issuer, group, ...grant }));
    const [byHand, byGroup] = [await linked({ roles: ["admin"] }), await linked()];
    const [last, session] = [await byHand.come(), await byGroup.come(group)];
    const actor = await sessionActor(store, session);
    expect(actor).toMatchObject({ administers: "every" });
    if (!actor) throw new Error("not signed in");
    const refused = { ok: false, refusal: { type: "last-admin" } };
    expect(await changeGrants({ actor, store }, { id: byHand.id, remove: [grant] })).toEqual(refused);
    expect(await disablePerson({ actor, store }, { id: byHand.id })).toEqual(refused);
    // So that the group may take what it gave, whoever else has it.
    await byGroup.come();
    expect(await rightsOf(session)).toEqual(none);
    expect(await rightsOf(last)).toEqual({ ...none, administers: "every" });
  });

  test("keeps its role from being taken by hand, and a hand may give the same beside it", async () => {
    const { mine: here } = ids();
    const group = aGroup();
    const grant = { role: "reviewer", practiceId: here };
    await done(mapGroup(ctx, { issuer, group, ...grant }));
    const who = await linked();
    const session = await who.come(group);
    expect(await changeGrants(ctx, { id: who.id, remove: [grant] })).toEqual({
      ok: false,
      refusal: { type: "by-group" },
    });
    await done(changeGrants(ctx, { id: who.id, add: [grant] }));
    await who.come();
    expect(await rightsOf(session)).toEqual({ ...none, practices: [here] });
    await done(changeGrants(ctx, { id: who.id, remove: [grant] }));
    expect(await rightsOf(session)).toEqual(none);
  });

  test("is mapped by an admin of where the role holds alone, who sees no other", async () => {
    const { mine: here, other: there } = ids();
    const group = aGroup();
    const admin = { actor: { ...anActor({ roles: ["admin"] }), administers: [here] }, store };
    const elsewhere = { issuer, group, role: "reviewer", practiceId: there };
    expect(await mapGroup(admin, elsewhere)).toMatchObject({ ok: false, refusal: { type: "not-authorised" } });
    expect(await mapGroup(admin, { issuer, group, role: "auditor" })).toMatchObject({ ok: false });
    await done(mapGroup(ctx, elsewhere));
    expect(await unmapGroup(admin, elsewhere)).toMatchObject({ ok: false, refusal: { type: "not-authorised" } });
    expect((await done(listGroups(admin))).filter((each) => each.group === group)).toEqual([]);
    expect((await done(listGroups(ctx))).filter((each) => each.group === group)).toHaveLength(1);
  });

  test.each([
    [{ group: "" }, "group"],
    [{ group: "a\u0000b" }, "group"],
    [{ role: "owner" }, "role"],
    [{ role: "reviewer", practiceId: undefined }, "practices"],
    [{ practiceId: "nobody-made-this" }, "practices"],
    [{ issuer: "" }, "issuer"],
  ])("with %j is refused, and nothing is written", async (wrong, field) => {
    const before = await everything(store);
    const input = { issuer, group: aGroup(), role: "reviewer", practiceId: ids().mine, ...wrong };
    expect(await mapGroup(ctx, input)).toMatchObject({ ok: false, refusal: { type: "invalid", issues: [{ field }] } });
    expect(await everything(store)).toEqual(before);
  });
});

describe("a practice that only the provider opens", () => {
  test("shuts out passwords and what was signed in by one, at once, and nobody who came through the provider", async () => {
    const { mine: here, other: there } = ids();
    const who = await linked({ practices: [here, there] });
    const elsewhere = await linked({ practices: [there] });
    const [bySso, byPassword] = [await who.come(), (await who.byPassword())?.sessionId ?? ""];
    expect(await done(setSsoOnly(ctx, { practiceId: here, on: true, hasProvider: true }))).toEqual({ unlinked: 0 });
    expect((await rightsOf(bySso))?.practices).toEqual([here, there].sort());
    expect((await rightsOf(byPassword))?.practices).toEqual([there]);
    expect(await who.byPassword()).toBeUndefined();
    expect(await elsewhere.byPassword()).toBeDefined();
    await done(setSsoOnly(ctx, { practiceId: here, on: false }));
    expect((await rightsOf(byPassword))?.practices).toEqual([here, there].sort());
    expect(await who.byPassword()).toBeDefined();
  });

  test("takes from a session begun by password what holds over every practice", async () => {
    const { mine: here } = ids();
    const admin = await linked({ roles: ["admin"] });
    const [bySso, byPassword] = [await admin.come(), (await admin.byPassword())?.sessionId ?? ""];
    expect(await rightsOf(byPassword)).toEqual({ ...none, administers: "every" });
    await done(setSsoOnly(ctx, { practiceId: here, on: true, hasProvider: true }));
    expect(await rightsOf(byPassword)).toEqual(none);
    expect(await rightsOf(bySso)).toEqual({ ...none, administers: "every" });
    expect(await admin.byPassword()).toBeUndefined();
    await done(setSsoOnly(ctx, { practiceId: here, on: false }));
  });

  test("is made so only by who came through the provider, or by the operator where there is one", async () => {
    const { mine: here } = ids();
    const admin = await linked({ practices: [here], roles: ["admin"] });
    const byPassword = await sessionActor(store, (await admin.byPassword())?.sessionId ?? "");
    const bySso = await sessionActor(store, await admin.come());
    if (!byPassword || !bySso) throw new Error("not signed in");
    const input = { practiceId: here, on: true };
    const refused = { ok: false, refusal: { type: "sso-first" } };
    expect(await setSsoOnly({ actor: byPassword, store }, input)).toEqual(refused);
    expect(await setSsoOnly(ctx, input)).toEqual(refused);
    await aPerson(store, { practices: [here] });
    await linked({ roles: ["admin"] });
    expect(await done(setSsoOnly({ actor: bySso, store }, input))).toEqual({ unlinked: 1 });
    await done(setSsoOnly({ actor: bySso, store }, input));
    const set = (await entriesOf(ctx, here)).filter(({ act }) => act === "practice.sso-only-set");
    expect(set).toEqual([
      { actor: `person:${admin.id}`, act: "practice.sso-only-set", detail: { from: false, to: true } },
    ]);
    await done(setSsoOnly(ctx, { practiceId: here, on: false }));
  });

  test("is not made so where no admin of every practice could come through the provider", async () => {
    const { mine: here } = ids();
    await store.pool.query("UPDATE person SET status = 'disabled' WHERE 'admin' = ANY (everywhere)");
    const admin = await linked({ practices: [here], roles: ["admin"] });
    const actor = await sessionActor(store, await admin.come());
    if (!actor) throw new Error("not signed in");
    const { actor: overall } = await aPerson(store, { practices: [], roles: ["admin"] });
    const input = { practiceId: here, on: true };
    const refused = { ok: false, refusal: { type: "admins-unlinked" } };
    expect(await setSsoOnly({ actor, store }, input)).toEqual(refused);
    await done(linkPerson(ctx, { id: overall.id, issuer: "https://other.example/", subject: uuidv7() }));
    expect(await setSsoOnly({ actor, store }, input)).toEqual(refused);
    await done(linkPerson(ctx, { id: overall.id, issuer, subject: uuidv7() }));
    await done(setSsoOnly({ actor, store }, input));
    await done(setSsoOnly(ctx, { practiceId: here, on: false }));
  });

  test("has it in its versions, and whether its reviewers need a second factor", async () => {
    const { mine: practiceId } = ids();
    await done(changePracticeSettings(ctx, { practiceId, urgentTargetH: 3, standardTargetH: 30 }));
    await done(setSsoOnly(ctx, { practiceId, on: true, hasProvider: true }));
    await done(setSecondFactor(ctx, { practiceId, required: true }));
    await done(setSsoOnly(ctx, { practiceId, on: false }));
    const { list } = await done(showVersions(ctx, { practiceId }));
    const entries = list.map(({ act, changes }) => [
      versionActText(act),
      ...changes.map(({ path, before, after }) => [placeText(path), valueText(path, before), valueText(path, after)]),
    ]);
    expect(entries.slice(0, 3)).toEqual([
      ["changed how people sign in", ["Only single sign-on", "yes", "no"]],
      ["changed the second factor requirement", ["Second factor for reviewers", "no", "yes"]],
      ["changed how people sign in", ["Only single sign-on", "no", "yes"]],
    ]);
  });

  test.each(others)("is made so by no %s", async (_, actor) => {
    const refused = { ok: false, refusal: { type: "not-authorised" } };
    expect(await setSsoOnly({ actor, store }, { practiceId: ids().mine, on: true })).toEqual(refused);
    const input = { issuer, group: aGroup(), role: "auditor" };
    expect(await mapGroup({ actor, store }, input)).toEqual(refused);
    expect(await unmapGroup({ actor, store }, input)).toEqual(refused);
    expect(await listGroups({ actor, store })).toEqual(refused);
  });
});
