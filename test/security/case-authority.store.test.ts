import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { runs } from "../../app/tasks/[id]/decision/intents.ts";
import type { PersonActor } from "#lib/access/model/actor";
import { powersOf, type Grant } from "#lib/access/model/grant";
import { storeForPerson } from "#lib/db/for-practices";
import type { Possible } from "#lib/task/views";
import { aPerson, aPractice, aStore } from "#test/support/cases/cases";
import { shownNow, standings, type Reviewer, type Standing } from "#test/support/cases/standings";

const store = aStore();
afterAll(() => store.close());

/** What somebody holds, in the practice of the case and in another one. */
type GrantsOf = (here: string, elsewhere: string) => readonly Grant[];

const mayAct: Readonly<Record<string, GrantsOf>> = {
  "a reviewer": (here) => [{ role: "reviewer", practiceId: here }],
  "a reviewer who is its admin too": (here) => [
    { role: "reviewer", practiceId: here },
    { role: "admin", practiceId: here },
  ],
  "a reviewer of two practices": (here, elsewhere) => [
    { role: "reviewer", practiceId: elsewhere },
    { role: "reviewer", practiceId: here },
  ],
};

const mayNot: Readonly<Record<string, GrantsOf>> = {
  "nobody any more": () => [],
  "a reviewer of another practice": (_, elsewhere) => [{ role: "reviewer", practiceId: elsewhere }],
  "its admin": (here) => [{ role: "admin", practiceId: here }],
  "its auditor": (here) => [{ role: "auditor", practiceId: here }],
  "an admin of every practice": () => [{ role: "admin" }],
  "an auditor of every practice": () => [{ role: "auditor" }],
  "its admin and auditor who reviews for another": (here, elsewhere) => [
    { role: "admin", practiceId: here },
    { role: "auditor", practiceId: here },
    { role: "reviewer", practiceId: elsewhere },
  ],
};

/** Somebody with these grants, who did before, as a reviewer, what the act takes. */
async function somebody({ practiceId, before }: Standing, rights: GrantsOf): Promise<Reviewer> {
  const reviewer = await aPerson(store, { practices: [practiceId] });
  await before?.(reviewer);
  return holding(reviewer.actor, rights(practiceId, await aPractice(store)));
}

/** The same person, who just proved who they are, with these grants and no others. */
function holding(person: PersonActor, grants: readonly Grant[]): Reviewer {
  const actor = { ...person, provedAt: new Date(), ...powersOf(grants) };
  return { actor, store: storeForPerson(store, actor) };
}

/** As a page drawn now would send it. */
async function act(intent: Possible, doer: Reviewer, { taskId, typed }: Standing) {
  const shown = await shownNow(store, taskId);
  return runs[intent](doer, { ...shown, key: randomUUID(), zone: "UTC", ...typed }, undefined);
}

/** Everything that is kept of a case, the record of who asked and was refused left out. */
async function keptOf(taskId: string): Promise<string> {
  const { rows: tables } = await store.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'task_id'
        AND table_name NOT IN ('audit_entry', 'person_denial') ORDER BY 1`,
  );
  const each = [...tables.map(({ name }) => [name, "task_id"] as const), ["task", "id"] as const].map(
    ([table, column]) => `SELECT '${table}' AS name, to_jsonb(t)::text AS row FROM "${table}" t WHERE t.${column} = $1`,
  );
  const { rows } = await store.pool.query(`${each.join(" UNION ALL ")} ORDER BY 1, 2`, [taskId]);
  expect(rows.length).toBeGreaterThan(1);
  return JSON.stringify(rows);
}

describe.each(Object.keys(standings) as Possible[])("%s", (intent) => {
  test("is refused to everybody who does not review for the practice and changes nothing, and succeeds where they do", async () => {
    let standing = await standings[intent](store);
    let doer: Reviewer | undefined;
    for (const [who, rights] of Object.entries(mayNot)) {
      // What each did before would be in the way of the next.
      if (doer && standing.before) standing = await standings[intent](store);
      doer = await somebody(standing, rights);
      const before = await keptOf(standing.taskId);
      const answer = await act(intent, doer, standing);
      expect({ who, refused: !answer.ok && answer.refusal.type }).toEqual({ who, refused: "not-found" });
      expect(await keptOf(standing.taskId)).toBe(before);
    }
    const again = doer && holding(doer.actor, [{ role: "reviewer", practiceId: standing.practiceId }]);
    expect(again && (await act(intent, again, standing))).toMatchObject({ ok: true });
  });

  test.each(Object.entries(mayAct))("is done by %s", async (_, rights) => {
    const standing = await standings[intent](store);
    const doer = await somebody(standing, rights);
    const before = await keptOf(standing.taskId);
    expect(await act(intent, doer, standing)).toMatchObject({ ok: true });
    expect(await keptOf(standing.taskId)).not.toBe(before);
  });
});
