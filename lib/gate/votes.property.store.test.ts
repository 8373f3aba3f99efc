import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { aHeldTask, anIntake, aPerson, aStore, seenOn } from "#test/support/cases/cases";
import { releaseGate } from "./release-gate.ts";
import { sendMessage } from "#lib/task/send-message";
import { withdrawVote } from "./withdraw-vote.ts";

const store = aStore();
afterAll(() => store.close());

const peopleCount = 4;
const who = fc.nat(peopleCount - 1);

type Step =
  | { readonly act: "release" | "take-back" | "disable" | "enable" | "own"; readonly who: number }
  | { readonly act: "disown" | "amend" };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ act: fc.constant("release" as const), who }) },
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constantFrom("take-back" as const, "disable", "enable", "own"), who }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constantFrom("disown" as const, "amend") }) },
);

/** The model: what an observer with pencil and paper would know. */
type GateModel = { given: Set<number>; disabled: Set<number>; owner: number | undefined };

const counts = ({ disabled, owner }: GateModel, person: number) => !disabled.has(person) && owner !== person;

/** What a release must lead to, according to the model. */
function expected(known: GateModel, person: number, needed: number): string {
  if (known.disabled.has(person)) return "not-found";
  if (known.owner === person) return "owns-channel";
  const counted = [...known.given].filter((each) => counts(known, each));
  if (new Set([...counted, person]).size >= needed) return "transmit-released";
  return counted.includes(person) ? "released-already" : "transmit-held";
}

async function aCase(needed: number) {
  const held = await aHeldTask(store);
  const { practiceId } = held;
  await store.prisma.voteRule.createMany({
    data: ["ordinary", "high"].map((risk) => ({ practiceId, action: "transmit", risk, votes: needed })),
  });
  const people = await Promise.all(
    Array.from({ length: peopleCount }, (_, index) => aPerson(store, { practices: [practiceId], name: `No ${index}` })),
  );
  return { ...held, people };
}

type Case = Awaited<ReturnType<typeof aCase>>;

/** Does everything but a release, in the database and in the model. An amendment opens another gate. */
async function happen(held: Case, seen: Case["seen"], known: GateModel, { act, ...of }: Step): Promise<Case["seen"]> {
  const person = "who" in of ? of.who : 0;
  const id = held.people[person]?.actor.id ?? "";
  switch (act) {
    case "take-back": {
      const taken = await withdrawVote(held.people[person] ?? held.reviewer, { taskId: held.taskId, seen });
      expect(taken.ok).toBe(known.given.delete(person));
      return seen;
    }
    case "disable":
    case "enable":
      await store.prisma.person.update({
        where: { id },
        data: { status: act === "enable" ? "active" : "disabled" },
      });
      if (act === "enable") known.disabled.delete(person);
      else known.disabled.add(person);
      return seen;
    case "own":
    case "disown":
      known.owner = act === "own" ? person : undefined;
      await store.prisma.channel.update({
        where: { id: held.channel.actor.id },
        data: { ownerId: act === "own" ? id : null },
      });
      return seen;
    case "amend": {
      known.given.clear();
      const amended = await sendMessage(held.channel, anIntake(held));
      return seenOn(amended.ok ? amended.value : expect.fail("the amendment was refused"));
    }
    case "release":
      throw new Error("a release is not done here");
  }
}

test("a gate is released exactly when as many different people as it takes, who may release then, released at it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), fc.constantFrom(2, 3), async (steps, needed) => {
      const held = await aCase(needed);
      const known: GateModel = { given: new Set(), disabled: new Set(), owner: undefined };
      let { seen } = held;
      for (const each of steps) {
        if (each.act !== "release") {
          seen = await happen(held, seen, known, each);
          continue;
        }
        const want = expected(known, each.who, needed);
        const answer = await releaseGate(held.people[each.who] ?? held.reviewer, { taskId: held.taskId, seen });
        expect(answer.ok ? answer.value.state : answer.refusal.type).toBe(want);
        if (want === "transmit-held") known.given.add(each.who);
        const leaves = await store.prisma.transmission.count({ where: { taskId: held.taskId } });
        expect(leaves).toBe(want === "transmit-released" ? 1 : 0);
        if (leaves > 0) return;
      }
    }),
    { numRuns: 25 },
  );
}, 120_000);
