import { describe, expect, test } from "vitest";
import { alone, examples, historyOf, gateAt, seenAt, eventsOn, laterBy } from "./transition.fixture.ts";
import { attentionOf, canVoid, canWithdraw, gateOf, stateOf, states, type State, type Task } from "./task.ts";
import { openTask, releaseAgeMaxMs, transition } from "./transition.ts";

const eventTypes = Object.keys(eventsOn(examples["needs-information"])) as (keyof ReturnType<typeof eventsOn>)[];

/** Where an event leads from each example of a state, with what it opens and closes; nothing where it is refused. */
function chartLine(state: State): string {
  const task = examples[state];
  const cells = eventTypes.flatMap((type) => {
    const next = transition(task, eventsOn(task)[type]);
    if (!next.ok) return [];
    const { task: after, closed, opened } = next.value;
    const to = stateOf(after);
    const raised = after.attention && after.attention !== task.attention ? ` !${after.attention}` : "";
    const gates = `${closed ? ` -${closed.as}` : ""}${opened ? " +gate" : ""}`;
    return [`  ${type} → ${to === state ? "·" : to}${gates}${raised}`];
  });
  return [state, ...cells].join("\n");
}

test("the whole lifecycle, state by state: an event that is not listed is refused", () => {
  expect(`\n${states.map(chartLine).join("\n")}\n`).toMatchSnapshot();
});

test("each example really is in the state it stands for", () => {
  expect(states.map((state) => stateOf(examples[state]))).toEqual(states);
});

describe("a release", () => {
  const held = examples["transmit-held"];

  test.each([
    ["another gate", { ...seenAt(held), gateId: "another" }],
    ["another revision", { ...seenAt(held), revision: 9 }],
    ["another digest", { ...seenAt(held), digest: "another" }],
  ])("that names %s than the open one is stale", (_, seen) => {
    const at = new Date(0);
    const answer = transition(held, { type: "released", seen, at, claimableAt: at, ballot: alone });
    expect(answer).toMatchObject({ ok: false, refusal: { type: "stale" } });
  });

  test("at the instant its gate expires comes too late", () => {
    const { expiresAt } = gateAt(held);
    const late = {
      type: "released",
      seen: seenAt(held),
      at: expiresAt,
      claimableAt: expiresAt,
      ballot: alone,
    } as const;
    const answer = transition(held, late);
    expect(answer).toMatchObject({ ok: false, refusal: { type: "gate-expired" } });
  });

  test("of a task whose channel lost its rights needs adoption first", () => {
    const orphan: Task = { ...held, attention: "channel-revoked" };
    const at = new Date(0);
    const release = { type: "released", seen: seenAt(held), at, claimableAt: at, ballot: alone } as const;
    expect(transition(orphan, release)).toMatchObject({ ok: false, refusal: { type: "needs-adoption" } });
    const adopted = transition(orphan, { type: "adopted" });
    expect(adopted.ok && transition(adopted.value.task, release).ok).toBe(true);
  });

  test("older than 24 hours cannot be claimed", () => {
    const released = examples["transmit-released"];
    const at = laterBy(1000 + releaseAgeMaxMs + 1);
    const answer = transition(released, {
      type: "claimed",
      by: "worker",
      at,
      leaseUntil: laterBy(2 * releaseAgeMaxMs),
    });
    expect(answer).toMatchObject({ ok: false, refusal: { type: "release-too-old" } });
  });

  test("within its recall window cannot be claimed", () => {
    const at = new Date(-1);
    const answer = transition(examples["transmit-released"], { type: "claimed", by: "worker", at, leaseUntil: at });
    expect(answer).toMatchObject({ ok: false, refusal: { type: "not-claimable" } });
  });

  test("to be sent by hand is never claimed by the worker, nor the other way round", () => {
    const byHand = historyOf({ byHand: true }, "released");
    const worker = transition(byHand, { type: "claimed", by: "worker", at: laterBy(1), leaseUntil: laterBy(2) });
    const person = transition(examples["transmit-released"], { type: "claimed", by: "person", at: laterBy(1) });
    expect(worker).toMatchObject({ ok: false, refusal: { type: "not-claimable" } });
    expect(person).toMatchObject({ ok: false, refusal: { type: "not-claimable" } });
    expect(attentionOf(byHand)).toBe("send-by-hand");
  });
});

describe("an attempt", () => {
  test("that another attempt has followed is not heard", () => {
    const answer = transition(examples.transmitting, { type: "accepted", attempt: 0 });
    expect(answer).toMatchObject({ ok: false, refusal: { type: "attempt-superseded" } });
  });

  test("cannot start once its lease is over", () => {
    const { motion } = examples.transmitting;
    const leaseUntil = motion.kind === "sending" ? motion.leaseUntil : undefined;
    const unstarted: Task = { ...examples.transmitting, motion: { ...motion, started: false } as Task["motion"] };
    const answer = transition(unstarted, { type: "started", attempt: 1, at: leaseUntil ?? new Date() });
    expect(answer).toMatchObject({ ok: false, refusal: { type: "attempt-superseded" } });
  });

  test("whose lease lapsed before anything left goes out again, and after that is in doubt", () => {
    const motion = examples.transmitting.motion as Extract<Task["motion"], { kind: "sending" }>;
    const unsent: Task = { ...examples.transmitting, motion: { ...motion, started: false } };
    const lapsed = { type: "lapsed", at: laterBy(1e9), retryAt: laterBy(1e9) } as const;
    const again = transition(unsent, lapsed);
    const doubt = transition({ ...unsent, motion: { ...motion, started: true } }, lapsed);
    expect(again.ok && stateOf(again.value.task)).toBe("transmit-released");
    expect(doubt.ok && stateOf(doubt.value.task)).toBe("transmit-unconfirmed");
  });
});

describe("a determination", () => {
  const decided = (decidedAt: Date | undefined) =>
    ({ type: "payer-decided", determination: { id: "newer", outcome: "denied", decidedAt } }) as const;

  test("newer by the payer's instant supersedes, older changes nothing, unordered asks for a person", () => {
    const task = examples.determined;
    const newer = transition(task, decided(laterBy(10)));
    const older = transition(task, decided(new Date(-10)));
    const unordered = transition(task, decided(undefined));
    expect(newer.ok && newer.value.task.payer.determination?.id).toBe("newer");
    expect(older.ok && older.value.task).toEqual(task);
    expect(unordered.ok && unordered.value.task.payer.determination?.id).toBe(task.payer.determination?.id);
    expect(unordered.ok && attentionOf(unordered.value.task)).toBe("unordered-answer");
  });

  test("dated after it was heard is no newer for that: the one heard later counts, and the conflict is shown", () => {
    const heard = (id: string, outcome: "approved" | "denied", decidedAt: Date, receivedAt: Date) =>
      ({ type: "payer-decided", determination: { id, outcome, decidedAt, receivedAt } }) as const;
    const first = transition(examples.transmitted, heard("2099", "approved", new Date("2099-01-01"), laterBy(10)));
    const then = first.ok && transition(first.value.task, heard("denial", "denied", laterBy(5), laterBy(20)));
    expect(then && then.ok && then.value.task.payer.determination?.id).toBe("denial");
    expect(then && then.ok && attentionOf(then.value.task)).toBe("unordered-answer");
    const ahead = transition(examples.transmitted, heard("ahead", "approved", laterBy(60_000), laterBy(10)));
    const next = ahead.ok && transition(ahead.value.task, heard("next", "denied", laterBy(90_000), laterBy(100_000)));
    expect(next && next.ok && [next.value.task.payer.determination?.id, attentionOf(next.value.task)]).toEqual([
      "next",
      undefined,
    ]);
  });

  test("after an end is kept as a late answer and the end stays", () => {
    const answer = transition(examples.voided, decided(laterBy(10)));
    expect(answer.ok && [stateOf(answer.value.task), attentionOf(answer.value.task)]).toEqual([
      "voided",
      "late-answer",
    ]);
  });

  test("of a case the payer was never sent is refused", () => {
    expect(transition(examples["transmit-held"], decided(laterBy(1)))).toMatchObject({ ok: false });
  });
});

describe("withdrawing", () => {
  test.each(states)("%s: what cannot be withdrawn says whether a void can be asked for", (state) => {
    const task = examples[state];
    const answer = transition(task, { type: "withdrawn" });
    if (answer.ok) return expect(canWithdraw(task) || state === "withdrawn").toBe(true);
    expect(answer.refusal).toEqual({
      type: "not-withdrawable",
      state,
      use: canVoid(task) ? "prior_auth_void" : undefined,
    });
  });
});

test("a task that is complete for its route opens at a gate, and one that is not asks its agent", () => {
  const gate = gateAt(examples["transmit-held"]);
  expect(gateOf(openTask({ missing: [], gate }).task)?.digest).toBe(gate.digest);
  expect(stateOf(openTask({ missing: ["/subscriber/memberId"] }).task)).toBe("needs-information");
});
