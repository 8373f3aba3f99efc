import { afterAll, describe, expect, test } from "vitest";
import { runs } from "../../app/tasks/[id]/decision/intents.ts";
import { operator } from "#test/support/people/admin";
import {
  aGround,
  adminVerbs,
  earlierKey,
  notOfAdmins,
  type AdminVerb,
  type Ground,
} from "#test/security/authority/admin-verbs";
import { aDeskGround, decisions, deskVerbs, notOfDesk } from "#test/security/authority/desk-verbs";
import { everybody, reviewersHere, thePeople, type Holder } from "#test/security/authority/holders";
import { openWholeStore } from "#test/support/database/whole-store";
import { createKeyRing } from "#lib/platform/key-ring";
import { aPractice, keyPepper, receiptKey, sealingKey } from "#test/support/cases/cases";
import { dropClone, freshDatabase } from "#test/support/database/fresh-database";
import { verbsOf } from "#test/security/on-record/verbs";

// Of its own, so that to compare all tables takes little, and with an earlier key from which others may be wrapped anew.
const database = await freshDatabase();
const ring = createKeyRing([sealingKey, earlierKey]);
const store = openWholeStore({ url: database.appUrl, sealingKey: ring, receiptKey, keyPepper, connectionsMax: 24 });
const admin = { actor: operator, store };
afterAll(async () => {
  await store.close();
  await dropClone(database);
});

/** Who was refused, what was looked at, and what somebody searched for. */
const beside = [
  "audit_entry",
  "audit_chain",
  "person_denial",
  "presence",
  "case_search",
  "gate_opened",
  "reading",
  "readiness",
];

const { rows: tables } = await store.pool.query<{ name: string }>(
  `SELECT tablename AS name FROM pg_tables
    WHERE schemaname = 'public' AND NOT tablename = ANY ($1) AND has_table_privilege(tablename, 'SELECT') ORDER BY 1`,
  [beside],
);
// Planned once: to plan it takes longer than to answer it.
const keptQuery = {
  name: "kept",
  text: tables
    .map(({ name }) => `SELECT '${name}' AS name, count(*) AS rows, max(xmin::text::bigint) AS newest FROM "${name}"`)
    .join(" UNION ALL "),
};

/** Everything else the database holds: how many rows of each table there are, and what wrote the newest of them. */
async function kept(): Promise<string> {
  return JSON.stringify((await store.pool.query(keptQuery)).rows);
}

const without = (may: readonly Holder[]) => everybody.filter((holder) => !may.includes(holder));

const elsewhere = await aPractice(store);
const people = await thePeople(store);
const somebody = (holder: Holder, here: string) => people(holder, { here, elsewhere });

type Answer = { readonly ok?: boolean; readonly refusal?: { readonly type: string } } | undefined;

/** Safe because whatever a verb answers may be asked for members it has not. */
const isDone = (answer: unknown) => (answer as Answer)?.ok === true;
const refusalOf = (answer: unknown) => (answer as Answer)?.refusal?.type ?? "none";

const textOf = (answer: unknown) =>
  JSON.stringify(answer, (_, value: unknown) => (value instanceof Map ? [...value] : value)) ?? "";

/** How an administrator's verb turns somebody away. */
const refusals = ["not-authorised", "not-found", "beyond-reach", "invalid"];

/** Somebody with these roles, of which an act looks again at those of an admin in its own transaction. */
async function anAdmin(holder: Holder, here: string) {
  const doer = somebody(holder, here);
  const { id: personId, administers } = doer.actor;
  if (administers === "every")
    await store.prisma.person.update({ where: { id: personId }, data: { everywhere: ["admin"] } });
  else
    await store.prisma.personRole.createMany({
      data: administers.map((practiceId) => ({ personId, role: "admin", practiceId })),
      skipDuplicates: true,
    });
  return doer;
}

async function aReadyGround({ before }: AdminVerb): Promise<Ground> {
  const ground = await aGround(store);
  await before?.(admin, ground);
  return ground;
}

describe.each(Object.entries(adminVerbs))("%s", (_, verb) => {
  const { for: may, act, shows } = verb;
  const shown = (ground: Ground) => shows?.(ground);

  test("is refused to everybody else, whatever roles they have, and changes nothing", async () => {
    const ground = await aReadyGround(verb);
    const before = await kept();
    for (const holder of without(may)) {
      const answer = await act(somebody(holder, ground.practiceId), ground);
      const text = shown(ground);
      // A list is of their own, and shows nothing of this practice.
      const isOwn = text !== undefined && isDone(answer) && !textOf(answer).includes(text);
      const outcome = isOwn ? "their own" : refusalOf(answer);
      expect([...refusals, "their own"], `${holder} was answered ${textOf(answer)}`).toContain(outcome);
    }
    expect(await kept()).toBe(before);
  });

  test("is done by each who may", async () => {
    // What only reads leaves the ground as it is for the next.
    const read = shows && (await aReadyGround(verb));
    const grounds = await Promise.all(
      may.map(async (holder) => ({ holder, ground: read ?? (await aReadyGround(verb)) })),
    );
    for (const { holder, ground } of grounds) {
      const doer = await anAdmin(holder, ground.practiceId);
      const before = await kept();
      const answer = await act(doer, ground);
      expect([holder, isDone(answer), refusalOf(answer)]).toEqual([holder, true, "none"]);
      if (shows === undefined) expect([holder, (await kept()) === before]).toEqual([holder, false]);
      else expect(textOf(answer)).toContain(shown(ground) ?? "");
    }
  });
});

describe.each(Object.entries(deskVerbs))("%s", (_, verb) => {
  const { for: may = reviewersHere, ground: make = aDeskGround, before, act, shows, leaves } = verb;

  /**
   * Somebody with these roles, who did before what the act takes while they still reviewed for the practice. They are
   * kept as its reviewer, so that whoever is refused is refused for the roles they come with.
   */
  async function aDoer(holder: Holder, ground: Awaited<ReturnType<typeof make>>) {
    const doer = somebody(holder, ground.practiceId);
    const role = { personId: doer.actor.id, role: "reviewer", practiceId: ground.practiceId };
    await store.prisma.personRole.createMany({ data: role, skipDuplicates: true });
    await before?.({ ...ground.reviewer, actor: { ...ground.reviewer.actor, id: doer.actor.id } }, ground);
    return doer;
  }

  test("is refused to everybody who may not, shows nothing and changes nothing", async () => {
    let ground = await make(store);
    for (const holder of without(may)) {
      const doer = await aDoer(holder, ground);
      const standing = await kept();
      const answer = textOf(await act(doer, ground));
      if (shows) expect({ holder, shown: answer.includes(shows(ground)) }).toEqual({ holder, shown: false });
      expect({ holder, same: (await kept()) === standing }).toEqual({ holder, same: true });
      // What each did before would be in the way of the next.
      if (before) ground = await make(store);
    }
  });

  test("is done by each who does", async () => {
    const grounds = await Promise.all(may.map(async (holder) => ({ holder, ground: await make(store) })));
    for (const { holder, ground } of grounds) {
      const doer = await aDoer(holder, ground);
      const standing = await kept();
      const answer = await act(doer, ground);
      if (shows)
        expect({ holder, answer: textOf(answer) }).toMatchObject({ answer: expect.stringContaining(shows(ground)) });
      // Of several cases, each.
      else expect([holder, isDone(answer), textOf(answer).includes('"ok":false')]).toEqual([holder, true, false]);
      if (!shows && leaves !== "nothing") expect([holder, (await kept()) === standing]).toEqual([holder, false]);
    }
  });
});

test("every verb of an administrator and of a reviewer is in one of these tables, and nothing else is", () => {
  const rooms = [
    "access",
    "audit",
    "change-request",
    "channel",
    "channel/webhook",
    "person",
    "practice",
    "practice/directory",
    "practice/draft",
    "practice/import",
  ];
  const everything = rooms.flatMap((room) => verbsOf(`lib/${room}`).map(([name]) => name));
  const ofPeople = ["gate", "payer/inbox", "queue", "report", "submission", "task"].flatMap((room) =>
    verbsOf(`lib/${room}`).flatMap(([name, first]) =>
      /^Context$|PersonActor|OperatorActor/.test(first) ? [name] : [],
    ),
  );
  const tables = [adminVerbs, notOfAdmins, deskVerbs, decisions, notOfDesk].flatMap((table) => Object.keys(table));
  expect(tables.toSorted()).toEqual([...everything, ...ofPeople].toSorted());
  expect(Object.values(decisions).toSorted()).toEqual(Object.keys(runs).toSorted());
});
