import { changePracticeSettings } from "#lib/practice/change-practice-settings";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Actor, PersonActor } from "#lib/access/model/actor";
import { grantsOf, powersOf, type Grant } from "#lib/access/model/grant";
import type { Result } from "#lib/platform/result";
import { openWholeStore } from "#test/support/database/whole-store";
import { sessionActor } from "#lib/person/shared/live-session";
import { done, entriesOf, fresh, operator, proved } from "#test/support/people/admin";
import { aPerson, aPractice, aStore, aHeldTask } from "#test/support/cases/cases";
import { freshDatabase } from "#test/support/database/fresh-database";
import { exportReceipts } from "#lib/audit/export-receipts";
import { bootstrapAdmin } from "./bootstrap-admin.ts";
import { browseAuditLog } from "#lib/audit/browse-audit-log";
import { changeChannelAccess } from "#lib/channel/change-channel-access";
import { changeGrants } from "./change-grants.ts";
import { createChannel } from "#lib/channel/create-channel";
import { createPerson } from "./create-person.ts";
import { createPractice } from "#lib/practice/create-practice";
import { disablePerson } from "./disable-person.ts";
import { listChannels, showChannel } from "#lib/channel/list-channels";
import { listPeople } from "./list-people.ts";
import { listPractices, listRoutes, showPractice } from "#lib/practice/list-practices";
import { renameChannel } from "#lib/channel/rename-channel";
import { setRetention } from "#lib/audit/set-retention";
import { setVoteRules } from "#lib/practice/set-vote-rules";
import { rotatePracticeKey, wrapKeys } from "#lib/practice/turn-keys";
import { verifyAuditLog } from "#lib/audit/verify-audit-log";

const store = aStore();
const ctx = { actor: operator, store };
const password = "wander tulip 9 kettle";
let [here, there] = ["", ""];
const channels = { here: "", both: "" };
const people = { here: "", both: "", everywhere: "" };

beforeAll(async () => {
  [here, there] = [await aPractice(store), await aPractice(store)];
  const channel = async (practices: readonly string[]) =>
    (await done(createChannel(ctx, { name: "Agent", practices, atoms: ["tasks_get"] }))).id;
  channels.here = await channel([here]);
  channels.both = await channel([here, there]);
  people.here = (await aPerson(store, { practices: [here] })).actor.id;
  people.both = (await aPerson(store, { practices: [here, there] })).actor.id;
  people.everywhere = (await aPerson(store, { practices: [], roles: ["admin"] })).actor.id;
});
afterAll(() => store.close());

const holding = (grants: readonly Grant[]): PersonActor => ({
  kind: "person",
  id: crypto.randomUUID(),
  name: "Rowan Ames",
  ...powersOf(grants),
});

/** Whether whoever administers `own` may do what concerns `practices`; of what is in none, an admin of all. */
function oracle(own: "all" | readonly string[], practices: readonly string[]): boolean {
  if (own === "all") return true;
  return practices.length > 0 && practices.filter((id) => !own.includes(id)).length === 0;
}

test("an administrator works on their own practices, and the others do not exist for them", async () => {
  const actors: readonly [PersonActor, "all" | readonly string[]][] = [
    [holding([{ role: "admin" }]), "all"],
    [holding(grantsOf(["admin"], [here])), [here]],
    [holding(grantsOf(["admin", "reviewer"], [here, there])), [here, there]],
    [holding([...grantsOf(["admin"], [there]), ...grantsOf(["reviewer", "auditor"], [here])]), [there]],
    [holding(grantsOf(["reviewer", "auditor"], [here, there])), []],
    [holding([{ role: "auditor" }]), []],
    [holding([]), []],
  ];
  const rules = [{ action: "void", risk: "high", votes: 1, stepUp: false }] as const;
  const email = () => `${fresh("x")}@clinic.example`;
  const acts: readonly [
    name: string,
    practices: readonly string[],
    act: (actor: Actor) => Promise<Result<unknown, unknown>>,
  ][] = [
    [
      "a practice's name",
      [here],
      (actor) => changePracticeSettings({ actor, store }, { practiceId: here, name: "Elm" }),
    ],
    ["its votes", [there], (actor) => setVoteRules({ actor, store }, { practiceId: there, rules })],
    ["its page", [here], (actor) => showPractice({ actor, store }, { practiceId: here })],
    ["its payer connections", [there], (actor) => listRoutes({ actor, store }, { practiceId: there })],
    ["its receipts", [here], (actor) => exportReceipts({ actor, store }, { practiceId: here, after: 1 })],
    ["how long it keeps", [here], (actor) => setRetention({ actor, store }, { practiceId: here, days: 4000 })],
    ["how long all keep", [], (actor) => setRetention({ actor, store }, {})],
    ["its key", [there], (actor) => rotatePracticeKey({ actor, store }, { practiceId: there })],
    ["all keys", [], (actor) => wrapKeys({ actor, store })],
    ["a new practice", [], (actor) => createPractice({ actor, store }, { id: fresh("p"), name: "New" })],
    ["the whole audit log", [], (actor) => verifyAuditLog({ actor, store }, { chain: here })],
    ["a channel", [here], (actor) => renameChannel({ actor, store }, { channelId: channels.here, name: "Agent" })],
    ["a channel of two", [here, there], (actor) => showChannel({ actor, store }, { channelId: channels.both })],
    [
      "a wider channel",
      [here, there],
      (actor) =>
        changeChannelAccess(
          { actor, store },
          { channelId: channels.both, practices: [here, there], atoms: ["tasks_get"] },
        ),
    ],
    [
      "a new channel",
      [here],
      (actor) => createChannel({ actor, store }, { name: "Agent", practices: [here], atoms: ["tasks_get"] }),
    ],
    [
      "a reviewer",
      [there],
      (actor) => createPerson({ actor, store }, { email: email(), roles: ["reviewer"], practices: [there], password }),
    ],
    [
      "an admin of all",
      [],
      (actor) => createPerson({ actor, store }, { email: email(), roles: ["admin"], practices: [], password }),
    ],
    [
      "a role here",
      [here],
      (actor) => changeGrants({ actor, store }, { id: people.here, add: [{ role: "auditor", practiceId: here }] }),
    ],
    [
      "a role there",
      [there],
      (actor) => changeGrants({ actor, store }, { id: people.both, add: [{ role: "auditor", practiceId: there }] }),
    ],
    ["a role over all", [], (actor) => changeGrants({ actor, store }, { id: people.here, add: [{ role: "auditor" }] })],
  ];
  const wrong: string[] = [];
  for (const [held, own] of actors)
    for (const [name, practices, act] of acts) {
      const result = await act(proved(held));
      if (result.ok !== oracle(own, practices))
        wrong.push(`${JSON.stringify(own)}: ${name}: ${JSON.stringify(result)}`);
    }
  expect(wrong).toEqual([]);
});

describe("an admin of one practice", () => {
  const admin = () => ({ actor: proved(holding(grantsOf(["admin"], [here]))), store });

  test("sees its people with their roles there, and no one else", async () => {
    const own = (await aPerson(store, { practices: [here] })).actor.id;
    const list = await done(listPeople(admin()));
    expect(list.map(({ id }) => id)).toEqual(expect.arrayContaining([people.here, people.both]));
    expect(list.map(({ id }) => id)).not.toContain(people.everywhere);
    expect(JSON.stringify(list)).not.toContain(there);
    const factorOf = (id: string) => list.find((person) => person.id === id)?.secondFactor;
    expect(factorOf(own)).toEqual({ passkey: false, app: false });
    expect(factorOf(people.both)).toBeUndefined();
    expect((await done(listPractices(admin()))).map(({ id }) => id)).toEqual([here]);
    expect(JSON.stringify(await done(listChannels(admin())))).not.toContain(there);
  });

  test("gets the same answer for another practice as for one that does not exist", async () => {
    const ask = async (practiceId: string) => [
      await changePracticeSettings(admin(), { practiceId, name: "Elm" }),
      await showPractice(admin(), { practiceId }),
      await changeGrants(admin(), { id: people.here, add: [{ role: "reviewer", practiceId }] }),
    ];
    const [real, none] = [JSON.stringify(await ask(there)), JSON.stringify(await ask("nothing"))];
    expect(real.replaceAll(there, "nothing")).toBe(none);
    const person = (id: string) => changeGrants(admin(), { id, remove: [{ role: "admin" }] });
    expect(await person(people.everywhere)).toEqual(await person(crypto.randomUUID()));
  });

  test("cannot deactivate an account that also works elsewhere", async () => {
    expect(await disablePerson(admin(), { id: people.both })).toEqual({ ok: false, refusal: { type: "beyond-reach" } });
    const own = (await aPerson(store, { practices: [here] })).actor.id;
    expect(await disablePerson(admin(), { id: own })).toMatchObject({ ok: true });
  });
});

test("roles apply from the next request on, and open cases of a lost practice are unassigned", async () => {
  const { practiceId, reviewer, taskId } = await aHeldTask(store);
  const { id } = reviewer.actor;
  const session = crypto.randomUUID();
  await store.prisma.session.create({ data: { id: session, personId: id, expiresAt: new Date(Date.now() + 60_000) } });
  await store.prisma.task.update({ where: { id: taskId }, data: { assigneeId: id } });
  expect(await sessionActor(store, session)).toMatchObject({ roles: ["reviewer"], practices: [practiceId] });
  const grants = [{ role: "auditor" }, { role: "admin", practiceId: here }];
  await done(changeGrants(ctx, { id, add: grants, remove: [{ role: "reviewer", practiceId }] }));
  expect(await sessionActor(store, session)).toMatchObject({
    roles: ["admin", "auditor"],
    practices: [],
    administers: [here],
    audits: "every",
  });
  expect((await store.prisma.task.findUnique({ where: { id: taskId } }))?.assigneeId).toBeNull();
  expect((await entriesOf(ctx, "people")).findLast(({ detail }) => detail.person === id)).toEqual({
    actor: "operator",
    act: "person.changed",
    detail: {
      person: id,
      added: [
        { role: "admin", practices: [here] },
        { role: "auditor", practices: "every" },
      ],
      removed: [{ role: "reviewer", practices: [practiceId] }],
      unassigned: 1,
    },
  });
});

test("people cannot give themselves a role, and can give one up", async () => {
  const { actor } = await aPerson(store, { practices: [here], roles: ["admin", "reviewer"] });
  const [{ id }, admin] = [actor, { actor: proved(actor), store }];
  const wider = await changeGrants(admin, { id, add: [{ role: "auditor", practiceId: here }] });
  expect(wider).toEqual({ ok: false, refusal: { type: "own-rights" } });
  const narrower = changeGrants(admin, { id, remove: [{ role: "reviewer", practiceId: here }] });
  expect(await done(narrower)).toMatchObject({ grants: [{ role: "admin", practiceId: here }] });
});

test("one administrator of every practice is always left, also when two remove each other at once", async () => {
  const database = await freshDatabase();
  const own = openWholeStore({ url: database.appUrl, sealingKey: Buffer.alloc(32), connectionsMax: 6 });
  try {
    const first = await done(bootstrapAdmin({ actor: operator, store: own }, { email: "a@clinic.example", password }));
    const second = await done(
      createPerson(
        { actor: operator, store: own },
        { email: "b@clinic.example", roles: ["admin"], practices: [], password },
      ),
    );
    const as = (id: string) => ({ actor: { ...proved(holding([{ role: "admin" }])), id }, store: own });
    const results = await Promise.all([
      changeGrants(as(first.id), { id: second.id, remove: [{ role: "admin" }] }),
      disablePerson(as(second.id), { id: first.id }),
    ]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    // The second is refused as the last admin, or for no longer being one, whichever is looked at first.
    const refused = results.flatMap((each) => (each.ok ? [] : [each.refusal.type]));
    expect(["last-admin", "not-authorised"]).toContain(refused[0]);
  } finally {
    await own.close();
  }
});

test("people see the audit log of the practices they administer or audit, and of no other", async () => {
  const seen = async (grants: readonly Grant[]) => {
    const page = await browseAuditLog({ actor: holding(grants), store }, {});
    return page.ok ? (page.value.isOverall ? "all" : page.value.practices.map(({ id }) => id).toSorted()) : "nothing";
  };
  expect(await seen([{ role: "auditor" }])).toBe("all");
  expect(await seen([{ role: "admin" }])).toBe("all");
  expect(await seen([...grantsOf(["auditor"], [here]), ...grantsOf(["admin"], [there])])).toEqual(
    [here, there].toSorted(),
  );
  expect(await seen([...grantsOf(["auditor"], [there]), ...grantsOf(["reviewer"], [here])])).toEqual([there]);
  expect(await seen(grantsOf(["reviewer"], [here]))).toBe("nothing");
});
