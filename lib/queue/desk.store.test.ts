import { afterAll, describe, expect, test } from "vitest";
import { actsOf, aHeldTask, aPerson, aPractice, aStore } from "#test/support/cases/cases";
import { entriesOf, operator } from "#test/support/people/admin";
import { disablePerson } from "#lib/person/disable-person";
import { adminsToAsk } from "./queue-choices.ts";
import { assignTask } from "./assign-task.ts";
import { getTask } from "#lib/task/get-task";
import { markPresence } from "./mark-presence.ts";
import { openCase } from "./open-case.ts";
import { writeNote } from "./write-note.ts";

const store = aStore();
afterAll(() => store.close());

const hidden = { ok: false, refusal: { type: "not-found" } };
const opened = { left: false };

/** A held case, its reviewer Dana, and Priya beside her. */
async function twoReviewers() {
  const held = await aHeldTask(store);
  const other = await aPerson(store, { practices: [held.practiceId], name: "Priya Raman" });
  return { ...held, other };
}

async function strangersTo(practiceId: string) {
  return [
    await aPerson(store, { practices: [await aPractice(store)] }),
    await aPerson(store, { practices: [practiceId], roles: ["admin"] }),
  ];
}

describe("an assignment", () => {
  test("is recorded with ids only, leaves the case unchanged, and can be changed and removed", async () => {
    const { practiceId, reviewer, other, taskId } = await twoReviewers();
    const [dana, priya] = [reviewer.actor.id, other.actor.id];
    const before = await store.prisma.task.findUniqueOrThrow({ where: { id: taskId } });
    for (const [from, to] of [
      [undefined, dana],
      [dana, priya],
      [priya, undefined],
    ]) {
      expect(await assignTask(reviewer, { taskId, from, to })).toEqual({ ok: true, value: "done" });
    }
    const details = (await entriesOf({ store }, practiceId)).filter(({ act }) => act === "case.assigned");
    expect(details.map(({ detail }) => detail)).toEqual([
      { from: null, to: dana },
      { from: dana, to: priya },
      { from: priya, to: null },
    ]);
    expect(await store.prisma.task.findUniqueOrThrow({ where: { id: taskId } })).toEqual(before);
    const page = await openCase(other, { taskId });
    const assigned = page.ok ? page.value.view.history.filter(({ act }) => act === "case.assigned") : [];
    expect(assigned.map(({ assignee }) => assignee)).toEqual(["Dana Whitfield", "Priya Raman", undefined]);
  });

  test("to the current assignee succeeds without another entry", async () => {
    const { reviewer, taskId } = await twoReviewers();
    const to = reviewer.actor.id;
    await assignTask(reviewer, { taskId, from: undefined, to });
    expect(await assignTask(reviewer, { taskId, from: undefined, to })).toEqual({ ok: true, value: "nothing" });
    expect(await actsOf(store, taskId)).toEqual(["task.opened", "case.assigned"]);
  });

  test("of ten at once succeeds once, and the others learn the assignee", async () => {
    const { practiceId, reviewer, taskId } = await twoReviewers();
    const people = await Promise.all(
      Array.from({ length: 10 }, (_, index) => aPerson(store, { practices: [practiceId], name: `Reviewer ${index}` })),
    );
    const answers = await Promise.all(
      people.map(({ actor }) => assignTask(reviewer, { taskId, from: undefined, to: actor.id })),
    );
    const winner = answers.findIndex(({ ok }) => ok);
    const refusal = { type: "assigned-meanwhile", to: `Reviewer ${winner}` };
    expect(answers.filter(({ ok }) => !ok)).toEqual(Array.from({ length: 9 }, () => ({ ok: false, refusal })));
    expect(await actsOf(store, taskId)).toEqual(["task.opened", "case.assigned"]);
  });

  test("goes only to an active reviewer of its practice", async () => {
    const { practiceId, reviewer, other, taskId } = await twoReviewers();
    await disablePerson({ actor: operator, store }, { id: other.actor.id });
    const unable = [other, ...(await strangersTo(practiceId))].map(({ actor }) => actor.id);
    for (const to of [...unable, crypto.randomUUID(), "no-uuid"]) {
      expect(await assignTask(reviewer, { taskId, from: undefined, to })).toEqual({
        ok: false,
        refusal: { type: "not-able" },
      });
    }
    expect(await actsOf(store, taskId)).toEqual(["task.opened"]);
  });

  test("to a person who has lost the practice since is flagged", async () => {
    const { reviewer, other, taskId } = await twoReviewers();
    await assignTask(reviewer, { taskId, from: undefined, to: other.actor.id });
    await store.prisma.personRole.deleteMany({ where: { personId: other.actor.id } });
    const page = await openCase(reviewer, { taskId });
    expect(page.ok && page.value.desk.assignee).toEqual({ id: other.actor.id, name: "Priya Raman", able: false });
  });

  test("to a person who is deactivated at the same moment is refused, or is removed again", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { reviewer, other, taskId } = await twoReviewers();
      await Promise.all([
        assignTask(reviewer, { taskId, from: undefined, to: other.actor.id }),
        disablePerson({ actor: operator, store }, { id: other.actor.id }),
      ]);
      const page = await openCase(reviewer, { taskId });
      expect(page.ok && page.value.desk.assignee).toBeUndefined();
      expect(page.ok && page.value.desk.reviewers.map(({ id }) => id)).toEqual([reviewer.actor.id]);
    }
  });
});

describe("presence", () => {
  test("shows a reader to the others and not to themselves, until they leave", async () => {
    const { reviewer, other, taskId } = await twoReviewers();
    const own = await markPresence(reviewer, { taskId, ...opened });
    expect(own.ok && own.value.readers).toEqual([]);
    const seen = await markPresence(other, { taskId, ...opened });
    expect(seen.ok && seen.value.readers).toEqual([{ name: "Dana Whitfield", sinceMs: expect.any(Number) }]);
    await markPresence(reviewer, { taskId, left: true });
    const after = await markPresence(other, { taskId, ...opened });
    expect(after.ok && after.value.readers).toEqual([]);
  });

  test("ends after a minute without a signal, and begins again when the reader is back", async () => {
    const { reviewer, other, taskId } = await twoReviewers();
    await markPresence(reviewer, { taskId, ...opened });
    const longAgo = new Date(Date.now() - 60_000);
    const where = { personId_taskId: { personId: reviewer.actor.id, taskId } };
    await store.prisma.presence.update({ where, data: { since: longAgo, seenAt: longAgo } });
    const seen = await markPresence(other, { taskId, ...opened });
    expect(seen.ok && seen.value.readers).toEqual([]);
    await markPresence(reviewer, { taskId, ...opened });
    const back = await store.prisma.presence.findUniqueOrThrow({ where });
    expect(back.since).toEqual(back.seenAt);
  });
});

describe("a note", () => {
  test("is shown to the reviewers of the practice, encrypted in the database, and never on the wire", async () => {
    const { practiceId, channel, reviewer, other, taskId } = await twoReviewers();
    const noteId = crypto.randomUUID();
    const text = "Mrs Okafor called.\nWait for the MRI.";
    expect(await writeNote(reviewer, { taskId, noteId, text: `  ${text.replace("\n", "\r\n")} ` })).toEqual({
      ok: true,
      value: "done",
    });
    const page = await openCase(other, { taskId });
    expect(page.ok && page.value.desk.notes).toEqual([
      { id: noteId, text, by: "Dana Whitfield", at: expect.any(Date) },
    ]);
    const kept = await store.prisma.caseNote.findUniqueOrThrow({ where: { id: noteId } });
    expect(Buffer.from(kept.text).toString("latin1")).not.toContain("Okafor");
    expect(JSON.stringify(await getTask(channel, { taskId, historyLength: 100 }))).not.toContain("MRI");
    expect(JSON.stringify(await entriesOf({ store }, practiceId))).not.toContain("Okafor");
  });

  test("sent twice by one form is written once", async () => {
    const { reviewer, taskId } = await twoReviewers();
    const note = { taskId, noteId: crypto.randomUUID(), text: "Once." };
    const answers = await Promise.all(Array.from({ length: 5 }, () => writeNote(reviewer, note)));
    expect(answers.filter((answer) => answer.ok && answer.value === "done")).toHaveLength(1);
    expect(answers.filter((answer) => answer.ok && answer.value === "nothing")).toHaveLength(4);
    expect(await actsOf(store, taskId)).toEqual(["task.opened", "case.noted"]);
  });

  test("cannot replace the note of another person", async () => {
    const { reviewer, other, taskId } = await twoReviewers();
    const noteId = crypto.randomUUID();
    await writeNote(reviewer, { taskId, noteId, text: "Mine." });
    expect(await writeNote(other, { taskId, noteId, text: "Yours." })).toEqual(hidden);
    expect(await store.prisma.caseNote.count({ where: { taskId } })).toBe(1);
  });

  test.each([
    ["nothing", " \n "],
    ["too much", "x".repeat(4001)],
    ["what is no text", "a\0b"],
    ["half a character", "\ud83d"],
  ])("of %s is refused, and nothing is written", async (_, text) => {
    const { reviewer, taskId } = await twoReviewers();
    const answer = await writeNote(reviewer, { taskId, noteId: crypto.randomUUID(), text });
    expect(answer).toMatchObject({ refusal: { type: "invalid", issues: [{ path: "text" }] } });
    expect(await actsOf(store, taskId)).toEqual(["task.opened"]);
  });
});

test.each([
  ["a reviewer of another practice", 0],
  ["an admin who is no reviewer", 1],
])("%s cannot open, assign, be present at or write a note to it, and nothing is written", async (_, which) => {
  const { practiceId, reviewer, taskId } = await aHeldTask(store);
  const stranger = (await strangersTo(practiceId))[which];
  if (!stranger) throw new Error("There are two strangers.");
  for (const id of [taskId, "no-uuid"]) {
    expect(await openCase(stranger, { taskId: id })).toEqual(hidden);
    expect(await markPresence(stranger, { taskId: id, ...opened })).toEqual(hidden);
    expect(await assignTask(stranger, { taskId: id, from: undefined, to: reviewer.actor.id })).toEqual(hidden);
    expect(await writeNote(stranger, { taskId: id, noteId: crypto.randomUUID(), text: "x" })).toEqual(hidden);
  }
  expect(await actsOf(store, taskId)).toEqual(["task.opened"]);
  expect(await store.prisma.presence.count({ where: { taskId } })).toBe(0);
});

test("a reviewer may ask an admin of every practice who has the role by a group", async () => {
  const reviewer = await aPerson(store, { practices: [await aPractice(store)] });
  const { actor } = await aPerson(store, { practices: [], roles: [], name: "  A first name" });
  await store.prisma.person.update({ where: { id: actor.id }, data: { everywhereByGroup: ["admin"] } });
  expect((await adminsToAsk(reviewer)).map(({ id }) => id)).toContain(actor.id);
});
