import { afterAll, expect, test } from "vitest";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { browseAuditLog } from "#lib/audit/browse-audit-log";
import { changeChannelAccess, previewChannelAccess } from "#lib/channel/change-channel-access";
import { createChannel } from "#lib/channel/create-channel";
import { showChannel } from "#lib/channel/list-channels";
import { changeGrants } from "#lib/person/change-grants";
import { createPerson } from "#lib/person/create-person";
import { disablePerson } from "#lib/person/disable-person";
import { enablePerson } from "#lib/person/enable-person";
import { invitePerson } from "#lib/person/invite-person";
import { linkPerson } from "#lib/person/link-person";
import { listGroups, mapGroup } from "#lib/person/map-group";
import { renewLink } from "#lib/person/renew-link";
import { showPerson } from "#lib/person/show-person";
import { signInBySso } from "#lib/person/sso/sso-sign-in";
import { showPractice } from "#lib/practice/list-practices";
import { setEmergencyAccess } from "#lib/practice/set-emergency-access";
import { setSecondAdmin } from "#lib/practice/set-second-admin";
import { setVoteRules } from "#lib/practice/set-vote-rules";
import { done, entriesOf, fresh, operator, proved } from "#test/support/people/admin";
import { aPerson, aPractice, aStore } from "#test/support/cases/cases";
import { closeChange, confirmChange } from "./decide-change.ts";
import { listChanges } from "./list-changes.ts";

const store = aStore();
afterAll(() => store.close());
const admin = { actor: operator, store };

/** An administrator of these practices who has just proved who they are. */
async function anAdmin(...practices: readonly string[]): Promise<Context<PersonActor>> {
  const ctx = await aPerson(store, { practices, roles: ["admin"] });
  return { ...ctx, actor: proved(ctx.actor) };
}

/** A practice where a second administrator confirms, and one where none does. */
async function aGround() {
  const [guarded, open] = [await aPractice(store), await aPractice(store)];
  const [asking, other] = [await anAdmin(guarded, open), await anAdmin(guarded, open)];
  await done(setSecondAdmin(admin, { practiceId: guarded, on: true }));
  return { guarded, open, asking, other };
}

const waitingFor = (awaiting: string | undefined) => {
  if (awaiting === undefined) throw new Error("Nothing waits.");
  return { id: awaiting };
};
const reached = async (ctx: Context, channelId: string) =>
  (await done(showChannel(ctx, { channelId }))).practices.map(({ id }) => id).toSorted();

test("a channel reaches a practice that wants a second admin only once another one confirms; the rest holds at once", async () => {
  const { guarded, open, asking, other } = await aGround();
  const made = await done(createChannel(asking, { name: "A", practices: [guarded, open], atoms: ["tasks_get"] }));
  expect(await reached(asking, made.id)).toEqual([open]);
  const first = waitingFor(made.awaiting);
  expect(await confirmChange(asking, first)).toEqual({ ok: false, refusal: { type: "own-request" } });
  expect(await done(confirmChange(other, first))).toMatchObject({ change: { kind: "channel-practices" } });
  expect(await reached(asking, made.id)).toEqual([guarded, open].toSorted());
  expect(await confirmChange(other, first)).toEqual({ ok: false, refusal: { type: "request-over" } });

  // Taking away waits for nobody; giving again does.
  expect(await done(changeChannelAccess(asking, { channelId: made.id, practices: [open] }))).toEqual({});
  const access = { channelId: made.id, practices: [guarded, open], callsPerSecond: 7 };
  expect(await done(previewChannelAccess(asking, access))).toMatchObject({ awaiting: [guarded] });
  const again = waitingFor((await done(changeChannelAccess(asking, access))).awaiting);
  expect(await done(showChannel(asking, { channelId: made.id }))).toMatchObject({ callsPerSecond: 7 });
  expect(await reached(asking, made.id)).toEqual([open]);
  expect(await done(closeChange(asking, again))).toEqual({ status: "withdrawn" });
  expect(await confirmChange(other, again)).toEqual({ ok: false, refusal: { type: "request-over" } });
  expect((await entriesOf(admin, `channel:${made.id}`)).map(({ act }) => act)).toEqual([
    ...["channel.created", "channel.key-created", "change.requested", "change.confirmed", "channel.changed"],
    ...["channel.changed", "channel.changed", "change.requested", "change.withdrawn"],
  ]);
});

test("a new channel for guarded practices alone is there for their admins, and for no others, before it reaches any", async () => {
  const { guarded, open, asking, other } = await aGround();
  const elsewhere = await anAdmin(open);
  const made = await done(createChannel(asking, { name: "B", practices: [guarded], atoms: ["tasks_get"] }));
  for (const ctx of [asking, other]) expect(await reached(ctx, made.id)).toEqual([]);
  expect(await showChannel(elsewhere, { channelId: made.id })).toMatchObject({ refusal: { type: "not-found" } });
  await done(confirmChange(other, waitingFor(made.awaiting)));
  expect(await reached(other, made.id)).toEqual([guarded]);
  expect(await showChannel(elsewhere, { channelId: made.id })).toMatchObject({ refusal: { type: "not-found" } });
});

test("of two who confirm at the same moment one does, and it is made once", async () => {
  const { guarded, asking, other } = await aGround();
  const third = await anAdmin(guarded);
  const person = await aPerson(store, { practices: [guarded] });
  const request = await done(
    changeGrants(asking, { id: person.actor.id, add: [{ role: "admin", practiceId: guarded }] }),
  );
  const change = waitingFor(request.awaiting);
  const answers = await Promise.all([other, third, other, third].map((ctx) => confirmChange(ctx, change)));
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
  expect((await done(showPerson(other, { id: person.actor.id }))).grants).toContainEqual({
    role: "admin",
    practiceId: guarded,
  });
});

test("the admin role waits, however it is given; other roles in the same change do not", async () => {
  const { guarded, open, asking, other } = await aGround();
  const person = await aPerson(store, { practices: [open] });
  const add = [
    { role: "admin", practiceId: guarded },
    { role: "auditor", practiceId: guarded },
    { role: "admin", practiceId: open },
  ] as const;
  const changed = await done(changeGrants(asking, { id: person.actor.id, add }));
  expect(changed.grants).not.toContainEqual(add[0]);
  expect(changed.grants).toEqual(expect.arrayContaining([add[1], add[2]]));

  const email = `${fresh("guest")}@clinic.example`;
  const invited = await done(invitePerson(asking, { email, roles: [{ role: "admin", practiceId: guarded }] }));
  expect("token" in invited).toBe(false);
  const confirmed = await done(confirmChange(other, waitingFor("awaiting" in invited ? invited.awaiting : undefined)));
  expect(confirmed.invited).toMatchObject({ email, token: expect.any(String) });

  const group = { issuer: "https://idp.example", group: fresh("admins"), role: "admin", practiceId: guarded };
  const mapped = await done(mapGroup(asking, group));
  expect(await done(listGroups(asking))).not.toContainEqual(expect.objectContaining({ group: group.group }));
  await done(confirmChange(other, waitingFor(mapped.awaiting)));
  expect(await done(listGroups(asking))).toContainEqual(expect.objectContaining({ group: group.group }));

  const password = "wander tulip 9 kettle";
  const created = { email: `${fresh("made")}@clinic.example`, roles: ["admin"], practices: [guarded], password };
  expect(await createPerson(asking, created)).toMatchObject({ refusal: { issues: [{ field: "roles" }] } });
  const overall = {
    ...(await anAdmin()),
    actor: proved((await aPerson(store, { practices: [], roles: ["admin"] })).actor),
  };
  const everywhere = await done(changeGrants(overall, { id: person.actor.id, add: [{ role: "admin" }] }));
  expect(everywhere.awaiting).toBeDefined();
  // Of every practice: an administrator of some does not see it.
  expect(await confirmChange(other, waitingFor(everywhere.awaiting))).toMatchObject({ refusal: { type: "not-found" } });
});

test("whoever asked for a group's admin role does not get it from the group, also where another admin confirmed it", async () => {
  const { guarded, asking, other } = await aGround();
  const group = { issuer: "https://idp.example", group: fresh("admins"), role: "admin", practiceId: guarded };
  await done(confirmChange(other, waitingFor((await done(mapGroup(asking, group))).awaiting)));
  const given = async ({ actor }: Context<PersonActor>) => {
    const identity = { issuer: "https://idp.example/", subject: fresh("subject") };
    await done(linkPerson(admin, { id: actor.id, ...identity }));
    await signInBySso(store, { ...identity, groups: [group.group], hasSecondFactor: false });
    return store.prisma.personRole.count({ where: { personId: actor.id, practiceId: guarded, byGroup: true } });
  };
  expect(await given(asking)).toBe(0);
  expect(await given(await aPerson(store, { practices: [guarded] }))).toBe(1);
});

test("a request is in the audit log without the email, and of another practice's changes an admin sees none", async () => {
  const { guarded, open, asking, other } = await aGround();
  const email = `${fresh("somebody")}@example.org`;
  const roles = [{ role: "admin", practiceId: guarded }] as const;
  const person = await aPerson(store, { practices: [open] });
  const group = { issuer: "https://idp.example.org", group: fresh("admins"), ...roles[0] };
  const requests = [
    await done(invitePerson(asking, { email, roles: [...roles] })),
    await done(changeGrants(asking, { id: person.actor.id, add: roles })),
    await done(mapGroup(asking, group)),
  ].map((value) => waitingFor("awaiting" in value ? value.awaiting : undefined));
  const [invitation, , mapping] = requests;
  await done(closeChange(other, invitation ?? { id: "" }));
  await done(confirmChange(other, mapping ?? { id: "" }));
  const seenBy = async (practiceId: string) => {
    const auditor = await aPerson(store, { practices: [practiceId], roles: ["auditor"] });
    const { rows } = await done(browseAuditLog(auditor, {}));
    return rows.filter(({ act }) => act.startsWith("change."));
  };
  expect(await seenBy(open)).toEqual([]);
  const seen = await seenBy(guarded);
  expect(seen.map(({ act }) => act)).toEqual([
    "change.confirmed",
    "change.rejected",
    ...requests.map(() => "change.requested"),
  ]);
  expect(seen[2]?.detail).toContain(JSON.stringify([{ practices: [guarded], role: "admin" }]));
  for (const { detail } of seen) expect(detail).not.toContain(email);
});

test("fewer people to release waits, more do not; and so does no longer asking for a second admin", async () => {
  const { guarded, asking, other } = await aGround();
  for (let count = 0; count < 3; count += 1) await aPerson(store, { practices: [guarded] });
  const rule = { action: "transmit", risk: "ordinary", stepUp: false } as const;
  const set = (votes: number) => done(setVoteRules(asking, { practiceId: guarded, rules: [{ ...rule, votes }] }));
  const votes = async () => (await done(showPractice(asking, { practiceId: guarded }))).rules[0]?.votes;
  expect(await set(2)).toEqual({});
  expect(await votes()).toBe(2);
  const { awaiting } = await set(1);
  expect(await votes()).toBe(2);
  await done(confirmChange(other, waitingFor(awaiting)));
  expect(await votes()).toBe(1);

  const off = await done(setSecondAdmin(asking, { practiceId: guarded, on: false }));
  expect((await done(showPractice(asking, { practiceId: guarded }))).secondAdmin).toBe(true);
  expect(await done(closeChange(other, waitingFor(off.awaiting)))).toEqual({ status: "rejected" });
  const again = await done(setSecondAdmin(asking, { practiceId: guarded, on: false }));
  await done(confirmChange(other, waitingFor(again.awaiting)));
  expect((await done(showPractice(asking, { practiceId: guarded }))).secondAdmin).toBe(false);
});

test("a rule that no longer asks for a new proof waits, too, and what asks for more of the same form does not", async () => {
  const { guarded, asking, other } = await aGround();
  for (let count = 0; count < 3; count += 1) await aPerson(store, { practices: [guarded] });
  const rule = { action: "void", risk: "high" } as const;
  const set = (votes: number, stepUp: boolean) =>
    done(setVoteRules(asking, { practiceId: guarded, rules: [{ ...rule, votes, stepUp }] }));
  const now = async () => {
    const { rules } = await done(showPractice(asking, { practiceId: guarded }));
    const found = rules.find(({ action, risk }) => action === rule.action && risk === rule.risk);
    return [found?.votes, found?.stepUp];
  };
  expect(await set(1, true)).toEqual({});
  const { awaiting } = await set(2, false);
  expect(await now()).toEqual([2, true]);
  await done(confirmChange(other, waitingFor(awaiting)));
  expect(await now()).toEqual([2, false]);
});

test("a confirmation makes a rule ask for less only from where it was when that was asked for", async () => {
  const { guarded, asking, other } = await aGround();
  for (let count = 0; count < 3; count += 1) await aPerson(store, { practices: [guarded] });
  const set = (votes: number, stepUp: boolean) =>
    done(
      setVoteRules(asking, { practiceId: guarded, rules: [{ action: "transmit", risk: "ordinary", votes, stepUp }] }),
    );
  const now = async () => {
    const [rule] = (await done(showPractice(asking, { practiceId: guarded }))).rules;
    return [rule?.votes, rule?.stepUp];
  };
  await set(2, false);
  const request = waitingFor((await set(1, false)).awaiting);
  await set(3, true);
  expect(await confirmChange(other, request)).toEqual({ ok: false, refusal: { type: "changed-since" } });
  expect(await now()).toEqual([3, true]);
});

test("nobody opens an admin's account where a second admin confirms who is one, and so confirms their own change", async () => {
  const { guarded, open, asking, other } = await aGround();
  const [id, identity] = [other.actor.id, { issuer: "https://idp.example", subject: fresh("subject") }];
  const refused = { ok: false, refusal: { type: "second-admin-first" } };
  expect(await renewLink(asking, { id })).toEqual(refused);
  expect(await linkPerson(asking, { id, ...identity })).toEqual(refused);
  await done(disablePerson(asking, { id }));
  expect(await enablePerson(asking, { id })).toEqual(refused);
  // Without the role there is nothing to confirm with.
  await done(changeGrants(asking, { id, remove: [{ role: "admin", practiceId: guarded }] }));
  expect(await enablePerson(asking, { id })).toMatchObject({ ok: true });
  expect(await renewLink(asking, { id })).toMatchObject({ ok: true });
  // Where nobody else is wanted, nothing changes.
  const elsewhere = await anAdmin(open);
  expect(await renewLink(asking, { id: elsewhere.actor.id })).toMatchObject({ ok: true });
});

test("that admins may open a case in an emergency waits for a second one; that they may no longer holds at once", async () => {
  const { guarded, open, asking, other } = await aGround();
  const allows = async (practiceId: string) => (await done(showPractice(asking, { practiceId }))).emergencyAccess;
  const request = await done(setEmergencyAccess(asking, { practiceId: guarded, on: true }));
  expect(await allows(guarded)).toBe(false);
  const change = waitingFor(request.awaiting);
  expect(await confirmChange(asking, change)).toEqual({ ok: false, refusal: { type: "own-request" } });
  expect(await done(confirmChange(other, change))).toMatchObject({ change: { kind: "emergency-access-on" } });
  expect(await allows(guarded)).toBe(true);
  expect(await done(setEmergencyAccess(asking, { practiceId: guarded, on: false }))).toEqual({});
  expect(await allows(guarded)).toBe(false);
  expect((await entriesOf(admin, guarded)).map(({ act }) => act).slice(-4)).toEqual([
    ...["change.requested", "change.confirmed", "practice.emergency-access-set", "practice.emergency-access-set"],
  ]);
  // Where nobody else is wanted, nothing waits.
  expect(await done(setEmergencyAccess(asking, { practiceId: open, on: true }))).toEqual({});
  expect(await allows(open)).toBe(true);
});

test("what somebody asked for who is no administrator any more is over", async () => {
  const losses = [
    ({ asking }: Awaited<ReturnType<typeof aGround>>) => disablePerson(admin, { id: asking.actor.id }),
    ({ asking, guarded }: Awaited<ReturnType<typeof aGround>>) =>
      changeGrants(admin, { id: asking.actor.id, remove: [{ role: "admin", practiceId: guarded }] }),
  ];
  for (const lose of losses) {
    const ground = await aGround();
    const { guarded, asking, other } = ground;
    const { awaiting } = await done(setSecondAdmin(asking, { practiceId: guarded, on: false }));
    await lose(ground);
    expect(await confirmChange(other, waitingFor(awaiting))).toEqual({ ok: false, refusal: { type: "request-over" } });
    expect((await done(showPractice(other, { practiceId: guarded }))).secondAdmin).toBe(true);
  }
});

test("however much others ask for, a change is seen by those who may confirm it", async () => {
  const { guarded, asking, other } = await aGround();
  const person = await aPerson(store, { practices: [guarded] });
  const add = [{ role: "admin", practiceId: guarded }];
  const request = await done(changeGrants(asking, { id: person.actor.id, add }));
  const stranger = await anAdmin(await aPractice(store));
  await store.pool.query(
    `INSERT INTO change_request (id, change, scope, asked_by, status, expires_at)
     SELECT gen_random_uuid(), jsonb_build_object('kind', 'second-admin-off', 'practiceId', $1::text), ARRAY[$1::text], $2::uuid, 'waiting',
            clock_timestamp() + interval '7 days' FROM generate_series(1, 250)`,
    [stranger.actor.practices[0] ?? "", stranger.actor.id],
  );
  expect((await done(listChanges(other, { waiting: true }))).list).toMatchObject([{ id: request.awaiting }]);
});

test("a practice with one administrator cannot ask for a second, and the operator waits for nobody", async () => {
  const practiceId = await aPractice(store);
  // Administrators of every practice count too, and other tests of this file make one.
  await store.prisma.person.updateMany({ where: { everywhere: { has: "admin" } }, data: { status: "disabled" } });
  const only = await anAdmin(practiceId);
  expect(await setSecondAdmin(only, { practiceId, on: true })).toMatchObject({ refusal: { type: "invalid" } });
  await anAdmin(practiceId);
  expect(await done(setSecondAdmin(only, { practiceId, on: true }))).toEqual({});
  const { id } = await done(createChannel(admin, { name: "A", practices: [practiceId], atoms: ["tasks_get"] }));
  expect(await reached(admin, id)).toEqual([practiceId]);
});

test("a change is seen by those who may confirm it, ends after a week, and needs a new proof to confirm", async () => {
  const { guarded, asking, other } = await aGround();
  const person = await aPerson(store, { practices: [guarded] });
  const request = await done(
    changeGrants(asking, { id: person.actor.id, add: [{ role: "admin", practiceId: guarded }] }),
  );
  const change = waitingFor(request.awaiting);
  const listed = async (ctx: Context) => (await done(listChanges(ctx, { waiting: true }))).list;
  expect(await listed(other)).toMatchObject([{ id: change.id, isOwn: false, status: "waiting" }]);
  expect(await listed(asking)).toMatchObject([{ id: change.id, isOwn: true }]);
  expect(await listed(await anAdmin(await aPractice(store)))).toEqual([]);
  const stale = { ...other, actor: { ...other.actor, provedAt: new Date(Date.now() - 11 * 60_000) } };
  expect(await confirmChange(stale, change)).toEqual({ ok: false, refusal: { type: "proof-needed" } });
  await store.pool.query("UPDATE change_request SET expires_at = now() WHERE id = $1", [change.id]);
  expect(await confirmChange(other, change)).toEqual({ ok: false, refusal: { type: "request-over" } });
  expect(await listed(other)).toEqual([]);
});
