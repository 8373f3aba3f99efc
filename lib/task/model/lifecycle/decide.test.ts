import { describe, expect, test } from "vitest";
import { attentionOf, canVoid, canWithdraw, gateOf, isAwaited, stateOf, states, type Task } from "#lib/task/model/task";
import type { CommandType } from "./command.ts";
import { openTask } from "./decide.ts";
import { releaseAgeMaxMs } from "./submission-decisions.ts";
import type { Event } from "./event.ts";
import { replay } from "./evolve.ts";
import {
  after,
  commandsOn,
  decideOn,
  examples,
  gateAt,
  historyOf,
  laterBy,
  newGate,
  seenAt,
  situations,
} from "./lifecycle.fixture.ts";

const commandTypes = Object.keys(commandsOn(examples["needs-information"])) as CommandType[];

const raisedBy = (event: Event) => (event.type === "attention.raised" ? event.attention : event.type);

/** What each command makes happen to an example, and where it leads. A refused command has no line. */
function chartLine([name, task]: readonly [string, Task]): string {
  const state = stateOf(task);
  const cells = commandTypes.flatMap((type) => {
    const decided = decideOn(task, type);
    if (!decided.ok) return [];
    const to = stateOf(replay(decided.value, task));
    return [`  ${type} → ${to === state ? "·" : to}: ${decided.value.map(raisedBy).join(", ") || "nothing"}`];
  });
  return [name, ...cells].join("\n");
}

test("the whole lifecycle, state by state: a command that is not listed is refused", () => {
  const chart = [...states.map((state) => [state, examples[state]] as const), ...Object.entries(situations)];
  expect(`\n${chart.map(chartLine).join("\n")}\n`).toMatchSnapshot();
});

test("each example really is in the state it stands for", () => {
  expect(states.map((state) => stateOf(examples[state]))).toEqual(states);
  for (const [name, task] of Object.entries(situations)) expect(name.split(":")[0]).toBe(stateOf(task));
});

const transmittedTypes = ["release", "claim", "start", "record-acceptance"] as const;

const refusal = (type: string) => ({ ok: false, refusal: { type } });

describe("a release", () => {
  const held = examples["transmit-held"];

  test.each([
    ["another gate", { ...seenAt(held), gateId: "another" }],
    ["another revision", { ...seenAt(held), revision: 9 }],
    ["another digest", { ...seenAt(held), digest: "another" }],
  ])("that names %s than the open one is stale", (_, seen) => {
    expect(decideOn(held, "release", { seen })).toMatchObject(refusal("stale"));
  });

  test("at the instant its gate expires comes too late", () => {
    const { expiresAt } = gateAt(held);
    expect(decideOn(held, "release", {}, { at: expiresAt })).toMatchObject(refusal("gate-expired"));
  });

  test("of a task whose channel lost its rights needs adoption first", () => {
    const orphan: Task = { ...held, attention: "channel-revoked" };
    for (const command of ["release", "release-automatically"] as const)
      expect(decideOn(orphan, command)).toMatchObject(refusal("needs-adoption"));
    expect(decideOn(after(orphan, "adopt"), "release").ok).toBe(true);
  });

  test("that is undone names the gate that was released", () => {
    expect(decideOn(examples["transmit-released"], "recall", { gateId: "another" })).toMatchObject(refusal("stale"));
  });

  test("older than 24 hours cannot be claimed", () => {
    const at = laterBy(1000 + releaseAgeMaxMs + 1);
    const late = decideOn(examples["transmit-released"], "claim", { leaseUntil: laterBy(2 * releaseAgeMaxMs) }, { at });
    expect(late).toMatchObject(refusal("release-too-old"));
  });

  test("within its recall window cannot be claimed", () => {
    const at = new Date(-1);
    expect(decideOn(examples["transmit-released"], "claim", {}, { at })).toMatchObject(refusal("not-claimable"));
  });

  test("for manual submission is never claimed by the worker, nor the other way round", () => {
    const manual = historyOf({ manual: true }, "release");
    expect(decideOn(manual, "claim")).toMatchObject(refusal("not-claimable"));
    const person = decideOn(examples["transmit-released"], "claim", { by: "person" });
    expect(person).toMatchObject(refusal("not-claimable"));
    expect(attentionOf(manual)).toBe("manual-submission");
  });
});

test("a gate expires at its time and not before", () => {
  const held = examples["transmit-held"];
  const { expiresAt } = gateAt(held);
  const before = new Date(expiresAt.getTime() - 1);
  expect(decideOn(held, "expire", {}, { at: before })).toMatchObject(refusal("out-of-state"));
  expect(decideOn(held, "expire", {}, { at: expiresAt })).toMatchObject({ ok: true });
});

describe("an attempt", () => {
  test("that another attempt has followed is not heard", () => {
    const answer = decideOn(examples.transmitting, "record-acceptance", { attempt: 0 });
    expect(answer).toMatchObject(refusal("attempt-superseded"));
  });

  test("cannot start once its lease is over", () => {
    const claimed = historyOf({}, "release", "claim");
    const at = claimed.stage.kind === "submitting" ? claimed.stage.leaseUntil : undefined;
    expect(decideOn(claimed, "start", {}, at && { at })).toMatchObject(refusal("attempt-superseded"));
  });

  test("whose lease lapsed before anything left goes out again, and after that is in doubt", () => {
    expect(stateOf(historyOf({}, "release", "claim", "lapse"))).toBe("transmit-released");
    expect(stateOf(historyOf({}, "release", "claim", "start", "lapse"))).toBe("transmit-unconfirmed");
  });
});

describe("a determination", () => {
  const decided = (decidedAt: Date | undefined) => ({ determination: { id: "newer", outcome: "denied", decidedAt } });

  test("newer by the payer's instant supersedes, older changes nothing, unordered asks for a person", () => {
    const task = examples.determined;
    const newer = after(task, "record-determination", decided(laterBy(10)));
    const older = after(task, "record-determination", decided(new Date(-10)));
    const unordered = after(task, "record-determination", decided(undefined));
    expect(newer.payer.determination?.id).toBe("newer");
    expect(older).toEqual(task);
    expect(unordered.payer.determination?.id).toBe(task.payer.determination?.id);
    expect(attentionOf(unordered)).toBe("unordered-answer");
  });

  test("on an earlier revision than the one in force asks for a person, and so does one that may be on either", () => {
    const answered = (id: string, revision: number | undefined, decidedAt: Date | undefined) => ({
      determination: { id, outcome: "approved", revision, decidedAt, receivedAt: laterBy(60) },
    });
    const two = after(examples.transmitted, "record-determination", answered("two", 2, laterBy(10)));
    const one = after(two, "record-determination", answered("one", 1, laterBy(20)));
    expect([one.payer.determination?.id, attentionOf(one)]).toEqual(["two", "unordered-answer"]);
    const { payer } = examples.transmitted;
    const updated: Task = {
      ...examples.transmitted,
      payer: { ...payer, determination: undefined, undecided: { revision: 2 } },
    };
    const either = after(updated, "record-determination", answered("either", undefined, undefined));
    expect(either.payer).toEqual(updated.payer);
    expect(attentionOf(either)).toBe("unordered-answer");
  });

  test("without a date is superseded by what was decided after it was heard, and by nothing that may be older", () => {
    const answered = (id: string, decidedAt: Date | undefined, receivedAt: Date) => ({
      determination: { id, outcome: "denied", decidedAt, receivedAt },
    });
    const first = after(examples.transmitted, "record-determination", answered("undated", undefined, laterBy(10)));
    const inForce = (decidedAt: Date | undefined) =>
      after(first, "record-determination", answered("next", decidedAt, laterBy(30))).payer.determination?.id;
    expect([laterBy(20), laterBy(5), undefined].map(inForce)).toEqual(["next", "undated", "undated"]);
  });

  test("dated after it was heard is no newer for that: the one heard later counts, and the conflict is shown", () => {
    const hear = (task: Task, id: string, decidedAt: Date, receivedAt: Date) =>
      after(task, "record-determination", { determination: { id, outcome: "denied", decidedAt, receivedAt } });
    const first = hear(examples.transmitted, "2099", new Date("2099-01-01"), laterBy(10));
    const then = hear(first, "denial", laterBy(5), laterBy(20));
    expect([then.payer.determination?.id, attentionOf(then)]).toEqual(["denial", "unordered-answer"]);
    const ahead = hear(examples.transmitted, "ahead", laterBy(60_000), laterBy(10));
    const next = hear(ahead, "next", laterBy(90_000), laterBy(100_000));
    expect([next.payer.determination?.id, attentionOf(next)]).toEqual(["next", undefined]);
  });

  test("after an end is kept as a late answer and the end stays", () => {
    const next = after(examples.voided, "record-determination", decided(laterBy(10)));
    expect([stateOf(next), attentionOf(next)]).toEqual(["voided", "late-answer"]);
  });

  test("of a case the payer was never sent is refused", () => {
    expect(decideOn(examples["transmit-held"], "record-determination")).toMatchObject({ ok: false });
  });
});

describe("an acceptance that asks for more", () => {
  const informationRequest = { text: "the imaging report", items: [] };
  const accept = (task: Task) => after(task, "record-acceptance", { informationRequest });

  test("leaves the case with the payer, which waits for what it asked for", () => {
    expect(stateOf(accept(examples.transmitting))).toBe("payer-needs-information");
  });

  test("of a case that was decided or voided meanwhile moves nothing more, and a person is shown it", () => {
    const decided = accept(after(examples.transmitting, "record-determination"));
    expect([stateOf(decided), attentionOf(decided)]).toEqual(["determined", "unordered-answer"]);
    const voided = accept(after(examples.transmitting, "record-payer-void"));
    expect([stateOf(voided), attentionOf(voided)]).toEqual(["voided", "late-answer"]);
  });
});

describe("withdrawing", () => {
  test.each(states)("%s: what cannot be withdrawn says whether a void can be asked for", (state) => {
    const task = examples[state];
    const answer = decideOn(task, "withdraw");
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
  expect(gateOf(openTask({ gate }).task)?.digest).toBe(gate.digest);
  expect(stateOf(openTask({ missing: ["/subscriber/memberId"] }).task)).toBe("needs-information");
});

describe("a change that the payer did not ask for", () => {
  const { transmitted } = examples;

  test("opens an update gate where the connection can carry it", () => {
    expect(gateAt(after(transmitted, "amend"))).toMatchObject({ action: "transmit", update: true, revision: 2 });
  });

  test.each([
    ["only a person could carry it", { gate: newGate("by hand", true) }],
    ["the route needs more than it holds", { gate: undefined, missing: ["/subscriber/memberId"] }],
  ])("is refused where %s, at an open update gate too", (_, context) => {
    const held = after(transmitted, "amend");
    expect(decideOn(transmitted, "amend", {}, context)).toMatchObject(refusal("out-of-state"));
    expect(decideOn(held, "amend", {}, context)).toMatchObject(refusal("out-of-state"));
  });

  test("opens an update gate of what the payer decided, and is refused of what it denied", () => {
    expect(gateAt(after(examples.determined, "amend"))).toMatchObject({ update: true, revision: 2 });
    expect(decideOn(situations["determined: denied"], "amend")).toMatchObject(refusal("out-of-state"));
  });

  test("leaves the request as the payer has it when a reviewer declines", () => {
    const task = after(after(transmitted, "amend"), "decline");
    expect(stateOf(task)).toBe("transmitted");
    expect(decideOn(task, "amend").ok).toBe(true);
  });

  test("gives way to a determination that comes before it leaves", () => {
    const task = after(after(transmitted, "amend"), "record-determination");
    expect([stateOf(task), gateOf(task)]).toEqual(["determined", undefined]);
  });
});

describe("a change of what the payer decided", () => {
  const changed = situations["transmitted: a change of what was decided"];
  const decide = (task: Task, members: object) =>
    after(task, "record-determination", { determination: { id: "next", outcome: "denied", ...members } });

  test("leaves the determination in force while the payer has not decided on it", () => {
    expect(stateOf(changed)).toBe("transmitted");
    expect(changed.payer.determination?.id).toBe(examples.determined.payer.determination?.id);
    expect(isAwaited(changed)).toBe(true);
  });

  test("is decided by a determination that answers it, whatever that is dated", () => {
    for (const decidedAt of [undefined, new Date(-10), laterBy(10)]) {
      const task = decide(changed, { decidedAt, revision: 2 });
      expect([stateOf(task), task.payer.determination?.id]).toEqual(["determined", "next"]);
    }
  });

  test("is not decided by a determination of the earlier revision, in force or not", () => {
    const newer = decide(changed, { decidedAt: laterBy(10), revision: 1 });
    expect([stateOf(newer), newer.payer.determination?.id]).toEqual(["transmitted", "next"]);
    const older = decide(changed, { decidedAt: new Date(-10), revision: 1 });
    expect(older).toEqual(changed);
  });

  test("is not decided by a word that has no date and names no revision: a person is shown it", () => {
    const task = decide(changed, {});
    expect([stateOf(task), attentionOf(task)]).toEqual(["transmitted", "unordered-answer"]);
  });

  test("that the payer refuses later leaves what it decided", () => {
    const task = after(changed, "record-payer-rejection", { gateId: "gate+", update: true });
    expect([stateOf(task), task.payer.informationRequest]).toEqual(["determined", undefined]);
    expect(task.payer.determination).toEqual(changed.payer.determination);
    const first = after(changed, "record-payer-rejection", { gateId: "gate", update: false });
    expect([first.payer, attentionOf(first)]).toEqual([changed.payer, "unordered-answer"]);
  });

  test("that the payer refuses later leaves it owing a decision on the update before it", () => {
    const next = { gateId: "gate+", update: true, earlierUpdate: 2 };
    const third: Task = { ...changed, payer: { ...changed.payer, undecided: { revision: 3 } } };
    const task = after(third, "record-payer-rejection", next);
    expect([stateOf(task), task.payer.undecided]).toEqual(["transmitted", { revision: 2 }]);
    const known: Task = {
      ...third,
      payer: { ...third.payer, determination: { id: "two", outcome: "approved", revision: 2 } },
    };
    expect(stateOf(after(known, "record-payer-rejection", next))).toBe("determined");
  });

  test("is not waited for where the payer had decided on it before it said that it has it", () => {
    const submitting = historyOf({}, ...transmittedTypes, "record-determination", "amend", "release", "claim", "start");
    const decision = decide(submitting, { decidedAt: laterBy(10), revision: 2 });
    expect(stateOf(after(decision, "record-acceptance"))).toBe("determined");
  });
});

describe("what the payer requests while an update waits or is on its way", () => {
  const request = { informationRequest: { text: "the imaging report", items: [] } };
  const steps = ["amend", "release", "claim", "start"] as const;
  const waiting = steps.map((_, index) => steps.slice(0, index + 1));

  test.each(waiting.map((done) => [done.at(-1), done] as const))(
    "after %s stands once the payer has the update, which does not answer it",
    (_, done) => {
      const wanting = after(historyOf({}, ...transmittedTypes, ...done), "record-information-request", request);
      const taken = steps.slice(done.length).reduce((task, type) => after(task, type), wanting);
      const task = after(taken, "record-acceptance");
      expect(stateOf(task)).toBe("payer-needs-information");
      expect(task).toMatchObject({ payer: request, remark: { by: "payer", text: "the imaging report" } });
      const answered = ["amend", ...steps.slice(1), "record-acceptance"] as const;
      expect(stateOf(answered.reduce((next, type) => after(next, type), task))).toBe("transmitted");
    },
  );

  test("stands also where the update's outcome was unknown, and a person says that the payer has it", () => {
    const unknown = historyOf({}, ...transmittedTypes, ...steps, "record-unknown-outcome");
    const wanting = after(unknown, "record-information-request", request);
    expect(stateOf(after(wanting, "resolve-unconfirmed"))).toBe("payer-needs-information");
  });

  test("is answered by the update that was sent for it", () => {
    const wanting = after(historyOf({}, ...transmittedTypes), "record-information-request", request);
    const answered = [...steps, "record-acceptance"] as const;
    expect(stateOf(answered.reduce((next, type) => after(next, type), wanting))).toBe("transmitted");
  });
});

describe("what somebody owes", () => {
  test.each([
    ["a submission that is not on record", "record-lost-submission", "lost-submission"],
    ["an answer that came too late", "record-late-answer", "late-answer"],
  ] as const)("stays after a determination: %s", (_, type, attention) => {
    const decided = after(after(examples.transmitted, type), "record-determination");
    expect([stateOf(decided), attentionOf(decided)]).toEqual(["determined", attention]);
  });

  test("stays where the channel of an update that waits loses its access", () => {
    const call = after(examples.transmitted, "record-contact-request");
    const waiting = after(after(call, "amend"), "release");
    const held = after(waiting, "hold-again", { attention: "channel-revoked" });
    expect(attentionOf(held)).toBe("contact-payer");
    expect(attentionOf(after(held, "decline"))).toBe("contact-payer");
  });

  test("for the access of a channel ends with what it asked for", () => {
    const revoked = after(after(historyOf({}, ...transmittedTypes, "amend"), "release"), "hold-again", {
      attention: "channel-revoked",
    });
    expect(attentionOf(revoked)).toBe("channel-revoked");
    expect(attentionOf(after(revoked, "amend"))).toBeUndefined();
    expect(attentionOf(after(revoked, "request-void"))).toBeUndefined();
  });
});

test("an update that the payer rejects in its reply needs another, as where it says so later", () => {
  const sent = historyOf({}, ...transmittedTypes, "amend", "release", "claim", "start");
  for (const correction of ["correctable", "final"] as const) {
    const rejected = after(sent, "record-rejection", { correction });
    expect(stateOf(rejected)).toBe("payer-needs-information");
    expect(rejected).toMatchObject({ payer: { informationRequest: { text: "member unknown", items: [] } } });
  }
});

test("a case that the payer may have by a record that was lost can't be withdrawn", () => {
  expect(decideOn(after(examples["transmit-held"], "record-lost-submission"), "withdraw")).toMatchObject(
    refusal("not-withdrawable"),
  );
});

test("nobody knows of an update of unknown outcome, once the payer voids the case", () => {
  const unknown = historyOf({}, ...transmittedTypes, "amend", "release", "claim", "start", "record-unknown-outcome");
  const voided = decideOn(unknown, "record-payer-void");
  expect(voided).toMatchObject({ ok: true, value: [{}, { type: "transmission.ended", result: "unconfirmed" }] });
});

describe("what did not reach the payer, where its connection has come to need more", () => {
  const lacking = { gate: undefined, missing: ["/subscriber/memberId"] };

  test.each([
    ["a manual submission that failed", historyOf({ manual: true }, "release"), "give-up-manual-submission", {}],
    ["a submission of unknown outcome", examples["transmit-unconfirmed"], "resolve-unconfirmed", { payerHas: false }],
  ] as const)("waits for the agent: %s", (_, from, type, members) => {
    const task = type === "resolve-unconfirmed" ? from : after(from, "claim", { by: "person", leaseUntil: undefined });
    const held = after(task, type, members, lacking);
    expect(stateOf(held)).toBe("needs-information");
    expect(held).toMatchObject({ missing: lacking.missing, remark: { by: "service" } });
  });
});
