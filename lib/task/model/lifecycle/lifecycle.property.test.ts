import fc from "fast-check";
import { expect, test } from "vitest";
import { closedStates } from "#lib/queue/model/queue";
import { attentionOf, gateOf, stateOf, states, type Task } from "#lib/task/model/task";
import type { Command, CommandType, DecisionContext } from "./command.ts";
import { decide, openTask } from "./decide.ts";
import { type Event, eventOf, factsText } from "./event.ts";
import { evolve, replay } from "./evolve.ts";
import { commandsOn, contextOn, newGate } from "./lifecycle.fixture.ts";
import { mayReopen } from "./projections.ts";

/** One step of a history, as an observer would note it. */
type Step = {
  readonly command: Command;
  readonly before: Task;
  readonly events: readonly Event[];
  readonly after: Task;
};

type GateName = { readonly gateId: string; readonly revision: number; readonly digest: string };
type Choice = { readonly type: CommandType; readonly stray: boolean; readonly variant: number; readonly pick: number };
type Try = { readonly command: Command; readonly context: DecisionContext };

const commandTypes = Object.keys(commandsOn(openTask({ missing: ["/x"] }).task)) as CommandType[];

const choices: fc.Arbitrary<Choice[]> = fc.array(
  fc.record({
    type: fc.constantFrom(...commandTypes),
    stray: fc.nat(9).map((n) => n === 0),
    variant: fc.nat(7),
    pick: fc.nat(999),
  }),
  { maxLength: 60, size: "max" },
);

/** Commands that bring a case further; random ones seldom do. */
const onwards: readonly CommandType[] = [
  ...(["release", "claim", "claim-again", "start", "request-void", "record-acceptance", "record-rejection"] as const),
  ...(["record-not-sent", "record-unknown-outcome", "lapse", "resolve-unconfirmed", "record-void-refusal"] as const),
];

/** Runs a random history. Every gate it may open is new, and stray answers name earlier gates. */
function run(list: readonly Choice[]): { task: Task; history: Step[]; events: readonly Event[] } {
  const first = openTask({ gate: newGate("g0") });
  let task: Task = first.task;
  const events: Event[] = [...first.events];
  const history: Step[] = [];
  const past: GateName[] = [];
  const given = new Map<string, Set<string>>();
  list.forEach((choice, index) => {
    const gate = gateOf(task);
    const before = new Set(given.get(gate?.id ?? ""));
    const ask = (type: CommandType) => variantOf(task, { ...choice, type }, { index, past, given: [...before] });
    const { command, context } = ask(typeOf(choice, (type) => tryToDecide(ask(type), task).ok));
    if (gate) past.push({ gateId: gate.id, revision: gate.revision, digest: gate.digest });
    const decided = decide(command, task, context);
    if (!decided.ok) return;
    if (command.type === "release") given.set(command.seen.gateId, before.add(command.ballot.by));
    const after = replay(decided.value, task);
    history.push({ command, before: task, events: decided.value, after });
    events.push(...decided.value);
    task = after;
  });
  return { task, history, events };
}

/** Half of the time a command that brings the case further, if any can; else the random one. */
function typeOf({ type, pick }: Choice, may: (type: CommandType) => boolean): CommandType {
  const open = pick % 2 === 0 ? onwards.filter(may) : [];
  return open[pick % open.length] ?? type;
}

const tryToDecide = ({ command, context }: Try, task: Task) => decide(command, task, context);

function variantOf(
  task: Task,
  { type, stray, variant }: Choice,
  { index, past, given }: { index: number; past: readonly GateName[]; given: readonly string[] },
): Try {
  const lacks = (type === "amend" || type === "hold-again" || type === "recall") && variant % 3 === 0;
  const prepared = lacks
    ? { missing: ["/subscriber/memberId"], gate: undefined }
    : { gate: newGate(`g${index + 1}`, variant % 4 === 3) };
  const context: DecisionContext = { ...contextOn(task, type), ...prepared };
  const command: Command = { ...commandsOn(task)[type] };
  const old = past.length > 0 ? past[variant % past.length] : undefined;
  const seen = stray && old ? { seen: old } : {};
  if (command.type === "release") {
    const ballot = { by: `reviewer ${variant % 3}`, needed: 1 + (variant % 2), given, owners: ["reviewer 2"] };
    return { command: { ...command, ballot, ...seen }, context };
  }
  if (command.type === "edit") return { command: { ...command, by: `reviewer ${variant % 3}`, ...seen }, context };
  if ("seen" in command) return { command: { ...command, ...seen }, context };
  if ("attempt" in command && stray) return { command: { ...command, attempt: command.attempt + 1 }, context };
  return { command: detailed(command, { index, variant }), context };
}

function detailed(command: Command, { index, variant }: { index: number; variant: number }): Command {
  const isEven = variant % 2 === 0;
  if (command.type === "record-rejection")
    return { ...command, correction: (["correctable", "final", "try-again"] as const)[variant % 3] ?? "final" };
  if (command.type === "record-acceptance") {
    const informationRequest = variant % 3 === 0 ? { text: "the notes", items: [] } : undefined;
    return { ...command, pending: isEven, informationRequest };
  }
  if (command.type === "resolve-unconfirmed") return { ...command, payerHas: isEven };
  if (command.type === "claim") return { ...command, by: isEven ? "worker" : "person" };
  if (command.type === "hold-again") return { ...command, attention: isEven ? "channel-revoked" : undefined };
  if (command.type === "record-determination") {
    const decidedAt = variant === 0 ? undefined : new Date(index);
    const outcome = variant === 5 ? ("denied" as const) : ("approved" as const);
    const revision = variant % 2 === 0 ? undefined : 1 + (variant % 3);
    return { ...command, determination: { id: `d${index}`, outcome, decidedAt, revision } };
  }
  if (command.type === "record-payer-rejection")
    return { ...command, correction: isEven ? "correctable" : "final", update: variant % 3 === 0 };
  return command;
}

const ends = new Set(["withdrawn", "declined", "failed", "voided"]);
const runs = { numRuns: 600 };

test("an end never changes", () => {
  fc.assert(
    fc.property(choices, (list) => {
      for (const { before, after } of run(list).history) {
        if (ends.has(stateOf(before))) expect(stateOf(after)).toBe(stateOf(before));
      }
    }),
    runs,
  );
});

test("a closed case goes on only with a gate for what its payer has", () => {
  const isClosed = (task: Task) => closedStates.includes(stateOf(task));
  fc.assert(
    fc.property(choices, (list) => {
      for (const { before, events, after } of run(list).history)
        if (isClosed(before) && !isClosed(after)) expect(mayReopen(events)).toBe(true);
    }),
    runs,
  );
});

type Release = Extract<Command, { readonly type: "release" | "release-automatically" }>;
const isRelease = (command: Command): command is Release =>
  command.type === "release" || command.type === "release-automatically";

test("nothing is ever sent without a release of exactly that gate, revision and digest", () => {
  fc.assert(
    fc.property(choices, (list) => {
      const released = new Set<string>();
      for (const { command, before, after } of run(list).history) {
        if (isRelease(command) && after.stage.kind === "released") released.add(JSON.stringify(command.seen));
        if (after.stage.kind !== "submitting" || before.stage.kind === "submitting") continue;
        const { id: gateId, revision, digest } = after.stage.gate;
        expect(released).toContain(JSON.stringify({ gateId, revision, digest }));
      }
    }),
    runs,
  );
});

test("a gate that was superseded, recalled or answered is never released afterwards", () => {
  fc.assert(
    fc.property(choices, (list) => {
      const closed = new Set<string>();
      for (const { command, before, after } of run(list).history) {
        if (isRelease(command)) expect(closed).not.toContain(command.seen.gateId);
        const left = gateOf(before);
        if (left && gateOf(after)?.id !== left.id) closed.add(left.id);
        if (isRelease(command) && after.stage.kind === "released") closed.add(command.seen.gateId);
      }
    }),
    runs,
  );
});

test("an action is released exactly when as many different people as it takes released it, none of whom owns its channel", () => {
  fc.assert(
    fc.property(choices, (list) => {
      const people = new Map<string, Set<string>>();
      for (const { command, before, after } of run(list).history) {
        // Without a person, and only where lib/gate/model/auto-release.ts finds no obstacle.
        if (command.type === "release-automatically") continue;
        if (before.stage.kind === "held" && after.stage.kind === "released") expect(command.type).toBe("release");
        if (command.type !== "release") continue;
        const { seen, ballot } = command;
        const released = (people.get(seen.gateId) ?? new Set()).add(ballot.by);
        people.set(seen.gateId, released);
        expect(ballot.owners).not.toContain(ballot.by);
        expect(after.stage.kind).toBe(released.size >= ballot.needed ? "released" : "held");
      }
    }),
    runs,
  );
});

test("where it takes several people, nobody who edited the request is one of them", () => {
  fc.assert(
    fc.property(choices, (list) => {
      let editors = new Set<string>();
      for (const { command, before, after } of run(list).history) {
        if (command.type === "amend") editors = new Set();
        if (command.type === "edit") editors.add(command.by);
        if (gateOf(before)?.action === "transmit") {
          if (command.type === "release" && command.ballot.needed > 1) expect(editors).not.toContain(command.ballot.by);
          if (command.type === "release-automatically") expect(editors.size).toBe(0);
        }
        expect(new Set(after.edited?.by)).toEqual(editors);
        if (command.type === "edit") expect(gateOf(after)?.id).not.toBe(gateOf(before)?.id);
      }
    }),
    runs,
  );
});

test("what a person submits by hand is released by a person alone", () => {
  fc.assert(
    fc.property(choices, (list) => {
      for (const { command, before } of run(list).history)
        if (command.type === "release-automatically") expect(gateOf(before)?.manual).toBe(false);
    }),
    runs,
  );
});

test("a withdrawn task was never with the payer and is never sent", () => {
  fc.assert(
    fc.property(choices, (list) => {
      let withdrawn = false;
      for (const { before, after } of run(list).history) {
        if (stateOf(after) === "withdrawn" && !withdrawn) expect(before.payer.payerReceipt).toBe("no");
        withdrawn ||= stateOf(after) === "withdrawn";
        if (withdrawn) expect(after.stage.kind).toBe("ended");
      }
    }),
    runs,
  );
});

test("one release is sent at most once unless it is certain that nothing left, or it is sent again knowingly", () => {
  fc.assert(
    fc.property(choices, (list) => {
      const doubtful = new Set<string>();
      for (const { command, before, after } of run(list).history) {
        const gate = gateOf(before);
        if (command.type === "claim" && gate) expect(doubtful).not.toContain(gate.id);
        // A second submission happens only on the payer's promise to recognize it, and only by that event.
        if (command.type === "claim-again" && gate) expect(gateOf(after)).toEqual(gate);
        if (after.stage.kind === "released" && gate) expect(doubtful).not.toContain(gate.id);
        const unknown =
          command.type === "record-unknown-outcome" || (command.type === "lapse" && after.stage.kind !== "released");
        if (unknown && gate) doubtful.add(gate.id);
      }
    }),
    runs,
  );
});

test("a refusal of what the payer had taken loses no decision, and leaves nothing open that rests on it", () => {
  fc.assert(
    fc.property(choices, (list) => {
      for (const { command, before, after } of run(list).history) {
        if (command.type !== "record-payer-rejection") continue;
        expect(after.payer.determination).toEqual(before.payer.determination);
        expect(after.payer.voided).toEqual(before.payer.voided);
        if (after.payer.payerReceipt === "no" && before.payer.payerReceipt !== "no")
          expect(gateOf(after)).toBe(undefined);
        if (before.stage.kind === "submitting") expect(after.stage).toEqual(before.stage);
        if (command.update && before.payer.payerReceipt === "yes") expect(after.payer.payerReceipt).toBe("yes");
      }
    }),
    runs,
  );
});

test("what the payer received after its determination is decided only by a word that is of it, and no determination is lost", () => {
  fc.assert(
    fc.property(choices, (list) => {
      for (const { command, before, after } of run(list).history) {
        if (before.payer.determination) expect(after.payer.determination).toBeDefined();
        const { undecided } = before.payer;
        if (!undecided || after.payer.undecided) continue;
        if (command.type !== "record-determination") expect(command.type).toBe("record-payer-rejection");
        else expect(command.determination.revision ?? undecided.revision).toBeGreaterThanOrEqual(undecided.revision);
      }
    }),
    runs,
  );
});

test("an unknown outcome always asks for a person, and a void is only of what the payer has", () => {
  fc.assert(
    fc.property(choices, (list) => {
      const { task } = run(list);
      const state = stateOf(task);
      if (state.endsWith("unconfirmed")) expect(attentionOf(task)).toBe("unconfirmed");
      const again = task.stage.kind === "submitting" && task.stage.again === true;
      if (task.payer.payerReceipt === "maybe")
        expect(again || ["transmit-unconfirmed", "void-unconfirmed", "voided"].includes(state)).toBe(true);
      if (task.stage.kind === "held" && task.stage.gate.action === "void") expect(task.payer.payerReceipt).toBe("yes");
    }),
    runs,
  );
});

test("the events of any history, taken from the first, amount to the same task", () => {
  fc.assert(
    fc.property(choices, (list) => {
      const { task, events } = run(list);
      expect(replay(events)).toEqual(task);
      const kept = events.map((event) => ({ type: event.type, facts: factsText(event) }));
      expect(replay(kept.map(({ type, facts }) => eventOf(type, facts)))).toEqual(task);
    }),
    runs,
  );
});

test("any event makes a task of any task: evolve asks nothing and never fails", () => {
  fc.assert(
    fc.property(choices, choices, (one, other) => {
      const { task } = run(one);
      for (const event of run(other).events) expect(states).toContain(stateOf(evolve(task, event)));
    }),
    { numRuns: 300 },
  );
});
