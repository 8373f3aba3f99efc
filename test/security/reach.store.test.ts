import { v7 as uuidv7 } from "uuid";
import { afterAll, expect, test } from "vitest";
import { atoms, type Atom } from "#lib/access/model/actor";
import { cancelTask } from "#lib/task/cancel-task";
import { aChannel, aHeldTask, aPractice, aStore } from "#test/support/cases/cases";
import { callEdge, edgeDeps, intakeParams, rpc } from "#test/support/agents/edge";

const store = aStore();
const deps = edgeDeps(store);
afterAll(() => store.close());

/** `denied` is the uniform denial; `heard` is every answer that only somebody with the right to ask gets. */
type Outcome = "denied" | "not-found" | "heard";

type Call = {
  readonly atom: Atom;
  /** What the call names, by the names of this matrix; absent where such a call names none. */
  readonly practice?: string;
  readonly task?: string;
};

type Holder = { readonly atoms: readonly Atom[]; readonly practices: readonly string[] };

/** What a channel may do, said once more and otherwise than the service says it. */
function oracle(held: Holder, { atom, practice, task }: Call): Outcome {
  const reaches = (name: string) => held.practices.includes(name) && practices[name]?.active === true;
  if (!held.atoms.includes(atom)) return "denied";
  if (practice !== undefined && !reaches(practice)) return "denied";
  if (task === "nowhere") return "not-found";
  return task === undefined || reaches(task) ? "heard" : "denied";
}

/**
 * A task bears the name of its practice. At `closed` it was opened before the practice was suspended, and stands at a
 * gate that nobody here may touch; the others are withdrawn, so that a call that is heard costs no revision.
 */
const practices: Record<string, { id: string; active: boolean }> = {};
const tasks: Record<string, string> = { nowhere: uuidv7() };
for (const name of ["elm", "oak", "closed"]) {
  const { taskId, practiceId, channel } = await aHeldTask(store);
  if (name !== "closed") await cancelTask(channel, { taskId });
  practices[name] = { id: practiceId, active: name !== "closed" };
  tasks[name] = taskId;
}
practices["empty"] = { id: await aPractice(store), active: true };
practices["unknown"] = { id: "no-such-practice", active: false };
await store.prisma.practice.update({ where: { id: practices["closed"]?.id ?? "" }, data: { status: "suspended" } });

const calls: readonly Call[] = [
  ...Object.keys(practices).map((practice) => ({ atom: "prior_auth_intake", practice }) as const),
  ...Object.keys(tasks).flatMap((task) => [
    ...Object.keys(practices).flatMap((practice) => [
      { atom: "prior_auth_intake", practice, task } as const,
      { atom: "prior_auth_void", practice, task } as const,
    ]),
    { atom: "tasks_get", task } as const,
    { atom: "tasks_cancel", task } as const,
  ]),
];

function onTheWire({ atom, practice, task }: Call): object {
  const taskId = task === undefined ? undefined : tasks[task];
  if (atom === "tasks_get") return rpc("tasks/get", { id: taskId });
  if (atom === "tasks_cancel") return rpc("tasks/cancel", { id: taskId });
  const practiceId = practices[practice ?? ""]?.id ?? "";
  if (atom === "prior_auth_intake") return rpc("message/send", intakeParams({ practiceId, message: { taskId } }));
  const data = { skill: "prior_auth_void", taskId, reason: "Entered twice." };
  return rpc("message/send", intakeParams({ practiceId, data }));
}

async function outcomeOf(call: Call, key: string): Promise<Outcome> {
  const { json } = await callEdge(deps, onTheWire(call), { key });
  const code = json.error?.code;
  if (code === -32603 || code === -32000) throw new Error(`The service did not answer: ${code}.`);
  if (code === -32003) return "denied";
  return code === -32001 ? "not-found" : "heard";
}

/** Every selection from these, the empty one included. */
function selections<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  return items.reduce<readonly (readonly Item[])[]>(
    (all, item) => [...all, ...all.map((some) => [...some, item])],
    [[]],
  );
}

/** Calls asked by every channel at once; more would wait for each other longer than the service lets anybody wait. */
const togetherMax = 12;

const reachable = ["elm", "oak", "closed"];

test("every channel may do what its atoms and practices say, and is heard in nothing else", async () => {
  let requested = 0;
  for (const held of selections(atoms)) {
    const channels = await Promise.all(
      selections(reachable).map(async (names) => {
        const reach = names.map((name) => practices[name]?.id ?? "");
        return { names, key: (await aChannel(store, { practices: reach, atoms: held })).key };
      }),
    );
    for (let from = 0; from < calls.length; from += togetherMax) {
      // At once, so that calls of channels with other rights share one statement.
      const answers = await Promise.all(
        calls.slice(from, from + togetherMax).flatMap((call) =>
          channels.map(async ({ names, key }) => {
            requested += 1;
            const holder = { atoms: held, practices: names };
            return { call, holder, outcome: await outcomeOf(call, key), expected: oracle(holder, call) };
          }),
        ),
      );
      expect(answers.filter(({ outcome, expected }) => outcome !== expected)).toEqual([]);
    }
  }
  expect(requested).toBe(16 * 8 * calls.length);
  const untouched = await store.prisma.task.findUniqueOrThrow({ where: { id: tasks["closed"] ?? "" } });
  expect(untouched).toMatchObject({ version: 1, revision: 1 });
});
