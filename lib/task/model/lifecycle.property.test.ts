import fc from "fast-check";
import { expect, test } from "vitest";
import type { Event } from "./event.ts";
import { eventsOn, newGate } from "./transition.fixture.ts";
import { attentionOf, gateOf, stateOf, type Task } from "./task.ts";
import { openTask, transition } from "./transition.ts";

/** What happened, as an onlooker would write it down. */
type Seen = { readonly event: Event; readonly before: Task; readonly after: Task };

type Named = { readonly gateId: string; readonly revision: number; readonly digest: string };
type Choice = { readonly type: Event["type"]; readonly stray: boolean; readonly variant: number };

const eventTypes = Object.keys(eventsOn(openTask({ missing: ["/x"] }).task)) as Event["type"][];

const choices: fc.Arbitrary<Choice[]> = fc.array(
  fc.record({ type: fc.constantFrom(...eventTypes), stray: fc.nat(9).map((n) => n === 0), variant: fc.nat(7) }),
  { maxLength: 60 },
);

/** Runs a random history; every gate it may open is new, and stray answers name gates of the past. */
function run(list: readonly Choice[]): { task: Task; history: Seen[] } {
  let task: Task = openTask({ missing: [], gate: newGate("g0") }).task;
  const history: Seen[] = [];
  const past: Named[] = [];
  const given = new Map<string, Set<string>>();
  list.forEach((choice, index) => {
    const gate = gateOf(task);
    const before = new Set(given.get(gate?.id ?? ""));
    const event = variantOf(task, choice, { index, past, given: [...before] });
    if (gate) past.push({ gateId: gate.id, revision: gate.revision, digest: gate.digest });
    const next = transition(task, event);
    if (!next.ok) return;
    if (event.type === "released") given.set(event.seen.gateId, before.add(event.ballot.by));
    history.push({ event, before: task, after: next.value.task });
    task = next.value.task;
  });
  return { task, history };
}

function variantOf(
  task: Task,
  { type, stray, variant }: Choice,
  { index, past, given }: { index: number; past: readonly Named[]; given: readonly string[] },
): Event {
  const event: Event = { ...eventsOn(task)[type] };
  const gate = newGate(`g${index + 1}`, variant % 4 === 3);
  const old = past.length > 0 ? past[variant % past.length] : undefined;
  if (event.type === "amended" || event.type === "re-held") {
    return variant % 3 === 0 ? { ...event, missing: ["/subscriber/memberId"], gate: undefined } : { ...event, gate };
  }
  const ballot = { by: `reviewer ${variant % 3}`, needed: 1 + (variant % 2), given, owners: ["reviewer 2"] };
  if (event.type === "released") return { ...event, ballot, seen: stray && old ? old : event.seen };
  if ("seen" in event) return stray && old ? { ...event, seen: old } : event;
  if ("attempt" in event && stray) return { ...event, attempt: event.attempt + 1 };
  if (event.type === "rejected")
    return { ...event, correction: (["correctable", "final", "try-again"] as const)[variant % 3] ?? "final" };
  if (event.type === "settled") return { ...event, payerHas: variant % 2 === 0, gate };
  if (event.type === "claimed") return { ...event, by: variant % 2 === 0 ? "worker" : "person" };
  if (event.type === "payer-decided") {
    const determination = {
      ...event.determination,
      id: `d${index}`,
      decidedAt: variant === 0 ? undefined : new Date(index),
    };
    return { ...event, determination, gate };
  }
  if (event.type === "payer-rejected")
    return { ...event, correction: variant % 2 === 0 ? "correctable" : "final", update: variant % 3 === 0, gate };
  return "gate" in event ? { ...event, gate } : event;
}

const ends = new Set(["withdrawn", "declined", "failed", "voided"]);
const runs = { numRuns: 3000 };

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

test("nothing is ever sent without a release of exactly that gate, revision and digest", () => {
  fc.assert(
    fc.property(choices, (list) => {
      const released = new Set<string>();
      for (const { event, before, after } of run(list).history) {
        if (event.type === "released" && after.motion.kind === "released") released.add(JSON.stringify(event.seen));
        if (after.motion.kind !== "sending" || before.motion.kind === "sending") continue;
        const { id: gateId, revision, digest } = after.motion.gate;
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
      for (const { event, before, after } of run(list).history) {
        if (event.type === "released") expect(closed).not.toContain(event.seen.gateId);
        const left = gateOf(before);
        if (left && gateOf(after)?.id !== left.id) closed.add(left.id);
        if (event.type === "released" && after.motion.kind === "released") closed.add(event.seen.gateId);
      }
    }),
    runs,
  );
});

test("an action is released exactly when as many different people as it takes released it, none of whom owns its channel", () => {
  fc.assert(
    fc.property(choices, (list) => {
      const people = new Map<string, Set<string>>();
      for (const { event, before, after } of run(list).history) {
        if (before.motion.kind === "held" && after.motion.kind === "released") expect(event.type).toBe("released");
        if (event.type !== "released") continue;
        const { seen, ballot } = event;
        const released = (people.get(seen.gateId) ?? new Set()).add(ballot.by);
        people.set(seen.gateId, released);
        expect(ballot.owners).not.toContain(ballot.by);
        expect(after.motion.kind).toBe(released.size >= ballot.needed ? "released" : "held");
      }
    }),
    runs,
  );
});

test("a withdrawn task was never with the payer and is never sent", () => {
  fc.assert(
    fc.property(choices, (list) => {
      let withdrawn = false;
      for (const { before, after } of run(list).history) {
        if (stateOf(after) === "withdrawn" && !withdrawn) expect(before.payer.holds).toBe("no");
        withdrawn ||= stateOf(after) === "withdrawn";
        if (withdrawn) expect(after.motion.kind).toBe("ended");
      }
    }),
    runs,
  );
});

test("one release is sent at most once unless it is certain that nothing left, or it is sent again knowingly", () => {
  fc.assert(
    fc.property(choices, (list) => {
      const doubtful = new Set<string>();
      for (const { event, before, after } of run(list).history) {
        const gate = gateOf(before);
        if (event.type === "claimed" && gate) expect(doubtful).not.toContain(gate.id);
        // Once more only on the word that the payer takes the same again for the same, and by that event alone.
        if (event.type === "claimed-again" && gate) expect(gateOf(after)).toEqual(gate);
        if (after.motion.kind === "released" && gate) expect(doubtful).not.toContain(gate.id);
        const unknown = event.type === "doubted" || (event.type === "lapsed" && after.motion.kind !== "released");
        if (unknown && gate) doubtful.add(gate.id);
      }
    }),
    runs,
  );
});

test("a refusal of what the payer had taken loses no decision, and leaves nothing open that rests on it", () => {
  fc.assert(
    fc.property(choices, (list) => {
      for (const { event, before, after } of run(list).history) {
        if (event.type !== "payer-rejected") continue;
        expect(after.payer.determination).toEqual(before.payer.determination);
        expect(after.payer.voided).toEqual(before.payer.voided);
        if (after.payer.holds === "no" && before.payer.holds !== "no") expect(gateOf(after)).toBe(undefined);
        if (before.motion.kind === "sending") expect(after.motion).toEqual(before.motion);
        if (event.update && before.payer.holds === "yes") expect(after.payer.holds).toBe("yes");
      }
    }),
    runs,
  );
});

test("whoever moves next is always known: no state needs a person without saying so", () => {
  fc.assert(
    fc.property(choices, (list) => {
      const { task } = run(list);
      const state = stateOf(task);
      if (state.endsWith("unconfirmed")) expect(attentionOf(task)).toBe("unconfirmed");
      const again = task.motion.kind === "sending" && task.motion.again === true;
      if (task.payer.holds === "maybe")
        expect(again || ["transmit-unconfirmed", "void-unconfirmed", "voided"].includes(state)).toBe(true);
      if (task.motion.kind === "held" && task.motion.gate.action === "void") expect(task.payer.holds).toBe("yes");
    }),
    runs,
  );
});
