import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { runs } from "../../app/tasks/[id]/decision/intents.ts";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { powersOf, type Grant } from "#lib/access/model/grant";
import { risks } from "#lib/task/model/risk";
import { gateOf } from "#lib/task/model/task";
import { loadTask } from "#lib/task/store/load-task";
import { rowToTask } from "#lib/task/store/task-rows";
import { storeForPerson } from "#lib/db/for-practices";
import { recordAnswer } from "#lib/submission/record-answer";
import { releaseGate } from "#lib/gate/release-gate";
import { startManualSubmission } from "#lib/submission/manual-submission";
import { sendMessage } from "#lib/task/send-message";
import { claimTransmission, startTransmission } from "#lib/submission/transmission";
import type { Possible } from "#lib/task/views";
import { done } from "#test/support/admin";
import { aHeldTask, aPerson, aPractice, aStore, aVoid, seenOn, theWorker } from "#test/support/cases";
import { anAnsweredTask, aReleasedTask, bytes } from "#test/support/sent-cases";

const store = aStore();
const worker = theWorker(store);
afterAll(() => store.close());

type Reviewer = Context<PersonActor>;

/** A case that stands where the act succeeds for whoever may do it, and what the form of its page says beside the gate. */
type Standing = {
  readonly practiceId: string;
  readonly taskId: string;
  readonly typed?: Readonly<Record<string, string>> | undefined;
  /** What whoever acts did before, while they still reviewed for the practice. */
  readonly before?: (doer: Reviewer) => Promise<unknown>;
};

/** Every act on a case that a page offers, on a case of its own. */
const cases: Readonly<Record<Possible, () => Promise<Standing>>> = {
  release: () => aHeldTask(store),
  decline: () => held({ code: "other", reason: "Asked for twice." }),
  "send-back": () => held({ question: "Which side?" }),
  "take-back": async () => {
    const { practiceId, taskId, seen } = await aHeldTask(store);
    await aPerson(store, { practices: [practiceId] });
    const rule = { practiceId, action: "transmit", votes: 2, stepUp: false };
    await store.prisma.voteRule.createMany({ data: risks.map((risk) => ({ ...rule, risk })) });
    return { practiceId, taskId, before: (doer) => done(releaseGate(doer, { taskId, seen })) };
  },
  recall: async () => {
    const { practiceId, taskId, seen, reviewer } = await aHeldTask(store, { recallWindowS: 600 });
    await done(releaseGate(reviewer, { taskId, seen }));
    return { practiceId, taskId };
  },
  adopt: async () => {
    const { practiceId, taskId, channel } = await aReleasedTask(store);
    const keys = { where: { channelId: channel.actor.id }, data: { revokedAt: new Date() } };
    await store.prisma.channelKey.updateMany(keys);
    await claimTransmission(worker, { taskId });
    return { practiceId, taskId };
  },
  "begin-sending": () => releasedByHand(),
  "report-sent": () => begunByHand({ delivery: "fax" }),
  "report-refused": () => begunByHand({ reason: "Unknown member." }),
  "report-not-sent": () => begunByHand({ reason: "No fax there." }),
  settle: () => {
    const asked = { whom: "Ada", askedBy: "phone", askedAt: new Date().toISOString().slice(0, 16) };
    return answered({ type: "unknown", reason: "no reply" }, { payerHas: "no", ...asked });
  },
  "record-determination": () =>
    answered({ type: "accepted" }, { askedRevision: "1", outcome: "denied", learnedBy: "fax", evidence: "Letter" }),
  "record-wants": () => answered({ type: "accepted" }, { wants: "The report." }),
  "record-voided": () => answered({ type: "accepted" }, { evidence: "By phone." }),
  "record-void-refused": async () => {
    const { practiceId, taskId, channel, reviewer } = await anAnsweredTask(store, { type: "accepted" });
    const asked = await done(sendMessage(channel, aVoid({ practiceId, taskId })));
    await done(releaseGate(reviewer, { taskId, seen: seenOn(asked) }));
    const claim = await done(claimTransmission(worker, { taskId }));
    const attempt = claim === "held-again" ? 0 : claim.attempt;
    await startTransmission(worker, { taskId, attempt });
    await recordAnswer(worker, { taskId, attempt, heard: { answer: { type: "accepted" }, bytes } });
    return { practiceId, taskId, typed: { reason: "Too late." } };
  },
  attend: () => answered({ type: "contact-payer", text: "Call." }, {}),
};

async function held(typed: Standing["typed"]): Promise<Standing> {
  return { ...(await aHeldTask(store)), typed };
}

async function answered(answer: Parameters<typeof anAnsweredTask>[1], typed: Standing["typed"]): Promise<Standing> {
  return { ...(await anAnsweredTask(store, answer)), typed };
}

/** Released, and the payer has no connection. */
async function releasedByHand() {
  const all = await aHeldTask(store);
  await done(releaseGate(all.reviewer, { taskId: all.taskId, seen: all.seen }));
  return all;
}

async function begunByHand(typed: Standing["typed"]): Promise<Standing> {
  const { practiceId, taskId, seen, reviewer } = await releasedByHand();
  await done(startManualSubmission(reviewer, { taskId, gateId: seen.gateId }));
  return { practiceId, taskId, typed };
}

/** What somebody holds, in the practice of the case and in another one. */
type Held = (here: string, elsewhere: string) => readonly Grant[];

const mayAct: Readonly<Record<string, Held>> = {
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

const mayNot: Readonly<Record<string, Held>> = {
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
async function somebody({ practiceId, before }: Standing, holds: Held): Promise<Reviewer> {
  const reviewer = await aPerson(store, { practices: [practiceId] });
  await before?.(reviewer);
  return holding(reviewer.actor, holds(practiceId, await aPractice(store)));
}

/** The same person, who just proved who they are, with these grants and no others. */
function holding(person: PersonActor, grants: readonly Grant[]): Reviewer {
  const actor = { ...person, provedAt: new Date(), ...powersOf(grants) };
  return { actor, store: storeForPerson(store, actor) };
}

/** As a page drawn now would send it. */
async function act(intent: Possible, doer: Reviewer, { taskId, typed }: Standing) {
  const row = await loadTask(store, { taskId, practices: "every" });
  if (!row) throw new Error("The case is gone.");
  const gate = gateOf(rowToTask(row, store.sealer));
  const shown = { gateId: gate?.id ?? "", digest: gate?.digest ?? "", revision: String(row.revision) };
  return runs[intent](doer, { taskId, ...shown, key: randomUUID(), zone: "UTC", ...typed }, undefined);
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

describe.each(Object.keys(cases) as Possible[])("%s", (intent) => {
  test("is refused to everybody who does not review for the practice and changes nothing, and succeeds where they do", async () => {
    let standing = await cases[intent]();
    let doer: Reviewer | undefined;
    for (const [who, holds] of Object.entries(mayNot)) {
      // What each did before would be in the way of the next.
      if (doer && standing.before) standing = await cases[intent]();
      doer = await somebody(standing, holds);
      const before = await keptOf(standing.taskId);
      const answer = await act(intent, doer, standing);
      expect({ who, refused: !answer.ok && answer.refusal.type }).toEqual({ who, refused: "not-found" });
      expect(await keptOf(standing.taskId)).toBe(before);
    }
    const again = doer && holding(doer.actor, [{ role: "reviewer", practiceId: standing.practiceId }]);
    expect(again && (await act(intent, again, standing))).toMatchObject({ ok: true });
  });

  test.each(Object.entries(mayAct))("is done by %s", async (_, holds) => {
    const standing = await cases[intent]();
    const doer = await somebody(standing, holds);
    const before = await keptOf(standing.taskId);
    expect(await act(intent, doer, standing)).toMatchObject({ ok: true });
    expect(await keptOf(standing.taskId)).not.toBe(before);
  });
});
