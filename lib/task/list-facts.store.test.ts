import fc from "fast-check";
import { v7 as uuidv7 } from "uuid";
import { afterAll, expect, test } from "vitest";
import { changePracticeSettings } from "#lib/practice/change-practice-settings";
import { setLineOfBusiness } from "#lib/practice/set-line-of-business";
import type { Command, CommandType } from "#lib/task/model/lifecycle/command";
import { ok } from "#lib/platform/result";
import { attentionOf, stateOf, type NewGate } from "#lib/task/model/task";
import { commandsOn, examples } from "#lib/task/model/lifecycle/lifecycle.fixture";
import type { FrozenGate } from "#lib/task/store/save-task";
import { replayTasks } from "#lib/task/shared/replayed-tasks";
import { loadTask } from "#lib/task/store/load-task";
import { rowToTask, type TaskRow } from "#lib/task/store/task-rows";
import { done } from "#test/support/people/admin";
import {
  aChannel,
  aHeldTask,
  anIntake,
  aPractice,
  aRoute,
  aStore,
  fullReview,
  theWorker,
} from "#test/support/cases/cases";
import { anAnsweredTask, approved } from "#test/support/cases/sent-cases";
import { type Change, type ChangeRecord, changeTask, type LoadedTask } from "./change.ts";
import { recallRelease } from "#lib/gate/recall-release";
import { releaseGate } from "#lib/gate/release-gate";
import { sendMessage } from "./send-message.ts";

const store = aStore();
const worker = theWorker(store);
afterAll(() => store.close());

const decidedAt = approved.decidedAt === undefined ? undefined : new Date(approved.decidedAt);
const hourMs = 60 * 60 * 1000;
const commandTypes = Object.keys(commandsOn(examples.transmitted)) as CommandType[];

type Choice = { readonly type: CommandType; readonly manual?: boolean };
type Case = { readonly taskId: string; readonly personId: string };

/** A command that fits the task as well as possible, with a gate, a person and a determination that can be stored. */
function changeOn(
  { task, row: { now, payer_id: connection } }: Pick<LoadedTask, "task" | "row">,
  { type, manual = false }: Choice,
  personId: string,
): Change {
  const expiresAt = new Date(now.getTime() + hourMs);
  const gate: NewGate = { id: uuidv7(), manual, digest: "0", openedAt: now, expiresAt };
  const frozen: FrozenGate = {
    ...{
      id: gate.id,
      calls: [],
      documentDigests: [],
      routeId: undefined,
      routeVersion: 0,
      connector: "manual",
      connection,
    },
    ...{ environment: "test", warnings: [], dueAt: expiresAt },
  };
  const command = stored(commandsOn(task)[type], { by: personId, now });
  const records = command.type === "record-determination" ? [reportOf(command.determination.id)] : [];
  return { commands: [command], prepared: { gate, frozen }, records };
}

function stored(command: Command, { by, now }: { readonly by: string; readonly now: Date }): Command {
  if (command.type === "release") return { ...command, ballot: { ...command.ballot, by } };
  if (command.type === "record-determination")
    return { ...command, determination: { ...command.determination, id: uuidv7(), decidedAt, receivedAt: now } };
  if (command.type === "record-payer-rejection" || command.type === "record-void-refusal")
    return { ...command, gateId: uuidv7() };
  return "by" in command && command.type !== "claim" ? { ...command, by } : command;
}

function reportOf(id: string): ChangeRecord {
  return {
    type: "payer-report",
    report: {
      kind: "inquiry.decided",
      bytes: undefined,
      determination: { id, document: approved, revision: undefined },
    },
  };
}

async function apply({ taskId, personId }: Case, choice: Choice): Promise<{ readonly after: TaskRow } | undefined> {
  const scope = { taskId, practices: "every" } as const;
  const changed = await changeTask(worker, scope, async (loaded) => ok(changeOn(loaded, choice, personId)));
  const after = await loadTask(store, scope);
  return changed.ok && after ? { after } : undefined;
}

async function aCase() {
  const held = await aHeldTask(store, { routed: true, review: fullReview });
  return { taskId: held.taskId, personId: held.reviewer.actor.id };
}

const listed = (id: string) => store.prisma.task.findUniqueOrThrow({ where: { id } });

test("through any history, the task follows from its stored events, and what lists go by from the task", async () => {
  // Random commands seldom get far, so each history first goes some way towards the end.
  const toTheEnd = [
    ...(["release", "claim", "start", "record-acceptance"] as const),
    ...(["record-information-request", "record-determination"] as const),
  ];
  const route: readonly Choice[] = toTheEnd.map((type) => ({ type }));
  const choice = fc.record({ type: fc.constantFrom(...commandTypes), manual: fc.boolean() });
  const choices = fc
    .tuple(fc.nat(route.length), fc.array(choice, { maxLength: 25 }))
    .map(([length, more]) => [...route.slice(0, length), ...more]);
  const reached = new Set<string>();
  await fc.assert(
    fc.asyncProperty(choices, async (list) => {
      const of = await aCase();
      const { taskId } = of;
      for (const choice of list) {
        const changed = await apply(of, choice);
        if (!changed) continue;
        const task = rowToTask(store, changed.after);
        const { state, needsPerson, dueAt } = await listed(taskId);
        expect({ state, needsPerson }).toEqual({ state: stateOf(task), needsPerson: attentionOf(task) ?? null });
        const somebodyHere = state.endsWith("-held") || needsPerson !== null;
        expect(dueAt !== null).toBe(somebodyHere);
        reached.add(state);
      }
      const { practiceId } = await listed(taskId);
      expect(await replayTasks(store, practiceId)).toEqual({ tasks: 1, before: 0, faults: [] });
    }),
    { numRuns: 40, examples: [[[...route]]] },
  );
  expect([...reached]).toEqual(expect.arrayContaining(["transmitting", "transmitted", "determined"]));
});

test.each([
  ["urgent", "03", 4],
  ["standard", undefined, 24],
])(
  "a gate of a case that is %s is due by the practice's own target from its opening",
  async (_, serviceLevelCode, hours) => {
    const { taskId, record } = await aHeldTask(store, { review: { ...fullReview, serviceLevelCode } });
    const { dueAt } = await listed(taskId);
    expect(dueAt?.getTime()).toBe((record.gate?.openedAt.getTime() ?? 0) + hours * hourMs);
  },
);

test("a recall gives a case no new time: it is due when it was", async () => {
  const { taskId, reviewer, seen } = await aHeldTask(store, { routed: true, review: fullReview, recallWindowS: 600 });
  const { dueAt, gateId: first } = await listed(taskId);
  let gate = seen;
  for (const _ of ["once", "twice"]) {
    await done(releaseGate(reviewer, { taskId, seen: gate }));
    expect((await listed(taskId)).dueAt).toBeNull();
    await done(recallRelease(reviewer, { taskId, gateId: gate.gateId }));
    const again = await store.prisma.gate.findFirstOrThrow({ where: { taskId, status: "open" } });
    gate = { ...gate, gateId: again.id, digest: again.digest };
  }
  expect(gate.gateId).not.toBe(first);
  expect((await listed(taskId)).dueAt).toEqual(dueAt);
});

test("what needs a person is due from when it first did, however often the task is written since", async () => {
  const of = await aCase();
  const { taskId } = of;
  for (const type of ["release", "claim", "start"] as const) await apply(of, { type });
  expect((await listed(taskId)).dueAt).toBeNull();
  const doubted = await apply(of, { type: "record-unknown-outcome" });
  const { dueAt } = await listed(taskId);
  expect(dueAt?.getTime()).toBe((doubted?.after.changed_at.getTime() ?? 0) + 24 * hourMs);
  const unreadable = await apply(of, { type: "record-unreadable-answer" });
  const again = await apply(of, { type: "record-unreadable-answer" });
  expect(unreadable?.after.due_at).toEqual(dueAt);
  expect(again?.after.due_at).toEqual(dueAt);
});

test("the payer's time is kept while it runs, and follows its rule and the practice's zone at once", async () => {
  const { taskId, practiceId, reviewer } = await anAnsweredTask(store, { type: "accepted", reference: "REF-1" });
  const of = { taskId, personId: reviewer.actor.id };
  const operator = { actor: { kind: "operator" }, store } as const;
  const payer = { practiceId, payerId: "87042" };
  const dueAfterH = async () => {
    const { payerDueAt, payerReceivedAt } = await listed(taskId);
    return payerDueAt && (payerDueAt.getTime() - (payerReceivedAt?.getTime() ?? 0)) / hourMs;
  };
  expect(await dueAfterH()).toBeNull();
  await setLineOfBusiness(operator, { ...payer, lineOfBusiness: "medicare-advantage" });
  const byRule = await dueAfterH();
  expect(byRule).toBeGreaterThan(7 * 24 - 1);
  expect(byRule).toBeLessThan(8 * 24 + 1);
  await setLineOfBusiness(operator, { ...payer, lineOfBusiness: "group-health-plan" });
  expect(await dueAfterH()).toBeCloseTo((byRule ?? 0) + 8 * 24, 0);
  await apply(of, { type: "record-information-request" });
  const inEast = await dueAfterH();
  const zone = { recallWindowS: 0, gateExpiryDays: 14, environment: "test", timeZone: "Pacific/Kiritimati" } as const;
  await changePracticeSettings(operator, { practiceId, ...zone });
  expect(await dueAfterH()).not.toBe(inEast);
  await setLineOfBusiness(operator, { ...payer, lineOfBusiness: "unknown" });
  expect(await dueAfterH()).toBeNull();
  await setLineOfBusiness(operator, { ...payer, lineOfBusiness: "medicare-advantage" });
  await apply(of, { type: "record-determination" });
  expect(await dueAfterH()).toBeNull();
});

test("equal members of one practice are found by their hash, written anyhow, and never across practices", async () => {
  const practices = [await aPractice(store), await aPractice(store)] as const;
  const channel = await aChannel(store, { practices });
  for (const practiceId of practices) await aRoute(store, { practiceId });
  const of = async (practiceId: string, memberId: string) => {
    const review = { ...fullReview, subscriber: { ...fullReview.subscriber, memberId } };
    const sent = await sendMessage(channel, anIntake({ practiceId, review }));
    const { memberHash } = await listed(sent.ok ? sent.value.id : sent.refusal.type);
    return Buffer.from(memberHash ?? []).toString("hex");
  };
  const [one, same, other, elsewhere] = [
    await of(practices[0], "W123-456"),
    await of(practices[0], "w123456"),
    await of(practices[0], "W123457"),
    await of(practices[1], "W123-456"),
  ];
  expect(one).toHaveLength(64);
  expect(same).toBe(one);
  expect(new Set([one, other, elsewhere]).size).toBe(3);
});
