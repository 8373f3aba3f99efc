import { expect, test } from "vitest";
import { dueAfter, type Due } from "./times.ts";
import type { CommandType } from "./lifecycle/command.ts";
import { decideOn, historyOf } from "./lifecycle/lifecycle.fixture.ts";
import { replay } from "./lifecycle/evolve.ts";
import type { Task } from "./task.ts";
import { assert } from "#lib/platform/result";

const earlier = new Date("2026-11-20T12:00:00Z");
const ofGate = new Date("2026-11-21T12:00:00Z");

/** The task after a command that may happen, and when it is due; `due` is when it was due before. */
function after(task: Task, due: Due, type: CommandType, members: object = {}): { task: Task; due: Due } {
  const decided = decideOn(task, type, members);
  assert(decided.ok, `${type} may happen here`);
  const next = dueAfter({ task, due }, decided.value, { gateDueAt: ofGate });
  return { task: replay(decided.value, task), due: next };
}

test("a gate is due when it says so as it opens, and a vote does not move it", () => {
  const opened = after(historyOf({}, "release", "claim", "start", "record-acceptance"), undefined, "request-void");
  expect(opened.due).toEqual(ofGate);
  const ballot = { by: "reviewer", needed: 2, given: [], owners: [] };
  expect(after(opened.task, earlier, "release", { ballot }).due).toEqual(earlier);
});

test("what no person must act on is due at no time", () => {
  expect(after(historyOf({}), earlier, "release").due).toBeUndefined();
});

test("a need is due from the event with which it begins, until an event ends it", () => {
  const submitting = historyOf({}, "release", "claim", "start");
  const unconfirmed = after(submitting, undefined, "record-unknown-outcome");
  expect(unconfirmed.due).toBe("from-now");
  const unreadable = after(unconfirmed.task, earlier, "record-unreadable-answer");
  expect(unreadable.due).toEqual(earlier);
  expect(after(unreadable.task, earlier, "record-determination").due).toBeUndefined();
});

test("another need than before is due anew", () => {
  const contact = historyOf({}, "release", "claim", "start", "record-acceptance", "record-contact-request");
  expect(after(contact, earlier, "record-contact-request").due).toEqual(earlier);
  expect(after(contact, earlier, "record-unreadable-answer").due).toBe("from-now");
});
